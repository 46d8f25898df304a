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

function letters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

// Ids that people call things by: "python3", "Alan Turing"; not 4711, B000FQ9R4E, a3f09bc2 or /a/path.
function isName(id: string): boolean {
  return /\p{Ll}{2}/u.test(id) && !/[/:]/.test(id) && !/^[0-9a-f-]{8,}$/i.test(id);
}

/** What people call an item: its title, unless the id is a name of its own that the title describes. */
export function nameOf({ item, title }: Pick<Item, "item" | "title">): string {
  if (!title) return item;
  return isName(item) && !letters(title).startsWith(letters(item)) ? item : title;
}

/** What else tells it apart: whichever of id and title is not its name. */
export function asideOf({ item, title }: Pick<Item, "item" | "title">): string {
  return !title || title === item ? "" : nameOf({ item, title }) === item ? title : item;
}

/** Only what a browser may open safely becomes a link. */
export function safeLink(link: string | undefined): string | undefined {
  return link !== undefined && /^https?:\/\//i.test(link) ? link : undefined;
}

/** "a", "a and b", "a, b and c". */
export function listed(names: string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
}
