// The state in the address: what goes in comes out, and damage is survived.
import assert from "node:assert/strict";
import { test } from "node:test";

import { format, parse, type State } from "../../src/state";

const EMPTY: State = { history: [], blend: undefined, k: 10, why: undefined, similar: undefined, view: undefined };

test("every state survives the address", () => {
  const states: State[] = [
    EMPTY,
    { ...EMPTY, history: [{ item: "a", weight: 1 }, { item: "b,c:d&e=f#g%h", weight: 2.5 }, { item: "Ärger ☃ +", weight: 0.5 }] },
    { ...EMPTY, blend: 0, k: 20, why: "x y", similar: "100%", view: { x: -0.25, y: 0.5, zoom: 3.5 } },
    { ...EMPTY, blend: 1.05, history: [{ item: "__proto__", weight: 3 }] },
  ];
  for (const state of states) {
    assert.deepEqual(parse(format(state)), state);
    assert.deepEqual(parse(new URL(`http://x/${format(state)}`).hash), state, "as a browser rewrites it");
  }
});

test("the address of nothing is empty", () => {
  assert.equal(format(EMPTY), "");
  assert.equal(format({ ...EMPTY, history: [{ item: "a", weight: 1 }, { item: "b", weight: 2 }] }), "#h=a,b:2");
});

test("a damaged address gives what it can", () => {
  assert.deepEqual(parse("#h=a,,a:3,%E0%A4%A,b:nonsense&b=7&k=-3&map=1,2&what=ever&&=&why="), {
    ...EMPTY,
    history: [{ item: "a", weight: 1 }, { item: "%E0%A4%A", weight: 1 }, { item: "b", weight: 1 }],
  });
  assert.deepEqual(parse("#map=0,0,-1&b=NaN&k=1e9"), EMPTY);
});
