import type { Pause, Switch } from './rules.ts';

/**
 * The operator's switches. `quarantined` is not for a hand to set: it holds while the chain may know of payments that the database does
 * not, and ends with `npm run ops -- reconcile`.
 */
export type Flag = `${Switch}-paused` | 'quarantined';

export interface FlagStore {
  isSet(flag: Flag): Promise<boolean>;
  /** All flags that are on; inside a transaction none of them changes before it ends, but one whose time is over. */
  hold(): Promise<ReadonlySet<Flag>>;
  /** The pauses now, with their reasons; the oldest first. */
  pauses(): Promise<readonly Pause[]>;
  /** When one of these was thrown for the last time, whether it still holds or not; null = never. Epoch milliseconds. */
  lastThrown(flags: readonly Flag[]): Promise<number | null>;
  /**
   * Waits for the transactions that hold the flags: when it resolves, no work goes on that was judged by the former value. `note` gives the
   * reason and the end; without it the flag holds until it is set again. Resolves to the pause that held before.
   */
  set(
    flag: Flag,
    on: boolean,
    at: number,
    note?: { readonly reason: string; readonly until: number | null },
  ): Promise<Pause | null>;
}
