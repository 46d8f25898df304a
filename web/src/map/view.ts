// View: which part of the map is shown.
//
//   screen = half + (point − centre) · scale,   scale = zoom · half · margin,   half = size / 2
//
// Both axes fill the box: a projection has no unit that stretching would break.
import type { View } from "../state";

export interface Size { width: number; height: number }
export interface Place { x: number; y: number }

export const WHOLE: View = { x: 0, y: 0, zoom: 1 };
const LEAST_ZOOM = 0.8;
const MOST_ZOOM = 60;
const MARGIN = 0.93;

function scale(view: View, size: Size): Place {
  return { x: view.zoom * MARGIN * (size.width / 2), y: view.zoom * MARGIN * (size.height / 2) };
}

/** Where a point is on the screen; upwards is more. */
export function toScreen(view: View, size: Size, point: Place): Place {
  const s = scale(view, size);
  return { x: size.width / 2 + (point.x - view.x) * s.x, y: size.height / 2 - (point.y - view.y) * s.y };
}

export function toPoint(view: View, size: Size, screen: Place): Place {
  const s = scale(view, size);
  return { x: view.x + (screen.x - size.width / 2) / s.x, y: view.y - (screen.y - size.height / 2) / s.y };
}

function within(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

function bounded(view: View): View {
  return { x: within(view.x, -1, 1), y: within(view.y, -1, 1), zoom: within(view.zoom, LEAST_ZOOM, MOST_ZOOM) };
}

/** Moves what is shown by so many pixels. */
export function pan(view: View, size: Size, dx: number, dy: number): View {
  const s = scale(view, size);
  return bounded({ ...view, x: view.x - dx / s.x, y: view.y + dy / s.y });
}

/** Zooms by `factor`; what lies under `screen` stays there. */
export function zoomAt(view: View, size: Size, screen: Place, factor: number): View {
  const fixed = toPoint(view, size, screen);
  const zoomed = { ...view, zoom: within(view.zoom * factor, LEAST_ZOOM, MOST_ZOOM) };
  const moved = toPoint(zoomed, size, screen);
  return bounded({ ...zoomed, x: zoomed.x + fixed.x - moved.x, y: zoomed.y + fixed.y - moved.y });
}

/** The view that shows all of `points`, not closer than needed to tell them apart. */
export function around(points: Place[]): View {
  if (points.length === 0) return WHOLE;
  const xs = points.map((point) => point.x);
  const ys = points.map((point) => point.y);
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [low, high] = [Math.min(...ys), Math.max(...ys)];
  const span = Math.max((right - left) / 2, (high - low) / 2, 0.05);
  return bounded({ x: (left + right) / 2, y: (low + high) / 2, zoom: within(0.8 / span, 1, 16) });
}

/** A share t of the way from one view to another; zoom by its logarithm, so that it looks even. */
export function between(from: View, to: View, t: number): View {
  const mix = (a: number, b: number) => a + (b - a) * t;
  return { x: mix(from.x, to.x), y: mix(from.y, to.y), zoom: Math.exp(mix(Math.log(from.zoom), Math.log(to.zoom))) };
}

export function same(a: View, b: View): boolean {
  return Math.abs(a.x - b.x) < 1e-4 && Math.abs(a.y - b.y) < 1e-4 && Math.abs(a.zoom - b.zoom) < 1e-3;
}
