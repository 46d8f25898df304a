// Recommendations: the list for the history, each explained on demand.
import type { Answer } from "../answers";
import type { Item, Model, Ranking, Request } from "../api";
import { LIST_SIZES } from "../state";
import { Entry } from "./entry";
import { Why } from "./explanation";
import { Notice } from "./notice";

interface Props {
  model: Model;
  request: Request;
  answer: Answer<Ranking>;
  k: number;
  why: string | undefined;
  chosen: Set<string>;
  onWhy: (item: string | undefined) => void;
  onSimilar: (item: string) => void;
  onAdd: (item: Item) => void;
  onPoint: (item: string | undefined) => void;
  onSize: (k: number) => void;
}

function Size({ k, onSize }: { k: number; onSize: (k: number) => void }) {
  const sizes = LIST_SIZES.includes(k) ? LIST_SIZES : [...LIST_SIZES, k].sort((a, b) => a - b);
  return (
    <label class="size">Show{" "}
      <select id="size" value={k} onChange={(event) => onSize(Number(event.currentTarget.value))}>
        {sizes.map((size) => <option key={size} value={size}>{size}</option>)}
      </select>
    </label>
  );
}

export function Recommendations(props: Props) {
  const { model, request, answer, k, why, chosen } = props;
  const items = answer.value?.items ?? [];
  const best = Math.max(0, ...items.map((item) => item.score ?? 0));
  return (
    <section class="panel" aria-labelledby="recommendations-title">
      <div class="panel-head">
        <h2 id="recommendations-title">Recommendations</h2>
        <Size k={k} onSize={props.onSize} />
      </div>
      {answer.error && <Notice error={answer.error} />}
      {!answer.value && answer.busy && <p class="faint">Asking…</p>}
      {answer.value && items.length === 0 && <p class="faint">The model has nothing left to recommend.</p>}
      <ol class="entries" id="recommendations" aria-busy={answer.busy}>
        {items.map((item, n) => {
          const open = why === item.item;
          const toggle = () => props.onWhy(open ? undefined : item.item);
          return (
            <Entry key={item.item} item={item} place={n + 1} best={best} taken={chosen.has(item.item)}
              why={model.explains ? { open, toggle } : undefined} onPoint={props.onPoint}
              onSimilar={() => props.onSimilar(item.item)} onAdd={() => props.onAdd(item)}>
              {open && model.explains && <Why request={request} item={item} usesPrior={model.uses_prior} />}
            </Entry>
          );
        })}
      </ol>
    </section>
  );
}
