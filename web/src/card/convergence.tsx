// Convergence: how the last fit ended, and its curve where the model keeps one.
import type { CurvePoint, Story } from "../api";
import { figures, fixed, plural } from "../words";
import { Chart, scaleOf } from "./chart";

function sentence(story: Story): string {
  const parts = [story.solver && story.steps !== undefined ? `${story.solver}, ${plural(story.steps, "step")}` : "",
    story.residual === undefined ? "" : `residual ${figures(story.residual, 2)}`,
    story.contraction === undefined ? "" : `contraction ${figures(story.contraction, 2)}`].filter(Boolean);
  const end = story.converged === undefined ? "" : story.converged ? "converged" : `not converged${story.stopped ? ` (${story.stopped})` : ""}`;
  return [parts.join(", "), end].filter(Boolean).join(": ");
}

function Curve({ points }: { points: CurvePoint[] }) {
  const valid = points.filter((point) => point.valid !== undefined);
  const shown = valid.length > 1 ? valid : points.filter((point) => point.residual !== undefined);
  if (shown.length < 2) return null;
  const value = (point: CurvePoint) => (valid.length > 1 ? point.valid : point.residual) as number;
  const scale = scaleOf(shown.map((point) => point.step), shown.map(value));
  const path = shown.map((point, n) => `${n === 0 ? "M" : "L"}${scale.x(point.step)} ${scale.y(value(point))}`).join("");
  const name = valid.length > 1 ? "validation" : "residual";
  const ends = [shown[0] as CurvePoint, shown[shown.length - 1] as CurvePoint] as const;
  return (
    <Chart label={`${name} by step, from ${fixed(value(ends[0]), 4)} to ${fixed(value(ends[1]), 4)}`} scale={scale}
      xLabel={[`step ${ends[0].step}`, `step ${ends[1].step}`]}>
      <path class="stairs" d={path} />
    </Chart>
  );
}

export function Convergence({ story }: { story: Story }) {
  const text = sentence(story);
  if (text === "" && !story.curve) return null;
  return (
    <div class="figure">
      <h3>Convergence</h3>
      <p class="faint">{text}</p>
      {story.curve && <Curve points={story.curve} />}
    </div>
  );
}
