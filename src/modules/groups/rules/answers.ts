import { ageAt } from '../../../core/time/age.ts';

/** Telegram takes about 20 messages a minute in a group; other bots write there, too. */
export const GROUP_LIMITS = {
  answersPerMinute: 10,
  minuteMs: 60_000,
  /** The same mint is answered once in this time. */
  sameMintMs: 30_000,
  /** Calls with a result that a caller needs to be listed. */
  leastCalls: 5,
} as const;

/** The moments of a group's answers in the last minute (steady milliseconds), and of its newest answer about each mint. */
export type Answered = { readonly at: readonly number[]; readonly mints: ReadonlyMap<string, number> };

export const NOT_ANSWERED: Answered = { at: [], mints: new Map() };

/**
 * The state after one more answer at `now`, about a mint where one is named. Null where the minute is full, or where the mint was answered
 * less than 30 s ago: then nothing is said.
 */
export function afterAnswer(before: Answered, now: number, mint: string | null): Answered | null {
  const at = before.at.filter((one) => ageAt(one, now) < GROUP_LIMITS.minuteMs);
  const mints = new Map(
    [...before.mints].filter(([, answeredAt]) => ageAt(answeredAt, now) < GROUP_LIMITS.sameMintMs),
  );
  if (at.length >= GROUP_LIMITS.answersPerMinute) return null;
  if (mint !== null && mints.has(mint)) return null;
  if (mint !== null) mints.set(mint, now);
  return { at: [...at, now], mints };
}
