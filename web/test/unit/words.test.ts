// Numbers, links and reasons as the reader gets them.
import assert from "node:assert/strict";
import { test } from "node:test";

import { failure, withoutNulls } from "../../src/api";
import { reason } from "../../src/parts/explanation";
import { asideOf, count, figures, listed, nameOf, plural, safeLink } from "../../src/words";

test("numbers", () => {
  assert.equal(count(1234567), "1,234,567");
  assert.deepEqual([0, 1.23456, -0.012345, 12345, 1.2e-7].map((value) => figures(value)), ["0", "1.23", "−0.0123", "12300", "1.2e−7"]);
  assert.deepEqual([plural(1, "item"), plural(2, "item")], ["1 item", "2 items"]);
  assert.deepEqual([listed([]), listed(["a"]), listed(["a", "b", "c"])], ["", "a", "a, b and c"]);
});

test("an item is called by its title, unless its id is a name that the title describes", () => {
  const cases: [string, string | undefined, string, string][] = [
    ["4711", "Toy Story", "Toy Story", "4711"],
    ["B000FQ9R4E", "A lamp", "A lamp", "B000FQ9R4E"],
    ["a3f09bc2-77aa-11ee", "A lamp", "A lamp", "a3f09bc2-77aa-11ee"],
    ["python3", "interactive high-level language", "python3", "interactive high-level language"],
    ["toy-story", "Toy Story (1995)", "Toy Story (1995)", "toy-story"],
    ["/shop/lamp", "A lamp", "A lamp", "/shop/lamp"],
    ["Alan Turing", undefined, "Alan Turing", ""],
    ["perl", "perl", "perl", ""],
  ];
  for (const [item, title, name, aside] of cases) {
    const given = { item, ...(title === undefined ? {} : { title }) };
    assert.deepEqual([nameOf(given), asideOf(given)], [name, aside]);
  }
});

test("only links that a browser may open", () => {
  assert.equal(safeLink("https://example.org/a"), "https://example.org/a");
  for (const link of [undefined, "", "javascript:alert(1)", "data:text/html,x", " https://example.org"]) assert.equal(safeLink(link), undefined);
});

test("an error answer becomes its sentence, whatever it holds", () => {
  assert.equal(failure(400, { error: { message: "No such item.", code: "unknown_item" } }).message, "No such item.");
  assert.match(failure(503, null).message, /loading/);
  assert.match(failure(418, "teapot").message, /418/);
});

test("what is null is not there, but in lists", () => {
  assert.deepEqual(withoutNulls({ a: null, b: { c: null, d: 0 }, e: [null, { f: null }], g: "", h: false }),
    { b: { d: 0 }, e: [null, {}], g: "", h: false });
});

test("the reason names what matters", () => {
  const item = (name: string, score: number) => ({ item: name, score });
  const why = (rest: number, usesPrior: boolean, ...scores: number[]) =>
    reason({ item: { item: "x" }, score: 0, rest, contributions: scores.map((score, n) => item("abcdef"[n] ?? "", score)) }, usesPrior);
  assert.equal(why(0, false, 5, 4), "Because of a and b.");
  assert.equal(why(1, true, 9, 1, 1), "Mostly because of a.");
  assert.equal(why(9, true, 1), "It is popular, and a speaks for it.");
  assert.equal(why(9, true, -1), "Nothing in the history speaks for it; its popularity does.");
  assert.equal(why(9, false, -1), "Nothing in the history speaks for it.");
});
