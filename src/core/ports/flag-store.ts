/**
 * The operator's switches. `quarantined` is not for a hand to set: it stands while the chain may know of payments that the
 * database does not, and ends with `npm run ops -- reconcile`.
 */
export type Flag =
  | 'signing-paused'
  | 'withdrawals-paused'
  | 'trading-paused'
  | 'payouts-paused'
  | 'quarantined';

export interface FlagStore {
  isSet(flag: Flag): Promise<boolean>;
  /** All flags that are on; inside a transaction none of them changes before it ends. */
  hold(): Promise<ReadonlySet<Flag>>;
  /** Waits for the transactions that hold the flags: when it resolves, nothing goes on that was judged by the former value. */
  set(flag: Flag, on: boolean, at: number): Promise<void>;
}
