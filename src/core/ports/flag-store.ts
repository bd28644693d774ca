/** The operator's switches. */
export type Flag = 'signing-paused' | 'withdrawals-paused' | 'trading-paused' | 'payouts-paused';

export interface FlagStore {
  isSet(flag: Flag): Promise<boolean>;
  set(flag: Flag, on: boolean, at: number): Promise<void>;
}
