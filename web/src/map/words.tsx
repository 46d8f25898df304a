// The map in words: where the marked items lie, told by what lies next to them.
import { useState } from "preact/hooks";

import { listed } from "../words";
import { neighbours, type Mark, type Point } from "./points";

const SIDES: Record<Mark, string> = { history: "history", recommended: "recommended", similar: "similar" };

function Rows({ points, marked, marks }: { points: Point[]; marked: Point[]; marks: Map<string, Mark> }) {
  const rows = marked.length > 0 ? marked : points.slice(0, 10);
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Table of the map">
      <table>
        <thead><tr><th scope="col">item</th><th scope="col">marked as</th><th scope="col">nearest on the map</th></tr></thead>
        <tbody>
          {rows.map((point) => (
            <tr key={point.item}>
              <th scope="row">{point.name}</th>
              <td>{SIDES[marks.get(point.item) as Mark] ?? "popular"}</td>
              <td>{listed(neighbours(points, point, 3).map((each) => each.name))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function InWords(props: { points: Point[]; marked: Point[]; marks: Map<string, Mark> }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="in-words" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>The map in words, and its keys</summary>
      <p id="map-keys">Arrows move, <kbd>+</kbd> and <kbd>−</kbd> zoom, <kbd>0</kbd> shows the whole, <kbd>M</kbd> what is marked; <kbd>N</kbd> and{" "}
        <kbd>P</kbd> step through the marked items, <kbd>Enter</kbd> adds one to the history, <kbd>S</kbd> shows what is similar.</p>
      {open && <Rows {...props} />}
    </details>
  );
}
