// History: the chosen items as chips, with a weight each, removable by button or by Delete.
import { useRef } from "preact/hooks";

import { about } from "../directory";
import type { Chosen } from "../state";
import { figures, nameOf } from "../words";

interface Props {
  history: Chosen[];
  missing: Set<string>;
  weighted: boolean;
  onChange: (history: Chosen[]) => void;
  onSimilar: (item: string) => void;
}

const WEIGHTS = [1, 2, 3, 0.5];

function nextWeight(weight: number): number {
  return WEIGHTS[(WEIGHTS.indexOf(weight) + 1) % WEIGHTS.length] as number;
}

export function History({ history, missing, weighted, onChange, onSimilar }: Props) {
  const list = useRef<HTMLUListElement>(null);

  // The focus stays in the list: on the chip that took the place, else in the search.
  const remove = (n: number) => {
    onChange(history.filter((_, each) => each !== n));
    requestAnimationFrame(() => {
      const buttons = list.current?.querySelectorAll<HTMLElement>(".remove") ?? [];
      (buttons[Math.min(n, buttons.length - 1)] ?? document.getElementById("search"))?.focus();
    });
  };
  const reweigh = (n: number) => onChange(history.map((each, m) => (m === n ? { ...each, weight: nextWeight(each.weight) } : each)));

  return (
    <ul class="chips" ref={list} aria-label="History">
      {history.map(({ item, weight }, n) => {
        const title = nameOf(about(item));
        const lost = missing.has(item);
        const onKeyDown = (event: KeyboardEvent) => {
          if (event.key !== "Delete" && event.key !== "Backspace") return;
          event.preventDefault();
          remove(n);
        };
        return (
          <li key={item} class={lost ? "chip lost" : "chip"} onKeyDown={onKeyDown}>
            {lost ? <span class="chip-title" title="This model has no such item">{title} <span class="faint">(unknown here)</span></span>
              : <button type="button" class="chip-title" title={`${title}: show similar items`} onClick={() => onSimilar(item)}>{title}</button>}
            {weighted && !lost && (
              <button type="button" class={weight === 1 ? "weight" : "weight set"} title="Weight: press to change"
                aria-label={`Weight of ${title}: ${figures(weight)}`} onClick={() => reweigh(n)}>×{weight === 0.5 ? "½" : figures(weight)}</button>
            )}
            <button type="button" class="remove" aria-label={`Remove ${title}`} onClick={() => remove(n)}>
              <svg viewBox="0 0 10 10" aria-hidden="true"><path d="M2 2l6 6M8 2l-6 6" /></svg>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
