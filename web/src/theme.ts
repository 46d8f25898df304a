// Light or dark: what the system says, unless the reader pressed the switch.
import { useEffect, useState } from "preact/hooks";

export type Choice = "system" | "light" | "dark";

const KEY = "sqmax-theme";
const system = window.matchMedia("(prefers-color-scheme: dark)");

function kept(): Choice {
  const value = localStorage.getItem(KEY);
  return value === "light" || value === "dark" ? value : "system";
}

export function apply(choice: Choice): void {
  const dark = choice === "dark" || (choice === "system" && system.matches);
  document.documentElement.dataset["theme"] = dark ? "dark" : "light";
}

apply(kept());

/** The choice, and how to change it; the page and whatever is drawn follow `data-theme` of the root. */
export function useTheme(): [Choice, (choice: Choice) => void] {
  const [choice, setChoice] = useState<Choice>(kept);
  useEffect(() => {
    const follow = () => apply(choice);
    follow();
    system.addEventListener("change", follow);
    return () => system.removeEventListener("change", follow);
  }, [choice]);
  const choose = (next: Choice) => {
    localStorage.setItem(KEY, next);
    setChoice(next);
  };
  return [choice, choose];
}

export function stillness(): boolean {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}
