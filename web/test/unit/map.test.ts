// Geometry of the map, points and labels, against their definitions.
import assert from "node:assert/strict";
import { test } from "node:test";

import { place } from "../../src/map/labels";
import { nearest, neighbours, pointsOf, type Mark } from "../../src/map/points";
import { around, between, pan, toPoint, toScreen, WHOLE, zoomAt } from "../../src/map/view";

const SIZE = { width: 640, height: 480 };

function close(a: { x: number; y: number }, b: { x: number; y: number }, within = 1e-9): void {
  assert.ok(Math.hypot(a.x - b.x, a.y - b.y) < within, `${JSON.stringify(a)} is not ${JSON.stringify(b)}`);
}

// The same points in every run.
function cloud(count: number) {
  const wave = (n: number, step: number) => Math.sin(n * step);
  const numbers = Array.from({ length: count }, (_, n) => n);
  return pointsOf({
    items: numbers.map((n) => `i${n}`), titles: numbers.map((n) => `title ${n}`), popularity: numbers.map((n) => (n * 7919) % 1000),
    x: numbers.map((n) => wave(n, 12.9898)), y: numbers.map((n) => wave(n, 78.233)),
  });
}

test("screen and point are each other's inverse", () => {
  const view = { x: 0.3, y: -0.2, zoom: 2.7 };
  for (const point of cloud(50)) close(toPoint(view, SIZE, toScreen(view, SIZE, point)), point);
  close(toScreen(WHOLE, SIZE, { x: 0, y: 0 }), { x: 320, y: 240 });
});

test("zooming keeps what is under the pointer", () => {
  const at = { x: 100, y: 333 };
  const under = toPoint(WHOLE, SIZE, at);
  for (const factor of [1.1, 1.6, 5]) close(toScreen(zoomAt(WHOLE, SIZE, at, factor), SIZE, under), at, 1e-6);
  assert.equal(zoomAt(WHOLE, SIZE, at, 1e9).zoom, 60);
});

test("panning moves a point by as many pixels", () => {
  const view = { x: 0, y: 0, zoom: 4 };
  const point = { x: 0.1, y: 0.1 };
  const before = toScreen(view, SIZE, point);
  close(toScreen(pan(view, SIZE, 30, -12), SIZE, point), { x: before.x + 30, y: before.y - 12 }, 1e-6);
});

test("what is marked fits into the view around it", () => {
  const points = cloud(8);
  for (const chosen of [points, points.slice(0, 2), points.slice(0, 1)]) {
    const view = around(chosen);
    for (const point of chosen) {
      const at = toScreen(view, SIZE, point);
      assert.ok(at.x >= 0 && at.x <= SIZE.width && at.y >= 0 && at.y <= SIZE.height);
    }
  }
  assert.deepEqual(around([]), WHOLE);
});

test("a move begins at one view and ends at the other", () => {
  const to = { x: 0.5, y: -0.5, zoom: 9 };
  assert.deepEqual(between(WHOLE, to, 0), WHOLE);
  assert.ok(Math.abs(between(WHOLE, to, 1).zoom - 9) < 1e-9);
  assert.ok(Math.abs(between(WHOLE, to, 0.5).zoom - 3) < 1e-9, "half way is the geometric mean");
});

test("points are in order of popularity, titled by their id if need be", () => {
  const points = pointsOf({ items: ["a", "b"], titles: ["", null], x: [0, 1], y: [0, 0], popularity: [1, 5] });
  assert.deepEqual(points.map((point) => [point.item, point.name, point.weight]), [["b", "b", 1], ["a", "a", 0]]);
});

test("the nearest point and the neighbours are those of a full search", () => {
  const points = cloud(300);
  const none = new Map<string, Mark>();
  for (const point of points.slice(0, 40)) {
    assert.equal(nearest(points, none, WHOLE, SIZE, toScreen(WHOLE, SIZE, point), 5), point);
    const distance = (other: { x: number; y: number }) => Math.hypot(other.x - point.x, other.y - point.y);
    const brute = points.filter((other) => other !== point).sort((a, b) => distance(a) - distance(b)).slice(0, 4);
    assert.deepEqual(neighbours(points, point, 4).map(distance), brute.map(distance));
  }
  assert.equal(nearest(points, none, WHOLE, SIZE, { x: -500, y: -500 }, 12), undefined);
});

test("no label lies over another or outside, and marked ones come first", () => {
  const points = cloud(400);
  const marks = new Map<string, Mark>([[points[0]?.item ?? "", "history"], [points[399]?.item ?? "", "recommended"]]);
  const marked = points.filter((point) => marks.has(point.item));
  const width = (text: string) => 7 * text.length;
  const labels = place(marked, points, marks, WHOLE, SIZE, width);
  assert.ok(labels.length > 5);
  assert.deepEqual(labels.slice(0, 2).map((label) => label.mark), ["history", "recommended"]);
  const boxes = labels.map((label) => ({ left: label.at.x, right: label.at.x + width(label.text), top: label.at.y - 7, bottom: label.at.y + 7 }));
  boxes.forEach((a, n) => {
    assert.ok(a.left >= 0 && a.right <= SIZE.width);
    for (const b of boxes.slice(n + 1)) {
      assert.ok(a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top);
    }
  });
});
