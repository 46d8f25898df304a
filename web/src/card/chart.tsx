// A small chart: points over whole steps, scaled to what there is, with three lines to read it by.
import type { ComponentChildren } from "preact";

import { figures } from "../words";

export const WIDTH = 380;
export const HEIGHT = 150;
const LEFT = 46;
const RIGHT = 10;
const TOP = 10;
const BOTTOM = 20;

export interface Scale { x: (value: number) => number; y: (value: number) => number; low: number; high: number }

export function scaleOf(xs: number[], ys: number[]): Scale {
  const [first, last] = [Math.min(...xs), Math.max(...xs)];
  const [least, most] = [Math.min(...ys), Math.max(...ys)];
  const room = (most - least || Math.abs(most) || 1) * 0.08;
  const [low, high] = [least - room, most + room];
  return {
    low, high,
    x: (value) => LEFT + ((value - first) / (last - first || 1)) * (WIDTH - LEFT - RIGHT),
    y: (value) => TOP + ((high - value) / (high - low)) * (HEIGHT - TOP - BOTTOM),
  };
}

export function Chart({ label, xLabel, scale, children }:
  { label: string; xLabel: [string, string]; scale: Scale; children: ComponentChildren }) {
  const lines = [0.08, 0.5, 0.92].map((share) => scale.low + share * (scale.high - scale.low));
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      {lines.map((value) => (
        <g key={value}>
          <line class="rule" x1={LEFT} x2={WIDTH - RIGHT} y1={scale.y(value)} y2={scale.y(value)} />
          <text x={LEFT - 6} y={scale.y(value) + 4} text-anchor="end">{figures(value)}</text>
        </g>
      ))}
      <text x={LEFT} y={HEIGHT - 3}>{xLabel[0]}</text>
      <text x={WIDTH - RIGHT} y={HEIGHT - 3} text-anchor="end">{xLabel[1]}</text>
      {children}
    </svg>
  );
}
