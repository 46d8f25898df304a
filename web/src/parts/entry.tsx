// Entry: one item of a list, with what can be done with it.
import type { ComponentChildren } from "preact";

import type { Item } from "../api";
import { asideOf, nameOf, safeLink } from "../words";

interface Props {
  item: Item;
  place: number;
  best: number;
  taken: boolean;
  why?: { open: boolean; toggle: () => void } | undefined;
  onSimilar: () => void;
  onAdd: () => void;
  onPoint?: (item: string | undefined) => void;
  children?: ComponentChildren;
}

function Name({ item }: { item: Item }) {
  const title = nameOf(item);
  const link = safeLink(item.link);
  const more = [asideOf(item), ...Object.values(item.columns ?? {})].filter(Boolean);
  return (
    <div class="name">
      {link ? <a class="title" href={link} target="_blank" rel="noopener noreferrer">{title}</a> : <span class="title">{title}</span>}
      {more.length > 0 && <span class="faint more">{more.join(" · ")}</span>}
    </div>
  );
}

export function Entry({ item, place, best, taken, why, onSimilar, onAdd, onPoint, children }: Props) {
  const title = nameOf(item);
  const share = best > 0 ? Math.max(0, (item.score ?? 0) / best) : 0;
  return (
    <li class={why?.open ? "entry open" : "entry"} onPointerEnter={() => onPoint?.(item.item)} onPointerLeave={() => onPoint?.(undefined)}>
      <span class="place" aria-hidden="true">{place}</span>
      <Name item={item} />
      <div class="actions">
        {why && <button type="button" aria-expanded={why.open} aria-label={`Why this? ${title}`} onClick={why.toggle}>Why this?</button>}
        <button type="button" aria-label={`Similar to ${title}`} onClick={onSimilar}>Similar</button>
        <button type="button" class="add" disabled={taken} aria-label={taken ? `Added: ${title}` : `Add ${title} to the history`}
          onClick={onAdd}>{taken ? "Added" : "Add"}</button>
      </div>
      <span class="meter" aria-hidden="true"><span style={{ "--share": Math.min(1, share) }} /></span>
      {children}
    </li>
  );
}
