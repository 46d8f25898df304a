// Points: the items of the map, most popular first, and which of them are marked.
import type { MapAnswer } from "../api";
import type { View } from "../state";
import { nameOf } from "../words";
import { toScreen, type Place, type Size } from "./view";

export type Mark = "history" | "recommended" | "similar";

export interface Point extends Place {
  item: string;
  title: string | undefined;
  name: string;
  popularity: number;
  /** 0 … 1: how large it is drawn, by the logarithm of its popularity. */
  weight: number;
  /** 0 … HUES − 1: the direction it lies in; a place keeps its colour while one moves about. */
  hue: number;
}

export const HUES = 12;

export function pointsOf(answer: MapAnswer): Point[] {
  const logs = answer.popularity.map((each) => Math.log1p(Math.max(0, each)));
  const [low, high] = [Math.min(...logs), Math.max(...logs)];
  const points = answer.items.map((item, n): Point => {
    const title = answer.titles?.[n] || undefined;
    const [x, y] = [answer.x[n] ?? 0, answer.y[n] ?? 0];
    const turn = (Math.atan2(y, x) / (2 * Math.PI) + 1) % 1;
    return {
      item, x, y,
      title,
      name: nameOf({ item, ...(title ? { title } : {}) }),
      popularity: answer.popularity[n] ?? 0,
      weight: ((logs[n] ?? 0) - low) / (high - low || 1),
      hue: Math.floor(turn * HUES) % HUES,
    };
  });
  return points.sort((a, b) => b.popularity - a.popularity);
}

/** The point nearest to a place on the screen, within `reach` pixels; marked ones are preferred. */
export function nearest(points: Point[], marks: Map<string, Mark>, view: View, size: Size, at: Place, reach: number): Point | undefined {
  let best: Point | undefined;
  let least = reach * reach;
  for (const point of points) {
    const screen = toScreen(view, size, point);
    const distance = (screen.x - at.x) ** 2 + (screen.y - at.y) ** 2;
    const judged = marks.has(point.item) ? distance / 4 : distance;
    if (judged < least) [best, least] = [point, judged];
  }
  return best;
}

/** The `k` points closest to `point` on the map. */
export function neighbours(points: Point[], point: Point, k: number): Point[] {
  const distance = (other: Point) => (other.x - point.x) ** 2 + (other.y - point.y) ** 2;
  const found: Point[] = [];
  for (const other of points) {
    if (other === point) continue;
    if (found.length === k && distance(other) >= distance(found[k - 1] as Point)) continue;
    const place = found.findIndex((each) => distance(other) < distance(each));
    found.splice(place < 0 ? found.length : place, 0, other);
    found.length = Math.min(found.length, k);
  }
  return found;
}
