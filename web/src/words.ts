// Numbers and names as people read them.
import type { Item } from "./api";

const whole = new Intl.NumberFormat("en");

export function count(value: number): string {
  return whole.format(value);
}

export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** Three figures that matter: 12.3, 0.0123, 1.2e−7. */
export function figures(value: number, digits = 3): string {
  const size = Math.abs(value);
  const text = size !== 0 && (size < 1e-4 || size >= 1e6) ? value.toExponential(digits - 2)
    : Number(value.toPrecision(digits)).toString();
  return text.replaceAll("-", "−");
}

export function fixed(value: number, digits: number): string {
  return value.toFixed(digits).replace("-", "−");
}

export function titleOf(item: Item): string {
  return item.title || item.item;
}

/** Only what a browser may open safely becomes a link. */
export function safeLink(link: string | undefined): string | undefined {
  return link !== undefined && /^https?:\/\//i.test(link) ? link : undefined;
}

/** "a", "a and b", "a, b and c". */
export function listed(names: string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
}
