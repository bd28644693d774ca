import type { Address } from '@tradepost/solana';
import type { CopyRules } from './copy.ts';
import type { Skip } from './judge-copy.ts';

/** A copy without money: it decides as a real one and signs nothing. One per person and leader. */
export type PaperCopy = {
  readonly userId: string;
  readonly leader: Address;
  readonly followId: string;
  /** The wallet that a real copy would trade with: tokens hidden there are hidden here. */
  readonly walletId: string;
  readonly rules: CopyRules;
  /** Trades of the leader count from here on. */
  readonly since: number;
};

/** A leader's trade as a paper copy decided on it, once. Nothing moved where it has a skip. */
export type PaperTrade = {
  readonly userId: string;
  readonly leader: Address;
  readonly signature: string;
  /** As of a real copy: side and token. */
  readonly leg: string;
  readonly mint: Address;
  readonly side: 'buy' | 'sell';
  readonly skip: Skip | null;
  /** Of a purchase what it takes; of a sale what it brings, fees taken off. */
  readonly lamports: bigint;
  /** Of a purchase: the network's part on top. */
  readonly network: bigint;
  readonly units: bigint;
  readonly seenAt: number;
};

/** The rest of a token on paper, and what went in and out. */
export type PaperRest = { readonly units: bigint; readonly paid: bigint; readonly got: bigint };

/** By token, in no order. Skips move nothing. */
export function paperRests(trades: readonly PaperTrade[]): ReadonlyMap<Address, PaperRest> {
  const rests = new Map<Address, PaperRest>();
  for (const { mint, side, skip, lamports, network, units } of trades) {
    if (skip !== null) continue;
    const before = rests.get(mint) ?? { units: 0n, paid: 0n, got: 0n };
    rests.set(
      mint,
      side === 'buy'
        ? { ...before, units: before.units + units, paid: before.paid + lamports + network }
        : { ...before, units: before.units - units, got: before.got + lamports },
    );
  }
  return rests;
}

/** The outcome of a paper copy so far. */
export type PaperResult = {
  readonly bought: number;
  readonly sold: number;
  readonly skipped: number;
  readonly paidLamports: bigint;
  /** What came out and what the rest would bring now, less what went in. */
  readonly gainLamports: bigint;
};

/** The outcome, with `worth` for the rest of each token: lamports of a sale now, fees taken off. */
export function paperResult(trades: readonly PaperTrade[], worth: ReadonlyMap<Address, bigint>): PaperResult {
  const rests = [...paperRests(trades)];
  const count = (is: (trade: PaperTrade) => boolean): number => trades.filter(is).length;
  const paidLamports = rests.reduce((sum, [, { paid }]) => sum + paid, 0n);
  const out = rests.reduce(
    (sum, [mint, { units, got }]) => sum + got + (units > 0n ? (worth.get(mint) ?? 0n) : 0n),
    0n,
  );
  return {
    bought: count(({ side, skip }) => side === 'buy' && skip === null),
    sold: count(({ side, skip }) => side === 'sell' && skip === null),
    skipped: count(({ skip }) => skip !== null),
    paidLamports,
    gainLamports: out - paidLamports,
  };
}
