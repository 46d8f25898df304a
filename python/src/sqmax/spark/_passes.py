"""Passes: jobs that read all blocks once, and what they add up to.

A sum over partitions is a tree like Spark's treeAggregate, but in the order of the partitions, so that the
same blocks give the same bytes again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from pyspark import TaskContext
from pyspark.sql import DataFrame

from .. import _core
from ._blocks import cuts, matrix_of

FLAT = 8  # partials that the driver may add itself
HASHED_AT_ONCE = 1 << 20  # interactions


@dataclass(frozen=True)
class Plan:
    """What executors must know of the loss and of all items, beside their vectors."""

    law: list
    item_weight: float
    item_count: int
    ranges: tuple  # (begin, end) of items whose vectors travel together

    def part(self, indptr: bytes, indices: bytes) -> _core.UserPart:
        return _core.UserPart(matrix_of(indptr, indices, self.item_count), self.law, self.item_weight)


def ranges_of(item_count: int, rank: int, most_bytes: int) -> tuple:
    """Ranges of items whose vectors take at most so many bytes."""
    rows = max(1, most_bytes // (4 * rank))
    return tuple((begin, min(begin + rows, item_count)) for begin in range(0, item_count, rows))


def send(context, values: np.ndarray):
    """A broadcast of plain bytes: with encryption, PySpark cannot write an array."""
    return context.broadcast((values.dtype.str, values.shape, values.tobytes()))


def received(sent) -> np.ndarray:
    """The array, which nobody may write to."""
    kind, shape, values = sent.value
    return np.frombuffer(values, kind).reshape(shape)


class ItemVectors:
    """Q on its way to the executors, a broadcast for each range, and the sums that belong to it."""

    def __init__(self, context, plan: Plan, vectors: np.ndarray, gram: np.ndarray, lean: np.ndarray):
        self.plan = plan
        self.gram, self.lean = gram, lean
        self.broadcasts = [send(context, vectors[begin:end]) for begin, end in plan.ranges]

    def each(self):
        """(begin, vectors) of each range; only one of them is in memory at a time if there are several."""
        for number, (begin, _) in enumerate(self.plan.ranges):
            yield begin, received(self.broadcasts[number])
            self.let_go(number)

    def let_go(self, number: int) -> None:
        """A range is read again from its file; if Spark encrypts, there is none, and the value came with the task."""
        sent = self.broadcasts[number]
        if len(self.broadcasts) > 1 and getattr(sent, "_path", None):
            sent.__dict__.pop("_value", None)

    def whole(self) -> np.ndarray:
        if len(self.broadcasts) == 1:
            return received(self.broadcasts[0])
        return np.concatenate([vectors for _, vectors in self.each()])

    def solve(self, parts: list) -> None:
        """The vectors of all users of these parts."""
        threads = own_threads()
        for begin, vectors in self.each():
            for part in parts:
                part.pull(begin, vectors, threads)
        for part in parts:
            part.solve(self.gram, self.lean, threads)

    def forget(self) -> None:
        while self.broadcasts:
            self.broadcasts.pop().destroy()


def own_threads() -> int:
    """As many as Spark gives a task."""
    task = TaskContext.get()
    return task.cpus() if task is not None else 0


def degree_pass(matrices, item_count: int):
    """Degrees of all items, how many users have each degree, and a hash of all histories; None if there is no block."""

    def partial(index, rows):
        made = None
        for row in rows:
            csr = matrix_of(row.indptr, row.indices, item_count)
            degrees, users = np.unique(np.diff(csr.indptr), return_counts=True)
            counts = dict(zip(degrees.tolist(), users.tolist()))
            here = (_core.column_degrees(csr).astype(np.int64), counts, hash_of_histories(csr.indptr, csr.indices))
            made = here if made is None else add_degrees([made, here])
        if made is not None:
            yield 0, index, made

    found = tree_sum(matrices, partial, 1, add_degrees)
    return found.get(0)


def add_degrees(partials: list):
    items = partials[0][0].copy()
    users = dict(partials[0][1])
    hashed = partials[0][2]
    for more_items, more_users, more_hashed in partials[1:]:
        items += more_items
        for degree, count in more_users.items():
            users[degree] = users.get(degree, 0) + count
        hashed = (hashed + more_hashed) % 2**64
    return items, users, hashed


def hash_of_histories(indptr: np.ndarray, indices: np.ndarray) -> int:
    """A sum over users of a hash of the set of their items: the same whatever the order and the partitions."""
    total = 0
    for begin, end in cuts(indptr, HASHED_AT_ONCE):
        inside = indices[indptr[begin] : indptr[end]].astype(np.uint64)
        sets = np.add.reduceat(mixed(inside), indptr[begin:end] - indptr[begin])  # no row is empty
        total += int(mixed(sets).sum(dtype=np.uint64))
    return total % 2**64


def mixed(values: np.ndarray) -> np.ndarray:
    """The output function of splitmix64."""
    values = values + np.uint64(0x9E3779B97F4A7C15)
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def sweep_pass(matrices, items: ItemVectors):
    """Σ ρ_x p_x over the users of each item, by range, and the sums of P: (pushed of each range, gram, lean)."""
    plan = items.plan

    def partial(index, rows):
        parts = [plan.part(row.indptr, row.indices) for row in rows]
        if not parts:
            return
        items.solve(parts)
        threads = own_threads()
        sums = add_sums([part.sums(threads) for part in parts])
        for number, (begin, end) in enumerate(plan.ranges):
            pushed = [part.push(begin, end, threads) for part in parts]
            whole = pushed[0] if len(pushed) == 1 else add_pushed(pushed, end - begin)
            yield number, index, (end - begin, [whole], sums if number == 0 else None)

    found = tree_sum(matrices, partial, len(plan.ranges), add_partials)
    pushed = [add_pushed(found[number][1], end - begin)[1] for number, (begin, end) in enumerate(plan.ranges)]
    return pushed, *found[0][2]


def add_partials(partials: list):
    size = partials[0][0]
    pushed = add_pushed([one for partial in partials for one in partial[1]], size)
    sums = [partial[2] for partial in partials if partial[2] is not None]
    return size, [pushed], add_sums(sums) if sums else None


def add_pushed(pushed: list, size: int):
    """Rows of a range, each a part's own rows or all of them."""
    total = np.zeros((size, pushed[0][1].shape[1]), np.float32)
    for rows, values in pushed:
        if len(values) == size:
            total += values
        else:
            total[rows] += values
    return np.empty(0, np.int32), total


def add_sums(sums: list):
    gram, lean = sums[0][0].copy(), sums[0][1].copy()
    for more_gram, more_lean in sums[1:]:
        gram += more_gram
        lean += more_lean
    return gram, lean


def matrices_of(blocks: DataFrame):
    """Blocks without the ids of their users, as an RDD."""
    return blocks.select("indptr", "indices").rdd


def tree_sum(rdd, partial, keys: int, combine) -> dict:
    """partial(index, rows) yields (key, index, value); the values of each key, combined in order."""
    partitions = rdd.getNumPartitions()
    made = rdd.mapPartitionsWithIndex(partial)
    if partitions > FLAT:
        width = math.isqrt(partitions - 1) + 1
        groups = -(-partitions // width)
        made = combined(made, width, groups, min(partitions, keys * groups), combine)
    if keys > 1:
        made = combined(made, partitions, 1, keys, combine)
    found = {}
    for key, index, value in sorted(made.collect(), key=lambda record: record[:2]):
        found.setdefault(key, []).append(value)
    return {key: combine(values) for key, values in found.items()}


def combined(rdd, width: int, groups: int, tasks: int, combine):
    """Of `width` neighbours, one; each task has as many groups of a key as any other, or one more."""

    def spread(record):
        key, index, value = record
        return (key, index // width), (index, value)

    def gather(record):
        (key, group), values = record
        return key, group, combine([value for _, value in sorted(values, key=lambda pair: pair[0])])

    return rdd.map(spread).groupByKey(tasks, lambda place: place[0] * groups + place[1]).map(gather)
