// Legend and tools of the map.
import { plural } from "../words";
import type { Mark, Point } from "./points";

const SHAPES: [Mark, string, string][] = [
  ["history", "history", "M8 1l7 7-7 7-7-7z"],
  ["recommended", "recommended", "M8 2a6 6 0 1 1 0 12a6 6 0 1 1 0-12z"],
  ["similar", "similar", "M8 1.5l6.5 12h-13z"],
];

export function Legend({ marks, points }: { marks: Map<string, Mark>; points: Map<string, Point> }) {
  const present = new Set(marks.values());
  const absent = [...marks.keys()].filter((item) => !points.has(item)).length;
  return (
    <div class="legend">
      <ul aria-label="Legend">
        {SHAPES.filter(([mark]) => mark !== "similar" || present.has(mark)).map(([mark, name, path]) => (
          <li key={mark} class={mark}><svg viewBox="0 0 16 16" aria-hidden="true"><path d={path} /></svg>{name}</li>
        ))}
        <li class="rest"><svg viewBox="0 0 20 16" aria-hidden="true"><circle cx="4" cy="8" r="2.5" /><circle cx="14" cy="8" r="5.5" /></svg>larger: more popular</li>
      </ul>
      {absent > 0 && <p class="faint">{plural(absent, "marked item")} too rare to be on the map.</p>}
    </div>
  );
}

export function Tools({ zoom, whole, fit }: { zoom: (factor: number) => void; whole: () => void; fit: (() => void) | undefined }) {
  return (
    <div class="tools" role="group" aria-label="Map view">
      <button type="button" aria-label="Zoom in" onClick={() => zoom(1.6)}>+</button>
      <button type="button" aria-label="Zoom out" onClick={() => zoom(1 / 1.6)}>−</button>
      <button type="button" disabled={!fit} onClick={fit}>Marked</button>
      <button type="button" onClick={whole}>Whole</button>
    </div>
  );
}
