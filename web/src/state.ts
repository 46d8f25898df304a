// What a reader chose, and its form in the address:   #h=python3,perl:2&b=0.4&k=20&why=ruby&map=0.1,-0.2,4
//
//   h        items of the history, each with :weight if that is not 1
//   b        blend τ'; absent: the model's own
//   k        length of the list; absent: 10
//   why      the recommendation that is explained
//   similar  the item whose neighbours are shown
//   map      centre x, centre y, zoom; absent: the whole map

export interface Chosen { item: string; weight: number }
export interface View { x: number; y: number; zoom: number }

export interface State {
  history: Chosen[];
  blend?: number | undefined;
  k: number;
  why?: string | undefined;
  similar?: string | undefined;
  view?: View | undefined;
}

export const DEFAULT_K = 10;
export const LIST_SIZES = [5, 10, 20, 50];
export const LONGEST_HISTORY = 200;

function short(value: number): string {
  return String(Number(value.toFixed(4)));
}

function number(text: string | undefined, low: number, high: number): number | undefined {
  const value = text === undefined || text === "" ? NaN : Number(text);
  return value >= low && value <= high ? value : undefined;
}

// A malformed escape is taken as it stands: a damaged address shows what it can.
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function parseHistory(text: string): Chosen[] {
  const found = new Map<string, Chosen>();
  for (const part of text.split(",").filter(Boolean)) {
    const [name = "", weight] = part.split(":");
    const item = decode(name);
    if (!found.has(item)) found.set(item, { item, weight: number(weight, 0.01, 100) ?? 1 });
  }
  return [...found.values()].slice(0, LONGEST_HISTORY);
}

function parseView(text: string): View | undefined {
  const [x, y, zoom] = text.split(",").map((part) => number(part, -1000, 1000));
  return x !== undefined && y !== undefined && zoom !== undefined && zoom > 0 ? { x, y, zoom } : undefined;
}

export function parse(hash: string): State {
  const fields = new Map<string, string>();
  for (const part of hash.replace(/^#/, "").split("&")) {
    const equals = part.indexOf("=");
    if (equals > 0) fields.set(part.slice(0, equals), part.slice(equals + 1));
  }
  const name = (key: string) => (fields.get(key) ? decode(fields.get(key) as string) : undefined);
  return {
    history: parseHistory(fields.get("h") ?? ""),
    blend: number(fields.get("b"), 0, 2),
    k: Math.round(number(fields.get("k"), 1, 100) ?? DEFAULT_K),
    why: name("why"),
    similar: name("similar"),
    view: parseView(fields.get("map") ?? ""),
  };
}

export function format(state: State): string {
  const parts: string[] = [];
  const history = state.history.map(({ item, weight }) =>
    encodeURIComponent(item) + (weight === 1 ? "" : `:${short(weight)}`));
  if (history.length > 0) parts.push(`h=${history.join(",")}`);
  if (state.blend !== undefined) parts.push(`b=${short(state.blend)}`);
  if (state.k !== DEFAULT_K) parts.push(`k=${state.k}`);
  if (state.why !== undefined) parts.push(`why=${encodeURIComponent(state.why)}`);
  if (state.similar !== undefined) parts.push(`similar=${encodeURIComponent(state.similar)}`);
  if (state.view) parts.push(`map=${[state.view.x, state.view.y, state.view.zoom].map(short).join(",")}`);
  return parts.length > 0 ? `#${parts.join("&")}` : "";
}
