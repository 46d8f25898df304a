// How often everything was asked: a new count asks the server again.
import { createContext } from "preact";

import type { ApiError } from "./api";

export interface AttemptsValue {
  count: number;
  failed: (error: ApiError) => void;
  again: () => void;
}

export const Attempts = createContext<AttemptsValue>({ count: 0, failed: () => {}, again: () => {} });
