// Similar items: the neighbours of one item in the model's space.
import { useEffect, useRef } from "preact/hooks";

import type { Item, Neighbours } from "../api";
import type { Answer } from "../answers";
import { about } from "../directory";
import { nameOf } from "../words";
import { Entry } from "./entry";
import { Notice } from "./notice";

interface Props {
  item: string;
  answer: Answer<Neighbours>;
  chosen: Set<string>;
  onSimilar: (item: string) => void;
  onAdd: (item: Item) => void;
  onClose: () => void;
}

export function Similar({ item, answer, chosen, onSimilar, onAdd, onClose }: Props) {
  const { value, error, busy } = answer;
  const heading = useRef<HTMLHeadingElement>(null);
  const items = value?.items ?? [];
  const best = Math.max(0, ...items.map((each) => each.score ?? 0));

  // Whoever pressed a button is taken there; a page that was just opened stays at its top.
  useEffect(() => {
    if (document.activeElement !== document.body) heading.current?.focus();
  }, [item]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") onClose();
  };
  return (
    <section class="panel" id="similar" aria-labelledby="similar-title" onKeyDown={onKeyDown}>
      <div class="panel-head">
        <h2 id="similar-title" tabIndex={-1} ref={heading}>Similar to <em>{nameOf(about(item))}</em></h2>
        <button type="button" class="quiet" onClick={onClose}>Close</button>
      </div>
      {error && <Notice error={error} />}
      {!value && busy && <p class="faint">Asking…</p>}
      <ol class="entries" aria-busy={busy}>
        {items.map((each, n) => (
          <Entry key={each.item} item={each} place={n + 1} best={best} taken={chosen.has(each.item)}
            onSimilar={() => onSimilar(each.item)} onAdd={() => onAdd(each)} />
        ))}
      </ol>
    </section>
  );
}
