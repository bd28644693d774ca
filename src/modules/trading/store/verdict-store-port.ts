import type { Verdict } from '../rules/sandwich.ts';

/** How many trades of one sender got one verdict. */
export type VerdictCount = {
  readonly sender: string;
  readonly certainty: Verdict['certainty'];
  readonly trades: number;
};

/** What the tape shows around landed trades, each judged once. */
export interface VerdictStore {
  /** Ids of intents of purchases and sales that succeeded in between and have no verdict, oldest first. Epoch milliseconds. */
  due(from: number, until: number, limit: number): Promise<readonly string[]>;
  /** Keeps the first verdict of an intent; a second one changes nothing. */
  insert(intentId: string, sender: string, verdict: Verdict, at: number): Promise<void>;
  /** The verdicts since that moment, counted by sender. */
  counts(from: number): Promise<readonly VerdictCount[]>;
}
