// Gestures: drag, wheel and pinch on an element become changes of a view.
import type { View } from "../state";
import { pan, zoomAt, type Place, type Size } from "./view";

export interface Target {
  view: () => View;
  size: () => Size;
  move: (view: View) => void;
  /** A press that did not move; `touched`: by a finger or pen. */
  press: (at: Place, touched: boolean) => void;
  hover: (at: Place | undefined) => void;
}

const STILL = 5; // pixels that a press may move

function middle(places: Place[]): Place {
  const [a, b] = [places[0] as Place, places[places.length - 1] as Place];
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

function spread(places: Place[]): number {
  const [a, b] = [places[0] as Place, places[places.length - 1] as Place];
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** Listens until the returned function is called. */
export function listen(element: HTMLElement, target: Target): () => void {
  const fingers = new Map<number, Place>();
  let travelled = 0;
  const placeOf = (event: MouseEvent): Place => {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  const down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    if (fingers.size === 0) travelled = 0;
    fingers.set(event.pointerId, placeOf(event));
    element.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent) => {
    const at = placeOf(event);
    if (!fingers.has(event.pointerId)) {
      if (event.pointerType === "mouse") target.hover(at);
      return;
    }
    const before = [...fingers.values()];
    fingers.set(event.pointerId, at);
    const now = [...fingers.values()];
    const [from, to] = [middle(before), middle(now)];
    travelled += Math.hypot(to.x - from.x, to.y - from.y) + (now.length > 1 ? STILL : 0);
    if (travelled < STILL) return;
    target.hover(undefined);
    let view = pan(target.view(), target.size(), to.x - from.x, to.y - from.y);
    if (now.length > 1) view = zoomAt(view, target.size(), to, spread(now) / (spread(before) || 1));
    target.move(view);
  };
  const up = (event: PointerEvent) => {
    if (!fingers.delete(event.pointerId) || event.type === "pointercancel") return;
    if (fingers.size === 0 && travelled < STILL) target.press(placeOf(event), event.pointerType !== "mouse");
  };
  // A lifted finger has left, too; what it pointed at stays.
  const leave = (event: PointerEvent) => { if (event.pointerType === "mouse") target.hover(undefined); };
  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    const factor = Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.0016));
    target.move(zoomAt(target.view(), target.size(), placeOf(event), factor));
  };

  element.addEventListener("pointerdown", down);
  element.addEventListener("pointermove", move);
  element.addEventListener("pointerup", up);
  element.addEventListener("pointercancel", up);
  element.addEventListener("pointerleave", leave);
  element.addEventListener("wheel", wheel, { passive: false });
  return () => {
    element.removeEventListener("pointerdown", down);
    element.removeEventListener("pointermove", move);
    element.removeEventListener("pointerup", up);
    element.removeEventListener("pointercancel", up);
    element.removeEventListener("pointerleave", leave);
    element.removeEventListener("wheel", wheel);
  };
}
