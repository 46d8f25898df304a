// Welcome: what the page is for, and items to begin with.
import type { Item, Ranking } from "../api";
import { useAnswer } from "../answers";
import { nameOf } from "../words";
import { Notice } from "./notice";

export function Welcome({ onAdd }: { onAdd: (item: Item) => void }) {
  const { value, error } = useAnswer<Ranking>("items?q=&k=12");
  return (
    <section class="panel welcome" aria-labelledby="welcome-title">
      <h2 id="welcome-title">What would somebody like who chose…</h2>
      <p>Search for a few items above, press a point of the map, or begin with one that many have chosen.
        The model answers at once: nothing is trained again.</p>
      {error && <Notice error={error} />}
      <ul class="suggestions" aria-label="Popular items">
        {(value?.items ?? []).map((item) => (
          <li key={item.item}><button type="button" onClick={() => onAdd(item)}>{nameOf(item)}</button></li>
        ))}
      </ul>
    </section>
  );
}
