// Moving: a view that follows gestures at once and buttons smoothly, and is told to others when it rests.
import { useCallback, useEffect, useRef } from "preact/hooks";

import type { View } from "../state";
import { stillness } from "../theme";
import { between, same, WHOLE } from "./view";

const DURATION = 220; // ms of a smooth move
const REST = 350; // ms without a move

export interface Moving {
  current: { current: View };
  jump: (view: View) => void;
  glide: (view: View) => void;
}

/** `shared`: the view of the address; `onRest` is told views that should go there. */
export function useMoving(shared: View | undefined, redraw: () => void, onRest: (view: View | undefined) => void): Moving {
  const current = useRef<View>(shared ?? WHOLE);
  const frame = useRef(0);
  const timer = useRef(0);

  const set = useCallback((view: View) => {
    current.current = view;
    redraw();
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => onRest(same(view, WHOLE) ? undefined : view), REST);
  }, [redraw, onRest]);

  const jump = useCallback((view: View) => {
    cancelAnimationFrame(frame.current);
    set(view);
  }, [set]);

  const glide = useCallback((to: View) => {
    cancelAnimationFrame(frame.current);
    if (stillness()) return set(to);
    const from = current.current;
    const start = performance.now();
    const step = (now: number) => {
      const t = Math.min(1, Math.max(0, (now - start) / DURATION));
      set(between(from, to, t * (2 - t)));
      if (t < 1) frame.current = requestAnimationFrame(step);
    };
    frame.current = requestAnimationFrame(step);
  }, [set]);

  useEffect(() => () => {
    cancelAnimationFrame(frame.current);
    window.clearTimeout(timer.current);
  }, []);

  // Back, forward or a new address.
  const key = shared ? `${shared.x} ${shared.y} ${shared.zoom}` : "";
  useEffect(() => {
    if (same(shared ?? WHOLE, current.current)) return;
    current.current = shared ?? WHOLE;
    redraw();
  }, [key]);
  return { current, jump, glide };
}
