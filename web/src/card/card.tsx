// The model's card: on what it was trained, how well it ranks, how it was found.
import { useErrorBoundary } from "preact/hooks";

import type { Model, Story } from "../api";
import { count, figures } from "../words";
import { Convergence } from "./convergence";
import { MetricBars } from "./metrics";
import { Trials } from "./trials";

function Counts({ model }: { model: Model }) {
  const tiles: [string, number | undefined][] = [
    ["users", model.users], ["items", model.items], ["interactions", model.interactions], ["rank", model.rank],
  ];
  return (
    <dl class="tiles">
      {tiles.map(([name, value]) => value !== undefined && <div key={name}><dt>{name}</dt><dd>{count(value)}</dd></div>)}
    </dl>
  );
}

function origin(story: Story): [string, string][] {
  const files = story.data_recipe?.source?.files?.map((file) => file.split("/").pop() ?? file) ?? [];
  const split = story.data_recipe?.split;
  const rows: [string, string | undefined][] = [
    ["data", files.join(", ") || undefined],
    ["split", split?.kind && [split.kind, split.ratios?.join(" : ")].filter(Boolean).join(" ")],
    ["seed", story.seed === undefined ? undefined : String(story.seed)],
    ["data fingerprint", story.data_fingerprint],
  ];
  return rows.filter((row): row is [string, string] => Boolean(row[1]));
}

function settings(model: Model): [string, string][] {
  const rows = Object.entries(model.options).map(([name, value]): [string, string] =>
    [name, typeof value === "number" ? figures(value) : String(value)]);
  const recall = model.index?.["recall@10"];
  const index = model.index && model.index.kind + (recall === undefined ? "" : `, recall@10 ${figures(recall)} against exact`);
  return [...rows, ...(index ? [["index", index] as [string, string]] : []), ["version", model.version]];
}

function Facts({ rows }: { rows: [string, string][] }) {
  return <dl class="facts">{rows.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>;
}

// The story is whatever trained the model wrote: one that cannot be read must not take the page along.
export function Card({ model }: { model: Model }) {
  const [error] = useErrorBoundary();
  if (!error) return <Told model={model} />;
  return (
    <section class="panel card" id="card" aria-labelledby="card-title">
      <h2 id="card-title">The model</h2>
      <Counts model={model} />
      <p class="faint">The rest of its story cannot be read.</p>
    </section>
  );
}

function Told({ model }: { model: Model }) {
  const story = model.story ?? {};
  return (
    <section class="panel card" id="card" aria-labelledby="card-title">
      <h2 id="card-title">The model</h2>
      <p class="faint">Loss <strong>{model.loss}</strong>{story.solver && <> minimised by <strong>{story.solver}</strong></>}{model.uses_prior && ", with a popularity prior"}.</p>
      <Counts model={model} />
      <div class="figures">
        {story.test && <MetricBars title="On the test part" metrics={story.test} intervals={story.intervals} />}
        {!story.test && story.valid && <MetricBars title="On the validation part" metrics={story.valid} intervals={story.intervals} />}
        {story.trials && story.trials.length > 1 && <Trials trials={story.trials} best={story.best} />}
        <Convergence story={story} />
      </div>
      <details>
        <summary>Options and origin</summary>
        <Facts rows={[...settings(model), ...origin(story)]} />
      </details>
    </section>
  );
}
