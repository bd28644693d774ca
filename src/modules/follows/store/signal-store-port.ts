import type { Address } from '@tradepost/solana';
import type { Signal, SignalWindow } from '../rules/signal.ts';
import type { ToldHour } from '../rules/told-hour.ts';

/** A window that a person was notified of, or that was counted for the end of the hour. */
export type SignalHit = Pick<SignalWindow, 'beganAt' | 'until'> & {
  readonly userId: string;
  readonly mint: Address;
};

/** People who hear of several wallets that bought the same token, and the windows of their notices. */
export interface SignalStore {
  /** A person's; null while it is off. */
  find(userId: string): Promise<Signal | null>;
  /** Wallets and span; where there is a row its hour stays. */
  save(signal: Signal): Promise<void>;
  /** Switches it off. The windows of its notices stay. */
  remove(userId: string): Promise<void>;

  /** Those of everybody who follows one of these wallets, by user; locked until the end of the transaction. */
  ofFollowers(leaders: readonly Address[]): Promise<readonly Signal[]>;
  /** Its hour: for the reader of the log alone. */
  count(signal: Pick<Signal, 'userId' | keyof ToldHour>): Promise<void>;
  /** Those with counted signals whose hour began at or before a moment; those that another process has locked are left out. */
  dueDigests(hourAtMost: number): Promise<readonly Signal[]>;

  /** The newest windows of these people in these tokens. */
  hits(userIds: readonly string[], mints: readonly Address[]): Promise<readonly SignalHit[]>;
  /** False, and nothing is stored, where a window of the person and token reaches into this one, or is later. */
  addHit(hit: SignalHit): Promise<boolean>;
}
