// The page as a whole: the state, what is asked because of it, and where the answers go.
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";

import { useAnswer } from "./answers";
import type { ApiError, Item, MapAnswer, Model, Neighbours, Ranking, Request } from "./api";
import { Attempts, type AttemptsValue } from "./attempts";
import { Card } from "./card/card";
import { about, remember, useLookup } from "./directory";
import { ItemMap } from "./map/map";
import type { Mark } from "./map/points";
import { Blend } from "./parts/blend";
import { Header } from "./parts/header";
import { History } from "./parts/history";
import { Notice, TokenField } from "./parts/notice";
import { Recommendations } from "./parts/recommendations";
import { Search } from "./parts/search";
import { Similar } from "./parts/similar";
import { Welcome } from "./parts/welcome";
import { useShared, type Update } from "./shared";
import { LONGEST_HISTORY, type Chosen, type State } from "./state";
import { plural, nameOf } from "./words";

const POINTS = 5000;
const NEIGHBOURS = 8;
const SETTLE = 60; // ms a slider rests before the server is asked

export function App() {
  const [count, setCount] = useState(0);
  const [locked, setLocked] = useState(false);
  const attempts = useMemo<AttemptsValue>(() => ({
    count,
    failed: (error: ApiError) => { if (error.status === 401) setLocked(true); },
    again: () => { setLocked(false); setCount(count + 1); },
  }), [count]);
  return (
    <Attempts.Provider value={attempts}>
      {locked ? <><Header /><main><TokenField /></main></> : <Page />}
    </Attempts.Provider>
  );
}

function Page() {
  const [state, update] = useShared();
  const model = useAnswer<Model>("model");
  useSearchKey();
  return (
    <>
      <Header model={model.value} />
      <main>
        {model.error && <Notice error={model.error} />}
        {model.value && <Explorer model={model.value} state={state} update={update} />}
      </main>
    </>
  );
}

// "/" goes to the search, unless somebody is typing.
function useSearchKey(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
      if (event.key !== "/" || typing || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      document.getElementById("search")?.focus();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

function requestOf(history: Chosen[], blend: number | undefined, model: Model): Request {
  const weighted = model.explains && history.some((each) => each.weight !== 1);
  return {
    history: history.map((each) => each.item),
    ...(weighted ? { weights: history.map((each) => each.weight) } : {}),
    ...(model.uses_prior && blend !== undefined ? { blend } : {}),
  };
}

function Explorer({ model, state, update }: { model: Model; state: State; update: Update }) {
  const [pointed, setPointed] = useState<string>();
  const named = [...state.history.map((each) => each.item), ...(state.similar === undefined ? [] : [state.similar])];
  const lookup = useLookup(named);
  const usable = state.history.filter((each) => !lookup.missing.has(each.item));
  const request = requestOf(usable, state.blend, model);
  const asked = lookup.ready && usable.length > 0;
  const answer = useAnswer<Ranking>(asked ? "recommend" : null, { ...request, k: state.k }, SETTLE);
  const similar = useAnswer<Neighbours>(state.similar === undefined ? null : `similar?item=${encodeURIComponent(state.similar)}&k=${NEIGHBOURS}`);
  const map = useAnswer<MapAnswer>(`map?limit=${POINTS}`);
  const chosen = useMemo(() => new Set(state.history.map((each) => each.item)), [state.history]);
  const recommended = useMemo(() => (usable.length > 0 ? answer.value?.items ?? [] : []), [answer.value, usable.length > 0]);
  const { marks, order } = useMarks(chosen, recommended, similar.value?.items);

  const add = useCallback((item: Item) => {
    if (chosen.has(item.item) || chosen.size >= LONGEST_HISTORY) return;
    remember([item]);
    update({ history: [...state.history, { item: item.item, weight: 1 }], why: undefined });
  }, [chosen, state.history]);
  const showSimilar = (similar: string | undefined) => update({ similar });
  const onView = useCallback((view: State["view"]) => update({ view }, "replace"), []);

  return (
    <div class="layout">
      <div class="column">
        <section class="panel" aria-labelledby="history-title">
          <h2 id="history-title">History</h2>
          <Search chosen={chosen} onChoose={add} />
          {lookup.error && <Notice error={lookup.error} />}
          <History history={state.history} missing={lookup.missing} weighted={model.explains} onSimilar={showSimilar}
            onChange={(history) => update({ history })} />
          {state.history.length > 1 && <button type="button" class="quiet clear" onClick={() => update({ history: [], why: undefined })}>Clear the history</button>}
          {model.uses_prior && <Blend value={state.blend ?? model.blend} own={model.blend} onMove={(blend) => update({ blend }, "replace")} />}
        </section>
        {usable.length === 0 ? <Welcome onAdd={add} /> : (
          <Recommendations model={model} request={request} answer={answer} k={state.k} why={state.why} chosen={chosen}
            onWhy={(why) => update({ why })} onSimilar={showSimilar} onAdd={add} onPoint={setPointed} onSize={(k) => update({ k })} />
        )}
      </div>
      <div class="column aside">
        {map.error && <Notice error={map.error} />}
        {!map.value && map.busy && <section class="panel"><h2>Item map</h2><div class="map waiting" aria-busy="true">Placing the items…</div></section>}
        {map.value && map.value.items.length > 0 && (
          <ItemMap answer={map.value} marks={marks} order={order} view={state.view} pointed={pointed} onView={onView}
            onAdd={(point) => add({ ...(point.title ? { title: point.title } : {}), ...about(point.item) })} onSimilar={showSimilar} />
        )}
        {state.similar !== undefined && lookup.ready && (
          <Similar item={state.similar} answer={similar} chosen={chosen} onSimilar={showSimilar} onAdd={add} onClose={() => showSimilar(undefined)} />
        )}
      </div>
      <Card model={model} />
      <div class="unseen" role="status" id="says">{announcement(answer.value, usable)}</div>
    </div>
  );
}

function announcement(answer: Ranking | undefined, usable: Chosen[]): string {
  if (usable.length === 0 || !answer) return "";
  const first = answer.items[0];
  return `${plural(answer.items.length, "recommendation")} for ${plural(usable.length, "item")}${first ? `; the first is ${nameOf(first)}` : ""}.`;
}

function useMarks(chosen: Set<string>, recommended: Item[], similar: Item[] | undefined) {
  return useMemo(() => {
    const marks = new Map<string, Mark>();
    for (const item of similar ?? []) marks.set(item.item, "similar");
    for (const item of recommended) marks.set(item.item, "recommended");
    for (const item of chosen) marks.set(item, "history");
    return { marks, order: new Map(recommended.map((item, n) => [item.item, n + 1])) };
  }, [chosen, recommended, similar]);
}
