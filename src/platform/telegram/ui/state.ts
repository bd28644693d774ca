import type { Button, ButtonStore } from '../../ports/button-store.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';
import { fromPlainJson, toPlainJson } from './plain-json.ts';

/** Raised when payloads change shape: a button of an older release is then an old button, not a wrong one. */
const VERSION = 1;
const DAY_MS = 86_400_000;

/** The state behind a screen's buttons: one row per screen, which its buttons' actions share. */
export interface ButtonStates {
  /** Stores `payload` for the person and answers the id for `act`. Valid for a day unless said otherwise. */
  issue(input: {
    readonly userId: string;
    /** The feature that reads it, or all that do. */
    readonly feature: string | readonly string[];
    readonly payload: unknown;
    readonly ttlMs?: number;
  }): Promise<string>;
  /** The payload, or null when the button is old, used, another person's, or another feature's. Uses nothing up. */
  read(input: {
    readonly id: string;
    readonly userId: string;
    readonly feature: string;
    /** That row, where this update has read it. */
    readonly row?: Button | null;
  }): Promise<unknown>;
  /** Uses the row up; false for everybody but the first. */
  use(input: { readonly id: string; readonly userId: string }): Promise<boolean>;
}

export function createButtonStates(deps: {
  readonly buttons: Pick<ButtonStore, 'insert' | 'peek' | 'consume'>;
  readonly clock: Clock;
  readonly ids: Ids;
}): ButtonStates {
  return {
    issue: async ({ userId, feature, payload, ttlMs = DAY_MS }) => {
      const id = deps.ids.token();
      await deps.buttons.insert([
        {
          id,
          userId,
          action: [feature].flat().join(' '),
          payload: { v: VERSION, d: toPlainJson(payload) },
          expiresAt: deps.clock.now() + ttlMs,
          usedAt: null,
        },
      ]);
      return id;
    },
    read: async ({ id, userId, feature, row: known }) => {
      const row =
        known?.id === id && known.userId === userId
          ? known
          : await deps.buttons.peek(id, userId, deps.clock.now());
      if (row === null || !row.action.split(' ').includes(feature)) return null;
      const { payload } = row;
      if (typeof payload !== 'object' || payload === null || !('v' in payload) || !('d' in payload))
        return null;
      return payload.v === VERSION ? fromPlainJson(payload.d) : null;
    },
    use: async ({ id, userId }) => (await deps.buttons.consume(id, userId, deps.clock.now())) !== null,
  };
}
