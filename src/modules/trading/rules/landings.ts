import type { Address } from '@tradepost/solana';

/** A trade of the desk that a person asked for and that ended. */
export type OwnLanding = {
  readonly mint: Address;
  /** Address of its wallet. */
  readonly wallet: Address;
  /** Whether a launchpad's curve was on its way. */
  readonly isCurve: boolean;
  readonly slippageBps: number;
  /** Whether the price failed it, before it was signed or on the chain, once or for good. */
  readonly failed: boolean;
  /** Epoch milliseconds of its end. */
  readonly at: number;
};

/** The trades that speak about a slippage: those that took at least so much, and how many of them the price failed. */
export type OwnRecord = { readonly tried: number; readonly failed: number };

/** How long the desk's own trades take from the quote that was confirmed to their block, in slots. */
export type LandingTime = {
  /** Half of them took no more. */
  readonly p50: number;
  /** Nine of ten took no more. */
  readonly p90: number;
};

/** Fewer say nothing. */
const FEW = 20;
/** Slots that a landing counts as. */
const LANDING = { least: 2, most: 30 } as const;
/** One failure may be chance. */
const CHANCE = 1;
const FAILED_SHARE = 0.01;
/** The most that landings raise a slippage. */
const STEPS = [1, 1.25, 1.5, 2] as const;
/** A trade of the same wallet and token that failed so recently. */
const RECENT_MS = 5 * 60_000;
const AFTER_FAILURE = 1.5;

/**
 * The factor that the desk's own landings put on a slippage of a token, from 1 to 2, and the record behind it. The record is null where
 * fewer than 20 trades took so much. The smallest step of 1, 1¼, 1½ and 2 at which at most 1 % of those trades failed, or a single one.
 *
 * A trade that failed with a wider slippage would have failed with this one. So the share is the least that would fail: trades that took
 * less, and passes of wider ones, prove nothing. The token's own trades count where there are 20; else those of all tokens of its class.
 */
export function raisedByLandings(
  wantedBps: number,
  of: { readonly mint: Address; readonly isCurve: boolean },
  landings: readonly OwnLanding[],
): { readonly factor: number; readonly record: OwnRecord | null } {
  const own = landings.filter(({ mint }) => mint === of.mint);
  const class_ = landings.filter(({ isCurve }) => isCurve === of.isCurve);
  const all = own.length >= FEW ? own : class_;
  let [factor, record]: [number, OwnRecord | null] = [1, null];
  for (const step of STEPS) {
    const at = recordAt(all, wantedBps * step);
    if (at.tried < FEW) break;
    if (record === null) record = at;
    factor = step;
    if (at.failed <= CHANCE || at.failed <= FAILED_SHARE * at.tried) break;
  }
  return { factor, record };
}

/** 1.5 where the price failed the newest trade of this wallet and token less than five minutes ago; else 1. */
export function raisedAfterFailure(
  of: { readonly mint: Address; readonly wallet: Address },
  landings: readonly OwnLanding[],
  now: number,
): number {
  const [newest] = landings
    .filter(({ mint, wallet }) => mint === of.mint && wallet === of.wallet)
    .toSorted((one, other) => other.at - one.at);
  return newest?.failed === true && newest.at > now - RECENT_MS && newest.at <= now ? AFTER_FAILURE : 1;
}

/**
 * The landing time of the desk's own trades, from 2 to 30 slots, by the smallest measure that at least so many of them did not exceed. Null
 * where fewer than 20 were measured. A landing before its quote is no measure: a node was behind.
 */
export function landingTime(slots: readonly number[]): LandingTime | null {
  const sorted = slots.filter((one) => one >= 0).toSorted((one, other) => one - other);
  if (sorted.length < FEW) return null;
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
  const within = (value: number): number => Math.min(LANDING.most, Math.max(LANDING.least, value));
  return { p50: within(at(0.5)), p90: within(at(0.9)) };
}

function recordAt(landings: readonly OwnLanding[], bps: number): OwnRecord {
  const tried = landings.filter(({ slippageBps }) => slippageBps >= bps);
  return { tried: tried.length, failed: tried.filter(({ failed }) => failed).length };
}
