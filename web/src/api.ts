// The server's API: what it answers, and one function that asks.   docs/explorer.md

export interface Item {
  item: string;
  title?: string;
  link?: string;
  columns?: Record<string, string>;
  score?: number;
  popularity?: number;
}

export interface Ranking { items: Item[] }
export interface Neighbours extends Ranking { item: Item }
export interface Explanation { item: Item; score: number; rest: number; contributions: Item[] }

export type Metrics = Record<string, number>;
export type Options = Record<string, number | string | boolean>;

export interface Trial {
  options?: Options;
  rank?: number;
  solver?: string;
  steps?: number;
  users?: number;
  seconds?: number;
  valid?: Metrics;
}

export interface CurvePoint { step: number; seconds?: number; valid?: number; residual?: number }

export interface Story {
  solver?: string;
  steps?: number;
  residual?: number;
  contraction?: number;
  converged?: boolean;
  stopped?: string;
  seed?: number;
  data_fingerprint?: string;
  data_recipe?: { source?: { files?: string[] }; split?: { kind?: string; ratios?: number[] } };
  valid?: Metrics;
  test?: Metrics;
  intervals?: Record<string, [number, number]>;
  trials?: Trial[];
  best?: number;
  curve?: CurvePoint[];
}

export interface Model {
  loss: string;
  rank: number;
  users: number;
  items: number;
  interactions?: number;
  uses_prior: boolean;
  blend: number;
  options: Options;
  story?: Story | null;
  index?: { kind: string; "recall@10"?: number };
  version: string;
  explains: boolean;
  events: boolean;
}

export interface MapAnswer { items: string[]; titles?: (string | null)[]; x: number[]; y: number[]; popularity: number[] }

export interface Request {
  history: string[];
  weights?: number[];
  blend?: number;
  k?: number;
  item?: string;
}

/** What went wrong, in a sentence for the reader; status 0: no answer at all. */
export class ApiError extends Error {
  constructor(readonly status: number, message: string, readonly code = "") {
    super(message);
  }
}

const TOKEN = "sqmax-token";

export function keepToken(token: string): void {
  sessionStorage.setItem(TOKEN, token);
}

export function hasToken(): boolean {
  return sessionStorage.getItem(TOKEN) !== null;
}

function headers(body: unknown): Record<string, string> {
  const token = sessionStorage.getItem(TOKEN);
  return {
    Accept: "application/json",
    ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
  };
}

const PLAIN: Record<number, string> = {
  401: "The server asks for a token.",
  429: "The server was asked too often; wait a moment.",
  503: "The server is loading a model or closing; try again in a moment.",
};

/** The sentence of an error answer, whatever the body holds. */
export function failure(status: number, body: unknown): ApiError {
  const error = (body as { error?: { message?: string; code?: string } } | null)?.error;
  const message = error?.message ?? PLAIN[status] ?? `The server answered with status ${status}.`;
  return new ApiError(status, message, error?.code);
}

/** The same without fields that are null: an unknown number, in JSON. Lists keep theirs. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null).map(([name, each]) => [name, withoutNulls(each)]));
}

/** Asks for v1/`path`, by POST if there is a body. Throws ApiError, or AbortError when aborted. */
export async function ask<T>(path: string, signal: AbortSignal, body?: Request): Promise<T> {
  const post = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  let response: Response;
  try {
    const url = new URL(`v1/${path}`, document.baseURI);
    response = await fetch(url, { signal, headers: headers(body), cache: "no-store", ...post });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new ApiError(0, "The server does not answer. Is sqmax serve still running?");
  }
  const answer: unknown = await response.json().catch(() => null);
  if (signal.aborted) throw new DOMException("aborted", "AbortError");
  if (!response.ok) throw failure(response.status, answer);
  if (answer === null) throw new ApiError(response.status, "The server's answer is not JSON.");
  return withoutNulls(answer) as T;
}
