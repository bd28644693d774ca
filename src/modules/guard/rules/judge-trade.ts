import { divCeil, MAX_U64 } from '@tradepost/solana';
import type { PinReason } from '../../../core/errors/details.ts';
import type { Reading } from '../../../core/time/due.ts';
import type { TradeTerms } from '../../../engine/intents/rules/terms.ts';
import { capNow } from './cap.ts';
import type { Doubt } from './doubt.ts';
import { assertNotFrozen } from './freeze.ts';
import { type Grants, grantsHold } from './grants.ts';
import type { Guard, GuardRules } from './guard.ts';
import { leftWithoutPin, rest, type SpentSums } from './spent.ts';
import { hasRipePin, isUnlocked } from './unlock.ts';

export type { PinReason } from '../../../core/errors/details.ts';

/** Below this share of the amount in, a round trip or a sale loses money to the other side. */
export const FAIR_RETURN_BPS = 8_500;

/**
 * Where a trade comes from. Of a `tap`, an `auto-buy` and a `placing` the person is there and can be asked; a `fire` of an order, a
 * `round` of a schedule, a `leg` of a bracket and a `copy` happen by themselves, on earlier grants. A `program` is there, too, and hears
 * what its person would be asked; a PIN that was typed in the chat unlocks nothing of its.
 */
export type TradeSource = 'tap' | 'auto-buy' | 'placing' | 'program' | 'fire' | 'round' | 'leg' | 'copy';

const ATTENDED: ReadonlySet<TradeSource> = new Set(['tap', 'auto-buy', 'placing', 'program']);

/**
 * The counts of a trade, in lamports, network fees included. `s`: without a PIN. `k`: in all. `d`: of these for doubted tokens. `floor`:
 * of a sale that no other limit has room for, its fees at the lowest priority.
 */
export type Counted = Pick<SpentSums, 's' | 'k' | 'd' | 'floor'>;

const NOTHING: Counted = { s: 0n, k: 0n, d: 0n, floor: 0n };

export type TradeCase = {
  /** `spend`: lamports that leave for no trade, as for making a token. */
  readonly side: 'buy' | 'sell' | 'spend';
  /** Smallest units of the amount in: lamports of a buy. */
  readonly units: bigint;
  /** The least that may arrive, as it will be signed; at placing, as it would be signed at the price of the order. */
  readonly minOut: bigint;
  /** The least that any later fire may bring; equals `minOut` where there is no later. Null: judged and agreed at placing. */
  readonly leastOut: bigint | null;
  /** The output of the units at the price of the trade, before its own impact. */
  readonly spotOut: bigint;
  /** The same at the middle price of the last hour; null where the tape has no record. */
  readonly medianOut: bigint | null;
  readonly doubts: readonly Doubt[];
  /** Network fees at most, in lamports. */
  readonly fees: bigint;
  /** The same at the lowest priority; null where it may not fall back to that. */
  readonly floorFees: bigint | null;
  readonly guard: Guard;
  /** Of the order; null where none was given. */
  readonly grants: Grants | null;
  readonly spent: SpentSums;
  readonly rules: GuardRules;
  readonly source: TradeSource;
  readonly now: Reading;
};

/** The judge's yes, which `passFire` takes. */
export type TradePass = Extract<TradeVerdict, { readonly kind: 'pass' }>;

/** The reason for which an order pauses when it cannot ask. `locked`: its grants count no more. */
export type TradePause = 'cap' | 'steep' | 'doubt' | 'locked';

export type TradeVerdict =
  /** `count` is to be counted in the commit that writes it. `covered`: the reasons that the PIN, or the grant, has allowed. */
  | {
      readonly kind: 'pass';
      readonly count: Counted;
      readonly covered: readonly PinReason[];
      /** Only at the lowest priority. */
      readonly isAtFloor?: true;
    }
  /** The PIN allows it. `left` of `cap` may be spent without it. */
  | {
      readonly kind: 'ask';
      readonly reasons: readonly PinReason[];
      readonly cap: bigint;
      readonly left: bigint;
    }
  /** More than may be spent within 24 hours, even with the PIN. */
  | {
      readonly kind: 'refuse';
      readonly of: 'all' | 'doubted';
      readonly needed: bigint;
      readonly cap: bigint;
      readonly left: bigint;
    }
  | { readonly kind: 'pause'; readonly reason: TradePause; readonly doubts: readonly Doubt[] };

/**
 * The one judge of trades: of taps, placings, fires, rounds, legs, pasted tokens and copies. Pure; the caller holds the person's guard
 * lock where its verdict has an effect, and counts a trade that passed. Throws ACCOUNT_FROZEN.
 */
export function judgeTrade(input: TradeCase): TradeVerdict {
  assertNotFrozen(input.guard, input.now);
  const verdict = judgeCounted(input);
  return verdict.kind === 'pass' ? verdict : (judgeAtFloor(input) ?? verdict);
}

/** A sale that its fees alone would stop: it is judged without them, and they are counted apart. Null where there is no room for them. */
function judgeAtFloor(input: TradeCase): TradeVerdict | null {
  const { side, floorFees, rules, spent } = input;
  if (side !== 'sell' || floorFees === null) return null;
  if (floorFees > rest(rules.floorFeesLamports, spent.floor)) return null;
  const verdict = judgeCounted({ ...input, fees: 0n });
  if (verdict.kind !== 'pass') return verdict;
  return { ...verdict, count: { ...NOTHING, floor: floorFees }, isAtFloor: true };
}

function judgeCounted(input: TradeCase): TradeVerdict {
  const { guard, grants, source, now, rules, spent, doubts } = input;
  const isAttended = ATTENDED.has(source);
  const lamports = (input.side === 'sell' ? 0n : input.units) + input.fees;
  const limit = overLimit(input, lamports);
  if (limit !== null && isAttended) return { kind: 'refuse', needed: lamports, ...limit };
  if (limit !== null) return { kind: 'pause', reason: 'cap', doubts: [] };
  const left = leftWithoutPin(guard, spent, now, rules);
  const reasons = pinReasons(input, lamports > left);
  const counted = { ...NOTHING, k: lamports, d: isDoubted(input) ? lamports : 0n };
  const held = isAttended ? source !== 'program' && isUnlocked(guard, now) : grantsHold(grants, guard, now);
  const open = held ? reasons.filter((reason) => !isAttended && !isGranted(reason, grants)) : reasons;
  if (held && open.length === 0) return { kind: 'pass', count: counted, covered: reasons };
  if (isAttended)
    return reasons.length === 0
      ? { kind: 'pass', count: { ...counted, s: lamports }, covered: [] }
      : { kind: 'ask', reasons, cap: capNow(guard, now, rules, 'spending'), left };
  // A grant is asked for only where it is needed: without it the order is not the one that was agreed.
  if (grants !== null && !held) return { kind: 'pause', reason: 'locked', doubts: [] };
  const reason = pauseOf(open);
  if (reason !== null) return { kind: 'pause', reason, doubts: reason === 'doubt' ? doubts : [] };
  return { kind: 'pass', count: { ...counted, s: held ? 0n : lamports }, covered: [] };
}

/** The reasons for which the PIN is needed, whether or not it was typed. */
function pinReasons(input: TradeCase, isOverCap: boolean): readonly PinReason[] {
  const { side, minOut, leastOut, spotOut, medianOut, guard, now } = input;
  const isSale = side === 'sell';
  // A sale at its price asks nothing, however young the token. A sale below it asks a PIN, unless that would stop the way out.
  const hasPin = hasRipePin(guard, now);
  const doubts = isSale ? [] : input.doubts;
  const isFallen =
    isSale && hasPin && medianOut !== null && leastOut !== null && isBelowFair(leastOut, medianOut);
  return [
    ...doubts,
    ...(isSale && isBelowFair(minOut, spotOut) ? (['steep'] as const) : []),
    ...(isFallen ? (['fallen'] as const) : []),
    ...(isOverCap ? (['cap'] as const) : []),
  ];
}

function isBelowFair(minOut: bigint, fairOut: bigint): boolean {
  return minOut * 10_000n < fairOut * BigInt(FAIR_RETURN_BPS);
}

function isGranted(reason: PinReason, grants: Grants | null): boolean {
  if (grants === null) return false;
  if (reason === 'cap') return true;
  if (reason === 'steep' || reason === 'fallen') return grants.steep;
  return grants.doubts.includes(reason);
}

function pauseOf(reasons: readonly PinReason[]): TradePause | null {
  if (reasons.some((reason) => reason !== 'steep' && reason !== 'fallen' && reason !== 'cap')) return 'doubt';
  if (reasons.includes('steep') || reasons.includes('fallen')) return 'steep';
  return reasons.includes('cap') ? 'cap' : null;
}

const isDoubted = ({ side, doubts }: TradeCase): boolean => side === 'buy' && doubts.length > 0;

/** The limit of all spending, or of doubted tokens, that it would pass. */
function overLimit(
  input: TradeCase,
  lamports: bigint,
): Pick<Extract<TradeVerdict, { kind: 'refuse' }>, 'of' | 'cap' | 'left'> | null {
  const { rules, spent } = input;
  const limits = [
    { of: 'all' as const, cap: rules.allSpendingLamports, used: spent.k },
    ...(isDoubted(input) ? [{ of: 'doubted' as const, cap: rules.doubtedLamports, used: spent.d }] : []),
  ];
  for (const { of, cap, used } of limits) {
    const left = rest(cap, used);
    if (lamports > left) return { of, cap, left };
  }
  return null;
}

/**
 * The output without the trade's own impact, from terms that hold the output with it; net of fees as these are. Rounded down: the impact
 * was rounded up.
 */
export function spotOutOf({
  quotedOut,
  priceImpactBps,
}: Pick<TradeTerms, 'quotedOut' | 'priceImpactBps'>): bigint {
  const kept = 10_000 - priceImpactBps;
  return kept <= 0 ? MAX_U64 : (quotedOut * 10_000n) / BigInt(kept);
}

/** The least fair output of a sale. `spotOut` is its output without its own impact. Rounded up. */
export function fairOut(spotOut: bigint): bigint {
  return divCeil(spotOut * BigInt(FAIR_RETURN_BPS), 10_000n);
}
