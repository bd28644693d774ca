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
  set(flag: Flag, on: boolean, at: number): Promise<void>;
}
