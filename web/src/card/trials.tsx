// Trials of the search: each on validation, the best so far, and the one that was kept.
import type { Trial } from "../api";
import { count, figures, fixed, plural } from "../words";
import { Chart, scaleOf } from "./chart";

interface Props { trials: Trial[]; best: number | undefined }

interface Tried { number: number; value: number; trial: Trial; whole: boolean }

function bestSoFar(tried: Tried[]): Tried[] {
  let most = -Infinity;
  return tried.filter((each) => {
    if (!each.whole || each.value <= most) return false;
    most = each.value;
    return true;
  });
}

function optionsText(trial: Trial): string {
  const options = Object.entries(trial.options ?? {}).map(([name, value]) => `${name} ${typeof value === "number" ? figures(value) : value}`);
  return [`rank ${trial.rank ?? "?"}`, ...options].join(", ");
}

export function Trials({ trials, best }: Props) {
  const metric = Object.keys(trials[0]?.valid ?? {})[0];
  if (metric === undefined) return null;
  const users = Math.max(...trials.map((trial) => trial.users ?? 0));
  const tried = trials.map((trial, n): Tried => ({ number: n, value: trial.valid?.[metric] ?? NaN, trial, whole: (trial.users ?? users) === users }))
    .filter((each) => Number.isFinite(each.value));
  const kept = tried.find((each) => each.number === best);
  const scale = scaleOf(tried.map((each) => each.number), tried.map((each) => each.value));
  const steps = bestSoFar(tried);
  const stairs = steps.map((each, n) => `${n === 0 ? "M" : "H"}${scale.x(each.number)} ${n === 0 ? "" : "V"}${scale.y(each.value)}`)
    .join(" ").replace(/ +/g, " ") + ` H${scale.x(tried.length - 1)}`;
  const summary = `${plural(trials.length, "trial")}; the best reached ${metric} ${kept ? fixed(kept.value, 4) : "?"} on validation`;
  return (
    <div class="figure">
      <h3>{plural(trials.length, "trial")} <span class="faint">{metric} on validation{kept && <>, best {fixed(kept.value, 4)} in trial {kept.number + 1}</>}</span></h3>
      <Chart label={summary} xLabel={["first", "last"]} scale={scale}>
        <path class="stairs" d={stairs} />
        {tried.map((each) => (
          <circle key={each.number} class={each.whole ? "dot" : "dot part"} cx={scale.x(each.number)} cy={scale.y(each.value)} r="3">
            <title>{`trial ${each.number + 1}: ${fixed(each.value, 4)}`}</title>
          </circle>
        ))}
        {kept && <path class="kept" d={`M${scale.x(kept.number)} ${scale.y(kept.value) - 7}l7 7-7 7-7-7z`} />}
      </Chart>
      <details>
        <summary>All trials</summary>
        <div class="scroll" tabIndex={0} role="group" aria-label="Table of trials">
          <table>
            <thead><tr><th scope="col">trial</th><th scope="col">{metric}</th><th scope="col">users</th><th scope="col">options</th></tr></thead>
            <tbody>
              {[...tried].sort((a, b) => b.value - a.value).map(({ number, value, trial }) => (
                <tr key={number} class={number === best ? "best" : ""}>
                  <th scope="row">{number + 1}</th>
                  <td class="number">{fixed(value, 4)}</td>
                  <td class="number">{trial.users === undefined ? "–" : count(trial.users)}</td>
                  <td class="faint">{optionsText(trial)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </div>
  );
}
