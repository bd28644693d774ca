import { type Address, LAMPORTS_PER_SOL } from '@tradepost/solana';
import { ageAt } from '../../../core/time/age.ts';
import { GROUP_LIMITS } from './answers.ts';

/** The first scan of a mint in a group, and the worth of one SOL that went in a slot later. */
export type GroupCall = {
  readonly groupId: bigint;
  readonly mint: Address;
  /** Telegram's id and the name of the caller; both null after /forgetme, and where a chat called. */
  readonly callerId: bigint | null;
  readonly callerName: string | null;
  /** Epoch milliseconds. */
  readonly calledAt: number;
  /** Of the pools at the scan: the purchase is priced in a later one. */
  readonly calledSlot: bigint;
  /** The price at the scan, dollars × 10^12 of a whole token; null where it was not known. */
  readonly picoUsd: bigint | null;
  /** Units that `STAKE_LAMPORTS` bought, every fee in; null until that is known. */
  readonly units: bigint | null;
  /** Lamports that their sale would bring, every fee off, at the newest reading; 0 where nothing buys them. */
  readonly lamports: bigint | null;
  /** The highest such worth that held for six slots. */
  readonly bestLamports: bigint | null;
  /** A worth above the best that has not held yet: the least since it was seen, and the slot of its first reading. */
  readonly high: { readonly lamports: bigint; readonly slot: bigint } | null;
  /** Epoch milliseconds of the next reading. */
  readonly dueAt: number;
};

export const STAKE_LAMPORTS = LAMPORTS_PER_SOL;

const HELD_SLOTS = 6n;
/** Two readings further apart say nothing of the time between them. */
const APART_SLOTS = 150n;
const HELD_MS = 3_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A call as it is made: its purchase is read at once. */
export const newCall = (
  call: Pick<
    GroupCall,
    'groupId' | 'mint' | 'callerId' | 'callerName' | 'calledAt' | 'calledSlot' | 'picoUsd'
  >,
): GroupCall => ({
  ...call,
  units: null,
  lamports: null,
  bestLamports: null,
  high: null,
  dueAt: call.calledAt,
});

/** The price of a sale of all units; `slot` is null where nothing buys them. */
export type Reading = { readonly lamports: bigint; readonly slot: bigint | null; readonly now: number };

/**
 * The call after a reading. A worth above the best counts when a later reading, six slots on or more, confirms it, and then as the least
 * of the readings between: never a wick.
 */
export function afterReading(call: GroupCall, { lamports, slot, now }: Reading): GroupCall {
  const rest = { ...call, lamports, high: null, dueAt: now + everyMs(ageAt(call.calledAt, now)) };
  const best = call.bestLamports ?? 0n;
  if (slot === null || lamports <= best) return rest;
  const { high } = call;
  const waits = { ...rest, dueAt: now + HELD_MS };
  if (high === null || slot - high.slot > APART_SLOTS || slot < high.slot)
    return { ...waits, high: { lamports, slot } };
  const low = lamports < high.lamports ? lamports : high.lamports;
  if (slot - high.slot < HELD_SLOTS) return { ...waits, high: { lamports: low, slot: high.slot } };
  return { ...rest, bestLamports: low > best ? low : best };
}

/** Young calls move most. */
function everyMs(ageMs: number): number {
  if (ageMs < HOUR_MS) return MINUTE_MS;
  return ageMs < DAY_MS ? 10 * MINUTE_MS : 2 * HOUR_MS;
}

/** A caller of a group with their results, in lamports for one SOL. */
export type Standing = {
  readonly callerId: bigint;
  readonly callerName: string;
  readonly calls: number;
  readonly medianLamports: bigint;
  readonly bestLamports: bigint;
};

/** Callers with at least five valued calls, by the median worth of their calls now; a dead one counts with nothing. */
export function standings(calls: readonly GroupCall[]): readonly Standing[] {
  const byCaller = new Map<bigint, GroupCall[]>();
  for (const call of calls) {
    if (call.callerId === null || call.lamports === null) continue;
    byCaller.set(call.callerId, [...(byCaller.get(call.callerId) ?? []), call]);
  }
  return [...byCaller]
    .filter(([, own]) => own.length >= GROUP_LIMITS.leastCalls)
    .map(([callerId, own]) => ({
      callerId,
      callerName: own.at(-1)?.callerName ?? '',
      calls: own.length,
      medianLamports: median(own.map(({ lamports }) => lamports ?? 0n)),
      bestLamports: own.reduce((most, { bestLamports }) => maxOf(most, bestLamports ?? 0n), 0n),
    }))
    .sort((a, b) => compare(b.medianLamports, a.medianLamports) || compare(a.callerId, b.callerId));
}

const maxOf = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/** Between the two in the middle, rounded down; 0 of none. */
export function median(values: readonly bigint[]): bigint {
  const sorted = values.toSorted(compare);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0n;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0n) + upper) / 2n;
}

/** The days of `/lb 7d`: 30 without words, null for anything but 1d to 30d. */
export function readDays(text: string): number | null {
  if (text.trim() === '') return 30;
  const match = /^(\d{1,2})\s?d$/i.exec(text.trim());
  const days = Number(match?.[1] ?? 0);
  return days >= 1 && days <= 30 ? days : null;
}
