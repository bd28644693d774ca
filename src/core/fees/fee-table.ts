import { type Bps, bps } from '../amounts/bps.ts';
import type { IntentParams } from '../intents/params.ts';

/** What the service takes, and what it shares of it, from a day on. */
export type FeeTerms = {
  readonly version: number;
  /** Epoch milliseconds of the first moment these terms hold; they end where the next ones begin. */
  readonly from: number;
  /** Of the SOL side of a trade, rounded down. */
  readonly platformFeeBps: Bps;
  /** The inviter's part of every fee, rounded down. */
  readonly referralShareBps: Bps;
  readonly creationFeeLamports: bigint;
  readonly launchFeeLamports: bigint;
};

/**
 * Append a row to change fees; never edit one that has been in force, because old receipts are verified against it. The
 * environment's FEE_BPS, REFERRAL_SHARE_BPS and CREATE_FEE_LAMPORTS, where set, stand in every row instead.
 */
export const FEE_TABLE: readonly FeeTerms[] = [
  {
    version: 1,
    from: 0,
    platformFeeBps: bps(100),
    referralShareBps: bps(3_000),
    creationFeeLamports: 20_000_000n,
    launchFeeLamports: 20_000_000n,
  },
];

/** The terms in force at `at`. Throws RangeError for a time before the first row: there is nothing to compare with. */
export function feesAt(at: number, table: readonly FeeTerms[] = FEE_TABLE): FeeTerms {
  const terms = table.filter(({ from }) => from <= at).toSorted((a, b) => b.from - a.from)[0];
  if (terms === undefined) throw new RangeError(`the fee table has no row for ${at}`);
  return terms;
}

/** Kinds of intents that carry a platform fee, which an inviter has a share of. */
export const FEE_KINDS: readonly IntentParams['kind'][] = ['buy', 'sell', 'create-token', 'launch'];
