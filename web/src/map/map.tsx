// The map: the items in two dimensions, to look at, move about in and choose from.
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";

import type { MapAnswer } from "../api";
import type { View } from "../state";
import { asideOf, count } from "../words";
import { draw, markedPoints, type Scene } from "./draw";
import { listen } from "./gestures";
import { Legend, Tools } from "./legend";
import { useMoving } from "./moving";
import { nearest, pointsOf, type Mark, type Point } from "./points";
import { around, pan, toScreen, WHOLE, zoomAt, type Place, type Size } from "./view";
import { InWords } from "./words";

interface Props {
  answer: MapAnswer;
  marks: Map<string, Mark>;
  order: Map<string, number>;
  view: View | undefined;
  pointed: string | undefined; // by a list beside the map
  onView: (view: View | undefined) => void;
  onAdd: (point: Point) => void;
  onSimilar: (item: string) => void;
}

const REACH = { mouse: 12, finger: 24 };
const NEXT_KEYS: Record<string, number> = { n: 1, p: -1 };

export function ItemMap({ answer, marks, order, view, pointed, onView, onAdd, onSimilar }: Props) {
  const points = useMemo(() => pointsOf(answer), [answer]);
  const byItem = useMemo(() => new Map(points.map((point) => [point.item, point])), [points]);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  const [over, setOver] = useState<Point>();
  const [, setFrames] = useState(0);
  const scene = useRef<Scene>();
  const frame = useRef(0);

  const redraw = useCallback(() => {
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => {
      if (canvas.current && scene.current && scene.current.size.width > 0) {
        draw(canvas.current, { ...scene.current, view: moving.current.current });
        setFrames((n) => n + 1); // the tip moves along
      }
    });
  }, []);
  const moving = useMoving(view, redraw, onView);
  const shown = over ?? (pointed === undefined ? undefined : byItem.get(pointed));
  scene.current = { points, marks, order, view: moving.current.current, size, pointed: shown };
  const latest = useRef({ onAdd, over });
  latest.current = { onAdd, over };

  useEffect(redraw, [points, marks, order, size, shown]);
  useCanvasSize(canvas, setSize, redraw);

  useEffect(() => listen(canvas.current as HTMLCanvasElement, {
    view: () => moving.current.current,
    size: () => (scene.current as Scene).size,
    move: moving.jump,
    hover: (at) => setOver(at && find(at, REACH.mouse)),
    press: (at, touched) => {
      const point = find(at, touched ? REACH.finger : REACH.mouse);
      // A finger covers what it touches: the first touch tells the title, the second adds.
      if (point && (!touched || latest.current.over === point)) latest.current.onAdd(point);
      setOver(point);
    },
  }), []);

  function find(at: Place, reach: number): Point | undefined {
    const now = scene.current as Scene;
    return nearest(now.points, now.marks, moving.current.current, now.size, at, reach);
  }

  const zoom = (factor: number) => moving.glide(zoomAt(moving.current.current, size, { x: size.width / 2, y: size.height / 2 }, factor));
  const shift = (x: number, y: number) => moving.glide(pan(moving.current.current, size, x * 80, y * 80));
  const marked = markedPoints(points, marks, order);

  // Steps through what is marked, else through the most popular, and shows where it is.
  const step = (by: number) => {
    const stops = marked.length > 0 ? marked : points.slice(0, 50);
    const at = shown ? stops.indexOf(shown) : -1;
    const next = stops[(at + by + stops.length + (at < 0 && by < 0 ? 1 : 0)) % stops.length];
    setOver(next);
    if (next) moving.glide({ x: next.x, y: next.y, zoom: Math.max(2, moving.current.current.zoom) });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key === "arrowleft") shift(1, 0);
    else if (key === "arrowright") shift(-1, 0);
    else if (key === "arrowup") shift(0, 1);
    else if (key === "arrowdown") shift(0, -1);
    else if (key === "+" || key === "=") zoom(1.6);
    else if (key === "-") zoom(1 / 1.6);
    else if (key === "0") moving.glide(WHOLE);
    else if (key === "m") moving.glide(around(marked));
    else if (key in NEXT_KEYS) step(NEXT_KEYS[key] as number);
    else if (key === "enter" && shown) onAdd(shown);
    else if (key === "s" && shown) onSimilar(shown.item);
    else if (key === "escape" && over) setOver(undefined);
    else return;
    event.preventDefault();
  };

  const tip = shown && size.width > 0 ? toScreen(moving.current.current, size, shown) : undefined;
  return (
    <section class="panel map-panel" aria-labelledby="map-title">
      <div class="panel-head">
        <h2 id="map-title">Item map</h2>
        <Tools zoom={zoom} whole={() => moving.glide(WHOLE)} fit={marked.length > 0 ? () => moving.glide(around(marked)) : undefined} />
      </div>
      <div class="map" id="map" role="application" tabIndex={0} aria-label={`Map of ${count(points.length)} items`}
        aria-describedby="map-keys" onKeyDown={onKeyDown} onBlur={() => setOver(undefined)}>
        <canvas ref={canvas} />
        {shown && tip && (
          <div class={tip.y < 70 ? "tip below" : "tip"} style={{ "--x": `${Math.min(Math.max(tip.x, 90), size.width - 90)}px`, "--y": `${tip.y}px` }} aria-hidden="true">
            <strong>{shown.name}</strong>
            <span>{[asideOf({ item: shown.item, title: shown.title ?? "" }), `${count(shown.popularity)}×`, MEANING[marks.get(shown.item) ?? ""]].filter(Boolean).join(" · ")}</span>
          </div>
        )}
      </div>
      <div class="unseen" role="status" id="map-says">{over ? `${over.name}${said(marks.get(over.item))}` : ""}</div>
      <Legend marks={marks} points={byItem} />
      <InWords points={points} marked={marked} marks={marks} />
    </section>
  );
}

const MEANING: Record<string, string> = { history: "in the history", recommended: "recommended", similar: "similar" };

function said(mark: Mark | undefined): string {
  return mark ? `, ${MEANING[mark]}` : "";
}

function useCanvasSize(canvas: { current: HTMLCanvasElement | null }, setSize: (size: Size) => void, redraw: () => void): void {
  useEffect(() => {
    const node = canvas.current as HTMLCanvasElement;
    const fit = () => {
      const size = { width: node.clientWidth, height: node.clientHeight };
      const density = window.devicePixelRatio || 1;
      node.width = Math.round(size.width * density);
      node.height = Math.round(size.height * density);
      setSize(size);
    };
    const resized = new ResizeObserver(fit);
    resized.observe(node);
    const themed = new MutationObserver(redraw);
    themed.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => {
      resized.disconnect();
      themed.disconnect();
    };
  }, []);
}
