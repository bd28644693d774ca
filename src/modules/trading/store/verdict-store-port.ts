import type { OwnLanding } from '../rules/landings.ts';
import type { Verdict } from '../rules/sandwich.ts';

/** How many trades of one sender got one verdict. */
export type VerdictCount = {
  readonly sender: string;
  readonly certainty: Verdict['certainty'];
  readonly trades: number;
};

/** What became of trades: what the tape shows around landed ones, each judged once, and whether the price let them through. */
export interface VerdictStore {
  /** Ids of intents of purchases and sales that succeeded in between and have no verdict, oldest first. Epoch milliseconds. */
  due(from: number, until: number, limit: number): Promise<readonly string[]>;
  /** Keeps the first verdict of an intent; a second one changes nothing. */
  insert(intentId: string, sender: string, verdict: Verdict, at: number): Promise<void>;
  /**
   * The newest trades of people since a moment that succeeded or that the price failed, newest first. Those of orders and copies are left
   * out: their minimum is no slippage.
   */
  landings(since: number, limit: number): Promise<readonly OwnLanding[]>;
  /**
   * Slots from the confirmed quote to the block, of the newest attempts that landed since a moment, with an error too, newest first. Trades
   * of orders and those from before the slot was kept are left out.
   */
  landingSlots(since: number, limit: number): Promise<readonly number[]>;
  /** The verdicts since that moment, counted by sender. */
  counts(from: number): Promise<readonly VerdictCount[]>;
}
