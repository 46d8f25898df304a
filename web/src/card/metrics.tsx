// Metrics as bars, with their 95 % intervals where the model knows them.
import type { Metrics } from "../api";
import { fixed } from "../words";

interface Props { title: string; metrics: Metrics; intervals: Record<string, [number, number]> | undefined }

export function MetricBars({ title, metrics, intervals }: Props) {
  const rows = Object.entries(metrics).filter(([, value]) => value >= 0 && value <= 1);
  if (rows.length === 0) return null;
  const known = rows.some(([name]) => intervals?.[name]);
  return (
    <table class="metrics">
      <caption>{title}{known && <span class="faint">, with 95 % intervals</span>}</caption>
      <thead class="unseen"><tr><th scope="col">metric</th><th scope="col">value</th></tr></thead>
      <tbody>
        {rows.map(([name, value]) => {
          const interval = intervals?.[name];
          return (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="bar" aria-hidden="true">
                <span class="more" style={{ "--from": 0, "--to": value }} />
                {interval && <span class="interval" style={{ "--from": interval[0], "--to": interval[1] }} />}
              </td>
              <td class="number">{fixed(value, 4)}{interval && <span class="faint"> {fixed(interval[0], 3)}–{fixed(interval[1], 3)}</span>}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
