// Labels: as many titles as fit, the important ones first, none over another.
import type { View } from "../state";
import type { Mark, Point } from "./points";
import { toScreen, type Place, type Size } from "./view";

export interface Label { text: string; at: Place; mark: Mark | undefined }
interface Box { left: number; top: number; right: number; bottom: number }

const HEIGHT = 14;
const LONGEST = 26;
const AREA = 15000; // pixels² for each title nobody asked for
const TRIED = 500;

function overlaps(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

function shortened(title: string): string {
  return title.length > LONGEST ? `${title.slice(0, LONGEST - 1).trimEnd()}…` : title;
}

// Right of its point, else left of it, above or below.
function boxes(at: Place, width: number, gap: number): Box[] {
  const [top, bottom] = [at.y - HEIGHT / 2, at.y + HEIGHT / 2];
  return [
    { left: at.x + gap, right: at.x + gap + width, top, bottom },
    { left: at.x - gap - width, right: at.x - gap, top, bottom },
    { left: at.x - width / 2, right: at.x + width / 2, top: top - gap - 5, bottom: bottom - gap - 5 },
    { left: at.x - width / 2, right: at.x + width / 2, top: top + gap + 5, bottom: bottom + gap + 5 },
  ];
}

/** Titles of `marked` points, then of the most popular others in view. `measure`: width of a text. */
export function place(marked: Point[], points: Point[], marks: Map<string, Mark>, view: View, size: Size,
  measure: (text: string, bold: boolean) => number): Label[] {
  const taken: Box[] = marked.map((point) => {
    const at = toScreen(view, size, point);
    return { left: at.x - 7, right: at.x + 7, top: at.y - 7, bottom: at.y + 7 };
  });
  const labels: Label[] = [];
  const inside = (at: Place) => at.x > 0 && at.y > HEIGHT && at.x < size.width && at.y < size.height - HEIGHT;

  const attempt = (point: Point) => {
    const at = toScreen(view, size, point);
    if (!inside(at)) return;
    const mark = marks.get(point.item);
    const text = shortened(point.name);
    const fit = boxes(at, measure(text, mark !== undefined), mark ? 10 : 6).find((box) =>
      box.left > 2 && box.right < size.width - 2 && !taken.some((other) => overlaps(box, other)));
    if (!fit) return;
    taken.push(fit);
    labels.push({ text, at: { x: fit.left, y: (fit.top + fit.bottom) / 2 }, mark });
  };

  marked.forEach(attempt);
  const most = labels.length + Math.round((size.width * size.height) / AREA);
  let tried = 0;
  for (const point of points) {
    if (labels.length >= most || tried >= TRIED) break;
    if (marks.has(point.item) || !inside(toScreen(view, size, point))) continue;
    tried += 1;
    attempt(point);
  }
  return labels;
}
