"""Answers: recommendations, similar rows, vectors of new rows and reasons, in implicit's words."""

from __future__ import annotations

import warnings

import numpy as np

from . import _core
from ._listening import spoken
from ._matrices import positions, row_of, to_core


class Answers:
    """What a fitted model can be asked. Any number of threads may ask at once."""

    _fitted: _core.Fitted | None
    num_threads: int

    def _need(self) -> _core.Fitted:
        if self._fitted is None:
            raise ValueError(f"This {type(self).__name__} has not been fitted: call fit first.")
        return self._fitted

    def recommend(
        self,
        userid,
        user_items=None,
        N: int = 10,
        filter_already_liked_items: bool = True,
        filter_items=None,
        recalculate_user: bool = False,
        items=None,
    ) -> tuple[np.ndarray, np.ndarray]:
        """The best items of one user or of several.

        Parameters
        ----------
        userid : int or array of int
            Positions of users.
        user_items : sparse matrix, optional
            A row for each of them: what they have. Without it, what they had in training.
        N : int
            Length of a list.
        filter_already_liked_items : bool
            Whether what a user has is left out.
        filter_items : array of int, optional
            Items that nobody is recommended.
        recalculate_user : bool
            Whether vectors are made from user_items; then userid may be new.
        items : array of int, optional
            Candidates; every item if not given.

        Returns
        -------
        ids (int32), scores (float32)
            One list for one id, a row for each of several. A list that is too short ends with id -1
            and score -inf.

        >>> import numpy, scipy.sparse, sqmax
        >>> matrix = scipy.sparse.random(60, 40, 0.2, format="csr", random_state=1).astype(bool)
        >>> model = sqmax.RGp(factors=4).fit(matrix, show_progress=False)
        >>> users = numpy.arange(5)
        >>> ids, scores = model.recommend(users, matrix[users], N=7)
        >>> ids.shape
        (5, 7)
        >>> model.recommend(0, matrix[0], N=3, items=[5])[0].shape
        (1,)
        """
        fitted = self._need()
        users = positions(userid, "userid")
        histories = None
        if user_items is not None:
            histories = to_core(user_items, "user_items")
            _check_rows(histories, users, "user_items", "userid")
        elif recalculate_user:
            raise ValueError("recalculate_user wants user_items: what these users have.")
        if items is not None:
            N = min(N, len(items))
        allowed = _candidates(items, filter_items, fitted.shape[1], "items")
        if N == 0:
            return _shaped(_nothing(len(users)), userid)
        with spoken():
            lists = _core.recommend(
                fitted,
                users,
                histories,
                _count(N),
                bool(filter_already_liked_items),
                bool(recalculate_user),
                allowed,
                self.num_threads,
            )
        return _shaped(lists, userid)

    def recommend_ids(self, user, N: int = 10, **options) -> list:
        """The best items of one user, or of a list of users, by raw ids: pairs (item, score).

        The options are those of recommend.

        >>> import sqmax
        >>> model = sqmax.Popularity().fit(sqmax.prepare((["ann", "bob"], ["tea", "milk"]), split="none"))
        >>> model.recommend_ids("ann")
        [('milk', 1.0)]
        """
        names = [user] if isinstance(user, str) else list(user)
        users = _positions(self.user_ids, names, "user")
        items = self.item_ids
        lists = [
            [(items[y], float(score)) for y, score in zip(ids, scores) if y >= 0]
            for ids, scores in zip(*self.recommend(np.array(users, np.int32), N=N, **options))
        ]
        return lists[0] if isinstance(user, str) else lists

    def similar_items(
        self, itemid, N: int = 10, recalculate_item: bool = False, item_users=None, filter_items=None, items=None
    ) -> tuple[np.ndarray, np.ndarray]:
        """The items most like one item or several, by cosine; an item is like itself.

        >>> import scipy.sparse, sqmax
        >>> matrix = scipy.sparse.random(60, 40, 0.2, format="csr", random_state=1).astype(bool)
        >>> model = sqmax.WRMF(factors=4).fit(matrix, show_progress=False)
        >>> ids, scores = model.similar_items(3, N=2)
        >>> int(ids[0])
        3
        """
        if recalculate_item:
            if item_users is None:
                raise ValueError("recalculate_item wants item_users: who has these items.")
            vectors = np.atleast_2d(self.recalculate_item(itemid, item_users))
        else:
            vectors = _rows(self.item_factors, itemid, "item") if self._need() else None
        return self._similar(_core.Side.Items, itemid, vectors, N, filter_items, items, "items")

    def similar_users(self, userid, N: int = 10, filter_users=None, users=None) -> tuple[np.ndarray, np.ndarray]:
        """The users most like one user or several, by cosine; a user is like itself."""
        vectors = _rows(self.user_factors, userid, "user") if self._need() else None
        return self._similar(_core.Side.Users, userid, vectors, N, filter_users, users, "users")

    def _similar(self, side, ids, vectors, N, left_out, allowed, what):
        fitted = self._need()
        size = fitted.shape[0] if side == _core.Side.Users else fitted.shape[1]
        candidates = _candidates(allowed, left_out, size, what)
        if N == 0 or len(vectors) == 0:
            return _shaped(_nothing(len(vectors), N), ids)
        with spoken():
            lists = _core.similar(fitted, side, vectors, _count(N), candidates, self.num_threads)
        return _shaped(lists, ids)

    def recalculate_user(self, userid, user_items) -> np.ndarray:
        """Vectors of users with these items, as training would make them; nothing is kept."""
        return self._fold(_core.Side.Users, userid, user_items, "user_items", "userid")

    def recalculate_item(self, itemid, item_users) -> np.ndarray:
        """Vectors of items with these users (items × users); nothing is kept."""
        return self._fold(_core.Side.Items, itemid, item_users, "item_users", "itemid")

    def _fold(self, side, ids, matrix, what, ids_name):
        fitted = self._need()
        histories = to_core(matrix, what)
        _check_rows(histories, positions(ids, ids_name), what, ids_name)
        with spoken():
            vectors = _core.fold_in(fitted, side, histories, self.num_threads)
        return vectors[0] if np.ndim(ids) == 0 else vectors

    def partial_fit_users(self, userids, user_items) -> None:
        """Vectors of new or changed users from their items; all else stays as it is."""
        self._partial_fit(_core.Side.Users, userids, user_items, "user_items", "userids")

    def partial_fit_items(self, itemids, item_users) -> None:
        """Vectors of new or changed items from their users (items × users)."""
        self._partial_fit(_core.Side.Items, itemids, item_users, "item_users", "itemids")

    def _partial_fit(self, side, ids, matrix, what, ids_name):
        fitted = self._need()
        rows = positions(ids, ids_name)
        histories = to_core(matrix, what, copy=True)
        _check_rows(histories, rows, what, ids_name)
        with spoken():
            self._fitted = _core.partial_fit(fitted, side, rows, histories, self.num_threads)
        self._ids = (None, None)

    def explain(self, userid: int, user_items, itemid: int, user_weights=None, N: int = 10) -> tuple[float, list, np.ndarray]:
        """Why a user is given an item: what each of its items adds to the score.

        Parameters
        ----------
        user_items : sparse matrix
            Row userid is what the user has.
        user_weights
            What an earlier call gave; it is no longer needed.

        Returns
        -------
        total_score, top_contributions, user_weights
            The contributions are pairs (item, score), largest first; what is missing to the total is
            what the user is given whatever it has.

        >>> import scipy.sparse, sqmax
        >>> matrix = scipy.sparse.random(60, 40, 0.2, format="csr", random_state=1).astype(bool)
        >>> model = sqmax.WRMF(factors=4).fit(matrix, show_progress=False)
        >>> total, parts, _ = model.explain(0, matrix, 7, N=100)
        >>> abs(total - sum(score for _, score in parts)) < 1e-4
        True
        """
        fitted = self._need()
        history = to_core(row_of(user_items, int(userid), "user_items"), "user_items")
        item = positions(itemid, "itemid")
        with spoken():
            score, parts = _core.explain(fitted, history, int(item[0]))
        vector = self.recalculate_user(0, row_of(user_items, int(userid), "user_items"))
        return score, parts[:N], vector

    def rank_items(self, userid, user_items, selected_items, recalculate_user: bool = False):
        """Some items in order. Deprecated, as in implicit: use recommend with items."""
        warnings.warn("rank_items is deprecated. Use recommend with items", DeprecationWarning, stacklevel=2)
        return self.recommend(
            userid,
            user_items,
            N=len(selected_items),
            filter_already_liked_items=False,
            recalculate_user=recalculate_user,
            items=selected_items,
        )

    def recommend_all(
        self,
        user_items,
        N: int = 10,
        recalculate_user: bool = False,
        filter_already_liked_items: bool = True,
        filter_items=None,
        users_items_offset: int = 0,
    ):
        """Ids for every row. Deprecated, as in implicit: use recommend with an array of users."""
        warnings.warn(
            "recommend_all is deprecated. Use recommend with an array of userids", DeprecationWarning, stacklevel=2
        )
        userids = np.arange(user_items.shape[0]) + users_items_offset
        return self.recommend(
            userids, user_items, N, filter_already_liked_items, filter_items, recalculate_user
        )[0]

    @property
    def user_norms(self) -> np.ndarray:
        """Lengths of the users' vectors; a tiny number in place of zero."""
        return _norms(self.user_factors)

    @property
    def item_norms(self) -> np.ndarray:
        """Lengths of the items' vectors; a tiny number in place of zero."""
        return _norms(self.item_factors)


def _positions(ids: list, names: list, side: str) -> list:
    place = {name: position for position, name in enumerate(ids)}
    for name in names:
        if str(name) not in place:
            raise KeyError(f"There is no {side} {name!r}.")
    return [place[str(name)] for name in names]


def _norms(factors):
    norms = np.linalg.norm(factors, axis=-1)
    norms[norms == 0] = 1e-10
    return norms


def _shaped(lists, ids):
    return (lists[0][0], lists[1][0]) if np.ndim(ids) == 0 else tuple(lists)


def _nothing(rows: int, cols: int = 0):
    return np.full((rows, cols), -1, np.int32), np.full((rows, cols), -np.inf, np.float32)


def _count(N) -> int:
    if isinstance(N, bool) or not isinstance(N, (int, np.integer)) or not 0 <= N < 2**31:
        raise ValueError(f"N must be a whole number of at least 0; {N!r} is not.")
    return int(N)


def _check_rows(matrix, ids, what: str, ids_name: str) -> None:
    if matrix.shape[0] != len(ids):
        raise ValueError(
            f"{what} must have a row for each of {ids_name}: {matrix.shape[0]} rows for {len(ids)} ids."
        )


def _rows(factors, ids, side: str):
    wanted = positions(ids, f"{side}id")
    if wanted.size and (wanted.min() < 0 or wanted.max() >= len(factors)):
        wrong = wanted.min() if wanted.min() < 0 else wanted.max()
        raise IndexError(f"There is no {side} {wrong}: the model has {len(factors)}, from 0 on.")
    return factors[wanted]


def _candidates(allowed, left_out, size: int, what: str):
    if allowed is not None and left_out is not None and len(left_out):
        raise ValueError(f"Can't set both {what} and filter_{what}.")
    given = allowed if allowed is not None else left_out
    if given is None:
        return None
    listed = given if isinstance(given, np.ndarray) else list(given)
    ids = positions(listed if len(listed) else np.empty(0, np.int32), what)
    if ids.size and (ids.min() < 0 or ids.max() >= size):
        wrong = ids.min() if ids.min() < 0 else ids.max()
        raise IndexError(f"{what} has {wrong}, which is not in the model: it has {size}, from 0 on.")
    mask = np.full(size, allowed is None)
    mask[ids] = allowed is not None
    return np.flatnonzero(mask).astype(np.int32)
