// The directory: what is known of items, from every answer that named them.
import { useContext, useEffect, useState } from "preact/hooks";

import { ApiError, ask, type Item, type Ranking } from "./api";
import { Attempts } from "./attempts";

const known = new Map<string, Item>();

export function remember(items: Item[]): void {
  for (const { score: _, ...about } of items) known.set(about.item, { ...known.get(about.item), ...about });
}

export function about(item: string): Item {
  return known.get(item) ?? { item };
}

export interface Lookup { ready: boolean; missing: Set<string>; error?: ApiError }

/** Asks for those of `items` nobody named yet; `missing` are those that this model does not have. */
export function useLookup(items: string[]): Lookup {
  const attempts = useContext(Attempts);
  const [missing, setMissing] = useState<Set<string>>(new Set());
  const [error, setError] = useState<ApiError>();
  const wanted = items.filter((item) => !known.has(item) && !missing.has(item));
  const key = JSON.stringify([wanted, attempts.count]);

  useEffect(() => {
    if (wanted.length === 0) return undefined;
    const control = new AbortController();
    const query = wanted.map((item) => `id=${encodeURIComponent(item)}`).join("&");
    ask<Ranking>(`items?${query}`, control.signal).then((answer) => {
      remember(answer.items);
      setError(undefined);
      setMissing(new Set([...missing, ...wanted.filter((item) => !known.has(item))]));
    }).catch((reason: unknown) => {
      if (control.signal.aborted || !(reason instanceof ApiError)) return;
      setError(reason);
      attempts.failed(reason);
    });
    return () => control.abort();
  }, [key]);
  return { ready: wanted.length === 0, missing, ...(error && wanted.length > 0 ? { error } : {}) };
}
