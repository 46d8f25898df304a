// Drawing: points as stamped discs, marks as shapes that differ without colour, titles with a halo.
import type { View } from "../state";
import { place } from "./labels";
import { HUES, type Mark, type Point } from "./points";
import { toScreen, type Place, type Size } from "./view";

export interface Scene {
  points: Point[];
  marks: Map<string, Mark>;
  order: Map<string, number>; // place in the list of recommendations
  view: View;
  size: Size;
  pointed: Point | undefined;
}

interface Inks { ground: string; ink: string; faint: string; history: string; recommended: string; similar: string; disc: (hue: number) => string }

const SIZES = 5;
const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';
const BOLD = `600 ${FONT}`;

function inks(): Inks {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const [lightness, chroma] = [colour("--map-lightness"), colour("--map-chroma")];
  return {
    ground: colour("--map-ground"), ink: colour("--ink"), faint: colour("--map-label"),
    history: colour("--history"), recommended: colour("--recommended"), similar: colour("--similar"),
    disc: (hue) => `oklch(${lightness} ${chroma} ${Math.round((360 * hue) / HUES) + 20})`,
  };
}

const stamps = new Map<string, HTMLCanvasElement>();

function stamp(colour: string, radius: number, density: number): HTMLCanvasElement {
  const key = `${colour} ${radius} ${density}`;
  const kept = stamps.get(key);
  if (kept) return kept;
  const canvas = document.createElement("canvas");
  const edge = Math.ceil((radius + 1) * density);
  canvas.width = canvas.height = 2 * edge;
  const pen = canvas.getContext("2d") as CanvasRenderingContext2D;
  pen.fillStyle = colour;
  pen.beginPath();
  pen.arc(edge, edge, radius * density, 0, 2 * Math.PI);
  pen.fill();
  if (stamps.size > 2000) stamps.clear();
  stamps.set(key, canvas);
  return canvas;
}

function discs(pen: CanvasRenderingContext2D, scene: Scene, colours: Inks, density: number): void {
  const grown = Math.round(10 * Math.min(2.2, scene.view.zoom ** 0.35)) / 10;
  const kinds = Array.from({ length: HUES * SIZES }, (_, n) =>
    stamp(colours.disc(Math.floor(n / SIZES)), grown * (1.3 + (2.9 * (n % SIZES)) / (SIZES - 1)), density));
  pen.globalAlpha = 0.8;
  // The most popular come last, on top.
  for (let n = scene.points.length - 1; n >= 0; --n) {
    const point = scene.points[n] as Point;
    const at = toScreen(scene.view, scene.size, point);
    if (at.x < -9 || at.y < -9 || at.x > scene.size.width + 9 || at.y > scene.size.height + 9) continue;
    const image = kinds[point.hue * SIZES + Math.round(point.weight * (SIZES - 1))] as HTMLCanvasElement;
    const edge = image.width / density / 2;
    pen.drawImage(image, at.x - edge, at.y - edge, 2 * edge, 2 * edge);
  }
  pen.globalAlpha = 1;
}

/** history: a square on its corner; recommended: a disc with its place; similar: a triangle. */
export function outline(pen: CanvasRenderingContext2D, mark: Mark, at: Place, radius: number): void {
  pen.beginPath();
  if (mark === "recommended") pen.arc(at.x, at.y, radius, 0, 2 * Math.PI);
  else {
    const corners = mark === "history" ? 4 : 3;
    for (let n = 0; n < corners; ++n) {
      const angle = (2 * Math.PI * n) / corners - Math.PI / 2;
      pen.lineTo(at.x + 1.15 * radius * Math.cos(angle), at.y + 1.15 * radius * Math.sin(angle));
    }
    pen.closePath();
  }
}

function drawMark(pen: CanvasRenderingContext2D, scene: Scene, colours: Inks, point: Point, mark: Mark): void {
  const at = toScreen(scene.view, scene.size, point);
  const place = scene.order.get(point.item);
  outline(pen, mark, at, 7.5);
  pen.fillStyle = colours[mark];
  pen.strokeStyle = colours.ground;
  pen.lineWidth = 2;
  pen.fill();
  pen.stroke();
  if (mark !== "recommended" || place === undefined || place > 99) return;
  pen.fillStyle = colours.ground;
  pen.font = "700 9px system-ui, sans-serif";
  pen.textAlign = "center";
  pen.fillText(String(place), at.x, at.y + 0.5);
}

function drawLabels(pen: CanvasRenderingContext2D, scene: Scene, colours: Inks, marked: Point[]): void {
  const widths = (text: string, bold: boolean) => {
    pen.font = bold ? BOLD : FONT;
    return pen.measureText(text).width + 4;
  };
  pen.textAlign = "left";
  pen.lineJoin = "round";
  pen.lineWidth = 3.5;
  pen.strokeStyle = colours.ground;
  for (const label of place(marked, scene.points, scene.marks, scene.view, scene.size, widths)) {
    pen.font = label.mark ? BOLD : FONT;
    pen.fillStyle = label.mark ? colours.ink : colours.faint;
    pen.strokeText(label.text, label.at.x, label.at.y);
    pen.fillText(label.text, label.at.x, label.at.y);
  }
}

const IMPORTANCE: Mark[] = ["history", "recommended", "similar"];

export function markedPoints(points: Point[], marks: Map<string, Mark>, order: Map<string, number>): Point[] {
  const rank = (point: Point) => IMPORTANCE.indexOf(marks.get(point.item) as Mark) * 1000 + (order.get(point.item) ?? 0);
  return points.filter((point) => marks.has(point.item)).sort((a, b) => rank(a) - rank(b));
}

export function draw(canvas: HTMLCanvasElement, scene: Scene): void {
  const pen = canvas.getContext("2d");
  if (!pen) return;
  const density = window.devicePixelRatio || 1;
  const colours = inks();
  pen.setTransform(density, 0, 0, density, 0, 0);
  pen.fillStyle = colours.ground;
  pen.fillRect(0, 0, scene.size.width, scene.size.height);
  pen.textBaseline = "middle";
  discs(pen, scene, colours, density);
  const marked = markedPoints(scene.points, scene.marks, scene.order);
  for (const point of [...marked].reverse()) drawMark(pen, scene, colours, point, scene.marks.get(point.item) as Mark);
  drawLabels(pen, scene, colours, marked);
  if (!scene.pointed) return;
  const at = toScreen(scene.view, scene.size, scene.pointed);
  pen.beginPath();
  pen.arc(at.x, at.y, 11, 0, 2 * Math.PI);
  pen.strokeStyle = colours.ink;
  pen.lineWidth = 2;
  pen.stroke();
}
