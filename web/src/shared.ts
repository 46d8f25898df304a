// Hook: the state, kept in the address so that it can be shared, reloaded and gone back to.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";

import { format, parse, type State } from "./state";

export type Update = (change: Partial<State>, how?: "push" | "replace") => void;

export function useShared(): [State, Update] {
  const [state, setState] = useState<State>(() => parse(location.hash));
  const latest = useRef(state);

  useEffect(() => {
    const restore = () => {
      latest.current = parse(location.hash);
      setState(latest.current);
    };
    window.addEventListener("popstate", restore);
    window.addEventListener("hashchange", restore);
    return () => {
      window.removeEventListener("popstate", restore);
      window.removeEventListener("hashchange", restore);
    };
  }, []);

  const update = useCallback<Update>((change, how = "push") => {
    latest.current = { ...latest.current, ...change };
    const address = location.pathname + location.search + format(latest.current);
    if (how === "push") history.pushState(null, "", address);
    else history.replaceState(null, "", address);
    setState(latest.current);
  }, []);
  return [state, update];
}
