// Hooks: answers of the server that follow what is asked; late answers to old questions are dropped.
import { useContext, useEffect, useState } from "preact/hooks";

import { ApiError, ask, type Item, type Request } from "./api";
import { Attempts } from "./attempts";
import { remember } from "./directory";

export interface Answer<T> { value?: T; error?: ApiError; busy: boolean }

function itemsOf(answer: unknown): Item[] {
  const { item, items, contributions } = answer as Record<string, unknown>;
  const all = [item, ...(Array.isArray(items) ? items : []), ...(Array.isArray(contributions) ? contributions : [])];
  return all.filter((each): each is Item => typeof each === "object" && each !== null);
}

/** The answer to `path` (none if null), asked `delay` ms after the last change of the question.
 *  While a new answer is awaited the old one stays, with `busy`. */
export function useAnswer<T>(path: string | null, body?: Request, delay = 0): Answer<T> {
  const attempts = useContext(Attempts);
  const [answer, setAnswer] = useState<Answer<T>>({ busy: path !== null });
  const key = path === null ? null : JSON.stringify([path, body, attempts.count]);

  useEffect(() => {
    if (path === null) {
      setAnswer({ busy: false });
      return undefined;
    }
    const control = new AbortController();
    setAnswer((old) => ({ ...old, busy: true }));
    const timer = setTimeout(() => {
      ask<T>(path, control.signal, body).then((value) => {
        remember(itemsOf(value));
        setAnswer({ value, busy: false });
      }).catch((reason: unknown) => {
        if (control.signal.aborted) return;
        const error = reason instanceof ApiError ? reason : new ApiError(0, String(reason));
        setAnswer({ error, busy: false });
        attempts.failed(error);
      });
    }, delay);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [key]);
  return answer;
}
