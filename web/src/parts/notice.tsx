// Notices: what went wrong, in the server's words; and the field for a token.
import { useContext, useState } from "preact/hooks";

import { hasToken, keepToken, type ApiError } from "../api";
import { Attempts } from "../attempts";

export function Notice({ error }: { error: ApiError }) {
  const { again } = useContext(Attempts);
  if (error.status === 401) return null; // the field for the token says it once for the whole page
  return (
    <div class="notice" role="alert">
      <p>{error.message}</p>
      {(error.status === 0 || error.status >= 429) && <button type="button" onClick={again}>Try again</button>}
    </div>
  );
}

export function TokenField() {
  const { again } = useContext(Attempts);
  const [refused] = useState(hasToken);
  const [token, setToken] = useState("");
  const send = (event: Event) => {
    event.preventDefault();
    keepToken(token.trim());
    again();
  };
  return (
    <form class="panel token" onSubmit={send}>
      <h2>This server asks for a token</h2>
      <p role="alert">{refused ? "It does not know the token that was given." : "Whoever started it has one. It is kept until this tab is closed."}</p>
      <label for="token">Token</label>
      <div class="row">
        <input id="token" type="password" autocomplete="off" value={token} required
          onInput={(event) => setToken(event.currentTarget.value)} />
        <button type="submit" class="primary">Open</button>
      </div>
    </form>
  );
}
