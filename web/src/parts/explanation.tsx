// Why this: what each item of the history adds to the score; the bars and the rest sum to it.
import type { Explanation, Item, Request } from "../api";
import { useAnswer } from "../answers";
import { figures, listed, plural, nameOf } from "../words";
import { Notice } from "./notice";

interface Row { name: string; score: number; kind: "item" | "rest" | "total" }

const SHOWN = 8;

function rowsOf({ contributions, rest, score }: Explanation, usesPrior: boolean): Row[] {
  const all = contributions.map((each): Row => ({ name: nameOf(each), score: each.score ?? 0, kind: "item" }));
  const shown = all.length > SHOWN + 1 ? all.slice(0, SHOWN) : all;
  const others = all.slice(shown.length);
  const sum = others.reduce((total, each) => total + each.score, 0);
  return [
    ...shown,
    ...(others.length > 0 ? [{ name: plural(others.length, "other item"), score: sum, kind: "item" } as Row] : []),
    { name: usesPrior ? "popularity alone" : "all else", score: rest, kind: "rest" },
    { name: "score", score, kind: "total" },
  ];
}

/** The score in a sentence: the items that make up four fifths of what the history adds, and
 *  popularity, if it is the larger part. */
export function reason({ contributions, rest }: Explanation, usesPrior: boolean): string {
  const helpful = contributions.filter((each) => (each.score ?? 0) > 0);
  const whole = helpful.reduce((total, each) => total + (each.score ?? 0), 0);
  const names: string[] = [];
  let sum = 0;
  for (const each of helpful) {
    if (sum >= 0.8 * whole || names.length === 3) break;
    names.push(nameOf(each));
    sum += each.score ?? 0;
  }
  const popular = usesPrior && rest > whole;
  if (names.length === 0) return `Nothing in the history speaks for it${usesPrior ? "; its popularity does" : ""}.`;
  if (popular) return `It is popular, and ${listed(names)} ${names.length === 1 ? "speaks" : "speak"} for it.`;
  return `${names.length < helpful.length ? "Mostly because" : "Because"} of ${listed(names)}.`;
}

function Bar({ row, low, high }: { row: Row; low: number; high: number }) {
  const at = (value: number) => (value - low) / (high - low || 1);
  const [from, to] = [Math.min(0, row.score), Math.max(0, row.score)];
  return (
    <tr class={row.kind}>
      <th scope="row">{row.name}</th>
      <td class="bar" aria-hidden="true">
        <span class={row.score < 0 ? "less" : "more"} style={{ "--from": at(from), "--to": at(to) }} />
      </td>
      <td class="number">{row.kind === "item" && row.score > 0 ? "+" : ""}{figures(row.score)}</td>
    </tr>
  );
}

export function Why({ request, item, usesPrior }: { request: Request; item: Item; usesPrior: boolean }) {
  const { value, error, busy } = useAnswer<Explanation>("explain", {
    history: request.history,
    ...(request.weights ? { weights: request.weights } : {}),
    ...(request.blend === undefined ? {} : { blend: request.blend }),
    item: item.item,
  }, 60);
  if (error) return <Notice error={error} />;
  if (!value) return <p class="faint">Asking…</p>;
  const rows = rowsOf(value, usesPrior);
  const low = Math.min(0, ...rows.map((row) => row.score));
  const high = Math.max(0, ...rows.map((row) => row.score));
  return (
    <div class="why" aria-busy={busy}>
      <p>{reason(value, usesPrior)}</p>
      <table>
        <caption class="unseen">What the score of {nameOf(item)} is made of</caption>
        <thead class="unseen"><tr><th scope="col">part</th><th scope="col">adds</th></tr></thead>
        <tbody>{rows.map((row, n) => <Bar key={n} row={row} low={low} high={high} />)}</tbody>
      </table>
    </div>
  );
}
