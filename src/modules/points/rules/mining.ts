import { ageAt } from '../../../core/time/age.ts';
import type { PointRules } from './rules.ts';
import { dayOf } from './utc.ts';

const HOUR_MS = 3_600_000;
/** Pauses longer than this are no rhythm. */
const RHYTHM_MS = 10_000;

/** The stored state of a Telegram account's mining. It belongs to the account, not to a wallet: deleting those resets nothing. */
export type Miner = {
  readonly telegramId: bigint;
  readonly userId: string;
  /** Grows with every change; a writer names the one it read. */
  readonly version: number;
  readonly energy: number;
  /** Up to here refilling is counted. Never moves back. */
  readonly energyAt: number;
  /** UTC day of `minedToday`. Never moves back. */
  readonly day: number;
  readonly minedToday: number;
  /** Days in a row with a tap that gave points, `day` the last of them. */
  readonly streak: number;
  readonly lastTapAt: number;
  readonly taps: number;
  /** Taps that came faster than a thumb. */
  readonly fastTaps: number;
  /** Pauses between taps in a row: how many, their sum and the sum of their squares. A script's hardly differ. */
  readonly pauses: number;
  readonly pauseSumMs: number;
  readonly pauseSquaresMs: number;
};

export type MineResult =
  | { readonly kind: 'mined'; readonly points: number }
  | { readonly kind: 'too-fast' }
  | { readonly kind: 'no-energy'; readonly moreAt: number }
  | { readonly kind: 'day-full'; readonly moreAt: number };

/** The state before the first tap. */
export function newMiner(input: {
  readonly telegramId: bigint;
  readonly userId: string;
  readonly now: number;
  readonly rules: PointRules;
}): Miner {
  return {
    telegramId: input.telegramId,
    userId: input.userId,
    version: 0,
    energy: input.rules.mining.energyMax,
    energyAt: input.now,
    day: dayOf(input.now),
    minedToday: 0,
    streak: 0,
    lastTapAt: 0,
    taps: 0,
    fastTaps: 0,
    pauses: 0,
    pauseSumMs: 0,
    pauseSquaresMs: 0,
  };
}

/** The same miner with refilled energy and, on a later day, a fresh cap. A clock that was set back gives nothing. */
export function rested(miner: Miner, now: number, rules: PointRules): Miner {
  const { energyMax, refillPerHour } = rules.mining;
  const day = Math.max(miner.day, dayOf(now));
  const today = {
    day,
    minedToday: day === miner.day ? miner.minedToday : 0,
    streak: day - miner.day > 1 ? 0 : miner.streak,
  };
  const elapsed = ageAt(miner.energyAt, now);
  if (elapsed === 0) return { ...miner, ...today };
  const gained = Math.floor((elapsed * refillPerHour) / HOUR_MS);
  // Full: the time is used up. Else only the time of whole units is, and the rest goes on counting.
  if (miner.energy + gained >= energyMax) {
    return { ...miner, ...today, energy: Math.max(miner.energy, energyMax), energyAt: now };
  }
  const used = Math.ceil((gained * HOUR_MS) / refillPerHour);
  return { ...miner, ...today, energy: miner.energy + gained, energyAt: miner.energyAt + used };
}

/** One tap: its points, and the miner afterwards. Pure; never above the day's cap, never below zero energy. */
export function mine(
  before: Miner,
  now: number,
  rules: PointRules,
): { readonly miner: Miner; readonly result: MineResult } {
  const { pointsPerTap, dailyCap, leastTapMs, refillPerHour } = rules.mining;
  const ready = rested(before, now, rules);
  // A clock that was set back tells no pause.
  const pause = now < before.lastTapAt ? RHYTHM_MS : ageAt(before.lastTapAt, now);
  const counted = { ...ready, version: before.version + 1, taps: before.taps + 1, lastTapAt: now };
  if (before.taps > 0 && pause < leastTapMs) {
    return { miner: { ...counted, fastTaps: before.fastTaps + 1 }, result: { kind: 'too-fast' } };
  }
  const miner =
    before.taps > 0 && pause < RHYTHM_MS
      ? {
          ...counted,
          pauses: before.pauses + 1,
          pauseSumMs: before.pauseSumMs + pause,
          pauseSquaresMs: before.pauseSquaresMs + pause * pause,
        }
      : counted;
  const points = Math.min(pointsPerTap, dailyCap - ready.minedToday);
  if (points <= 0) {
    return { miner, result: { kind: 'day-full', moreAt: (ready.day + 1) * 86_400_000 } };
  }
  if (ready.energy < points) {
    const wait = Math.ceil(((points - ready.energy) * HOUR_MS) / refillPerHour);
    return { miner, result: { kind: 'no-energy', moreAt: ready.energyAt + wait } };
  }
  return {
    miner: {
      ...miner,
      energy: ready.energy - points,
      minedToday: ready.minedToday + points,
      streak: ready.minedToday === 0 ? ready.streak + 1 : ready.streak,
    },
    result: { kind: 'mined', points },
  };
}
