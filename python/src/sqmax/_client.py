"""A client of `sqmax serve`, on the standard library alone."""

import http.client
import json
import threading
from urllib.parse import quote, urlencode, urlsplit


class ServerError(RuntimeError):
    """What the server refused: `status`, `code`, `field` and its sentence.

    >>> error = ServerError(400, {"code": "unknown_item", "message": "No item is called x.", "field": "history[0]"})
    >>> str(error), error.status, error.field
    ('No item is called x.', 400, 'history[0]')
    """

    def __init__(self, status, error):
        super().__init__(error.get("message", f"The server answered {status}."))
        self.status = status
        self.code = error.get("code")
        self.field = error.get("field")


class Client:
    """Asks a server that `sqmax serve` started.

    Parameters
    ----------
    url : str
        Where it is, as the server says when it starts.
    token : str, optional
        What the server was started with as `--token`.
    timeout : float
        Seconds to wait for an answer.

    Every method returns what the server's JSON says; items are dictionaries with `item` and, where
    there are such, `title`, `link`, `columns` and `score`. One client may be shared by threads: each
    keeps a connection of its own. A refusal is a `ServerError`; no answer is an `OSError`.
    """

    def __init__(self, url="http://127.0.0.1:8080", token=None, timeout=30.0):
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{url!r} is no address of a server: http://HOST:PORT is wanted.")
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._connect = lambda: kind(parts.hostname, parts.port, timeout=timeout)
        self._prefix = parts.path.rstrip("/")
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._local = threading.local()

    def recommend(self, user=None, *, history=None, N=10, **options):
        """The best `N` items for a known user, or for somebody with a history of item ids.

        `options`: `weights` (one for each item of the history), `exclude`, `only` (lists of item
        ids), `blend` (τ') and `allow_seen`.
        """
        return self._post("/v1/recommend", _asked(user, history, N, options))["items"]

    def recommend_batch(self, users=None, *, histories=None, N=10, **options):
        """A list for each user or each history, answered together."""
        if (users is None) == (histories is None):
            raise ValueError("recommend_batch wants users or histories, one of both.")
        asked = [_asked(u, None, N, options) for u in users or ()]
        asked += [_asked(None, h, N, options) for h in histories or ()]
        results = self._post("/v1/recommend/batch", {"requests": asked})["results"]
        return [result["items"] for result in results]

    def similar(self, item, N=10):
        """The `N` items most like this one."""
        return self._get("/v1/similar", item=item, k=N)["items"]

    def search(self, text, N=20):
        """Items whose id or title is like the text, each with its `popularity`."""
        return self._get("/v1/items", q=text, k=N)["items"]

    def explain(self, history, item, **options):
        """What each item of the history adds to the score of `item`: contributions and rest."""
        return self._post("/v1/explain", {"history": list(history), "item": item, **options})

    def add_events(self, events):
        """Tells (user, item) pairs to a server that keeps them; how many it accepted."""
        told = [{"user": user, "item": item} for user, item in events]
        return self._post("/v1/events", {"events": told})["accepted"]

    def model(self):
        """What the server has loaded: loss, sizes, options, metrics."""
        return self._get("/v1/model")

    def ready(self):
        """Whether the server takes requests now."""
        try:
            return self._get("/readyz")["status"] == "ok"
        except (ServerError, OSError):
            return False

    def _get(self, path, **query):
        return self._ask("GET", path + ("?" + urlencode(query, quote_via=quote) if query else ""))

    def _post(self, path, body):
        return self._ask("POST", path, json.dumps(body).encode())

    def _ask(self, method, path, body=None):
        headers = dict(self._headers)
        if body is not None:
            headers["Content-Type"] = "application/json"
        status, content = self._exchange(method, self._prefix + path, body, headers)
        try:
            answer = json.loads(content)
        except ValueError:
            answer = {}
        if status >= 400:
            raise ServerError(status, answer.get("error", {}))
        return answer

    def _exchange(self, method, path, body, headers):
        """On the thread's connection; if the server closed it meanwhile, once more on a new one."""
        kept = getattr(self._local, "connection", None)
        if kept is not None:
            try:
                return _answer(kept, method, path, body, headers)
            except ConnectionError:
                kept.close()
        self._local.connection = self._connect()
        return _answer(self._local.connection, method, path, body, headers)


def _answer(connection, method, path, body, headers):
    try:
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        return response.status, response.read()
    except http.client.HTTPException as error:
        connection.close()
        raise ConnectionError(f"The server broke off: {error!r}") from error


def _asked(user, history, count, options):
    if (user is None) == (history is None):
        raise ValueError("A user or a history is wanted, one of both.")
    asked = {"user": user} if history is None else {"history": list(history)}
    return {**asked, "k": count, **options}
