// Search: a combobox over the items; arrows, Enter and Escape as everywhere.
import { useRef, useState } from "preact/hooks";

import type { Item, Ranking } from "../api";
import { useAnswer } from "../answers";
import { asideOf, count, nameOf } from "../words";
import { Notice } from "./notice";

interface Props { chosen: Set<string>; onChoose: (item: Item) => void }

const SHOWN = 8;
const DELAY = 120;

// The part of a title that was typed, in bold.
function Marked({ text, typed }: { text: string; typed: string }) {
  const start = typed === "" ? -1 : text.toLowerCase().indexOf(typed.toLowerCase());
  if (start < 0) return <>{text}</>;
  const end = start + typed.length;
  return <>{text.slice(0, start)}<mark>{text.slice(start, end)}</mark>{text.slice(end)}</>;
}

function Option({ item, typed, active, taken, pick }:
  { item: Item; typed: string; active: boolean; taken: boolean; pick: () => void }) {
  return (
    <li id={`option-${item.item}`} role="option" aria-selected={active} class={taken ? "option taken" : "option"}
      onPointerDown={(event) => event.preventDefault()} onClick={pick}
      ref={(node) => { if (active) node?.scrollIntoView({ block: "nearest" }); }}>
      <span class="option-title"><Marked text={nameOf(item)} typed={typed} /></span>
      {asideOf(item) && <span class="faint option-id"><Marked text={asideOf(item)} typed={typed} /></span>}
      <span class="faint option-count">{taken ? "in the history" : item.popularity !== undefined && `${count(item.popularity)}×`}</span>
    </li>
  );
}

export function Search({ chosen, onChoose }: Props) {
  const [text, setText] = useState("");
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const input = useRef<HTMLInputElement>(null);
  const typed = text.trim();
  const { value, error, busy } = useAnswer<Ranking>(open ? `items?q=${encodeURIComponent(typed)}&k=${SHOWN}` : null, undefined, DELAY);
  const found = value?.items ?? [];
  const at = found[active];

  const pick = (item: Item) => {
    if (!chosen.has(item.item)) onChoose(item);
    setText("");
    setOpen(false);
    setActive(-1);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const last = found.length - 1;
    if (event.key === "ArrowDown") {
      setOpen(true);
      setActive(active >= last ? 0 : active + 1);
    } else if (event.key === "ArrowUp") {
      setOpen(true);
      setActive(active <= 0 ? last : active - 1);
    } else if (event.key === "Enter" && open && !busy && found.length > 0) pick(at ?? (found[0] as Item));
    else if (event.key === "Escape" && (open || text !== "")) {
      if (!open) setText("");
      setOpen(false);
      setActive(-1);
    } else return;
    event.preventDefault();
  };

  return (
    <div class="search">
      <label for="search">Search items to add</label>
      <input id="search" ref={input} type="text" role="combobox" autocomplete="off" spellcheck={false} maxLength={60} enterkeyhint="search"
        placeholder="A name, or part of one" aria-autocomplete="list" aria-controls="found" aria-expanded={open && found.length > 0}
        {...(open && at ? { "aria-activedescendant": `option-${at.item}` } : {})}
        value={text} onKeyDown={onKeyDown} onFocus={() => setOpen(true)} onClick={() => setOpen(true)} onBlur={() => setOpen(false)}
        onInput={(event) => { setText(event.currentTarget.value); setOpen(true); setActive(-1); }} />
      <kbd class="hint" aria-hidden="true">/</kbd>
      <ul id="found" role="listbox" aria-label="Found items" hidden={!open || found.length === 0}>
        {open && found.map((item, n) => (
          <Option key={item.item} item={item} typed={typed} active={n === active} taken={chosen.has(item.item)} pick={() => pick(item)} />
        ))}
      </ul>
      {open && !busy && value && found.length === 0 && <p class="found-none" role="status">Nothing is called “{typed}”.</p>}
      {error && <Notice error={error} />}
    </div>
  );
}
