import { periodAt } from './utc.ts';

/** Facts that the database counts. Each was written for another reason. */
export const FACTS = ['trades', 'trade-points', 'mined', 'streak', 'pin', 'invitees', 'tokens'] as const;
export type Fact = (typeof FACTS)[number];
export type Facts = Readonly<Record<Fact, number>>;

export type Mission = {
  /** Part of the claim's key: never reused for another task. */
  readonly id: string;
  readonly period: 'daily' | 'weekly' | 'once';
  readonly fact: Fact;
  readonly target: number;
  readonly points: number;
  /** On offer in [from, until), epoch milliseconds; null = no end. */
  readonly from: number;
  readonly until: number | null;
};

const START = Date.UTC(2026, 10, 1);
const since = { from: START, until: null };

/**
 * `trades` are those whose finalized fee was worth a point; `streak` is the number of days in a row right now; `invitees` have
 * traded. A change of a number is a new id with a later `from`, and an `until` for the old one.
 */
export const MISSIONS: readonly Mission[] = [
  { id: 'pin', period: 'once', fact: 'pin', target: 1, points: 50, ...since },
  { id: 'first-trade', period: 'once', fact: 'trades', target: 1, points: 50, ...since },
  { id: 'first-token', period: 'once', fact: 'tokens', target: 1, points: 100, ...since },
  { id: 'invite-1', period: 'once', fact: 'invitees', target: 1, points: 100, ...since },
  { id: 'invite-5', period: 'once', fact: 'invitees', target: 5, points: 500, ...since },
  { id: 'invite-25', period: 'once', fact: 'invitees', target: 25, points: 2_500, ...since },
  { id: 'daily-mine', period: 'daily', fact: 'mined', target: 100, points: 20, ...since },
  { id: 'daily-trades', period: 'daily', fact: 'trades', target: 3, points: 30, ...since },
  { id: 'weekly-streak', period: 'weekly', fact: 'streak', target: 7, points: 100, ...since },
  { id: 'weekly-trades', period: 'weekly', fact: 'trade-points', target: 500, points: 150, ...since },
];

/** The span in which facts count at `now`. A once-only mission counts from the beginning. */
export function missionSpan(
  mission: Mission,
  now: number,
): { readonly from: number; readonly until: number } {
  return mission.period === 'once'
    ? { from: 0, until: Number.MAX_SAFE_INTEGER }
    : periodAt(mission.period, now);
}

/** One claim per mission, Telegram account and period, also after wallets or rows were deleted. */
export function claimKey(mission: Mission, telegramId: bigint, now: number): string {
  const period =
    mission.period === 'once' ? 'once' : new Date(missionSpan(mission, now).from).toISOString().slice(0, 10);
  return `points-mission/${mission.id}/${telegramId}/${period}`;
}

export function missionsAt(now: number, missions: readonly Mission[] = MISSIONS): readonly Mission[] {
  return missions.filter(({ from, until }) => from <= now && (until === null || now < until));
}
