import type { Address } from '@tradepost/solana';
import { ageAt } from '../../../core/time/age.ts';
import { type SeenLaunch, STAGES, type Stage } from './stage.ts';

/** The stages that lists and alerts know. A complete curve waits for its pool: it is on the list of those near. */
export const LISTS = ['new', 'near', 'graduated'] as const;
export type LaunchList = (typeof LISTS)[number];

/** A person's filter, and the stages that are messages. It trades nothing. */
export type LaunchAlert = {
  readonly userId: string;
  /** In the order of `LISTS`; none = no messages. */
  readonly stages: readonly LaunchList[];
  /** As `filterText` writes it; empty = all launches. */
  readonly filter: string;
  /** Epoch milliseconds at which the hour of its messages began; null before the first one. */
  readonly hourAt: number | null;
  /** Launches of that hour that were sent, and those that were only counted. */
  readonly hourTold: number;
  readonly hourHeld: number;
};

/** A message about a launch that a person was sent, or that was only counted. */
export type LaunchNotice = {
  readonly userId: string;
  readonly mint: Address;
  readonly stage: LaunchList;
  readonly at: number;
  /** Of the chat; null before it is sent, and where it was only counted. */
  readonly messageId: number | null;
  readonly takenBack: boolean;
};

export const ALERT_LIMITS = {
  /** Messages of one person; further launches of the hour are counted and sent as a number. */
  perHour: 30,
  hourMs: 3_600_000,
} as const;

export const NO_ALERT = { stages: [], filter: '', hourAt: null, hourTold: 0, hourHeld: 0 } as const;

/** The list that a stage belongs to. */
export const listOf = (stage: Stage): LaunchList => (stage === 'complete' ? 'near' : stage);

/** The lists that a launch reached; a stage that it jumped over is none. */
function listsOf({ takenBack, slots }: Pick<SeenLaunch, 'takenBack' | 'slots'>): ReadonlySet<LaunchList> {
  if (takenBack) return new Set();
  return new Set(STAGES.filter((stage) => stage === 'new' || slots[stage] !== null).map(listOf));
}

/** The news for people: the lists that a launch came to, and those that it did not stay on. `before` is null for a new one. */
export function stageNews(
  before: SeenLaunch | null,
  after: SeenLaunch,
): { readonly gained: readonly LaunchList[]; readonly lost: readonly LaunchList[] } {
  const [was, is] = [before === null ? new Set<LaunchList>() : listsOf(before), listsOf(after)];
  return {
    gained: LISTS.filter((list) => is.has(list) && !was.has(list)),
    lost: LISTS.filter((list) => was.has(list) && !is.has(list)),
  };
}

/** The alert after one more launch that is wanted: sent, or counted for the end of its hour. */
export function afterLaunch(
  alert: LaunchAlert,
  now: number,
): { readonly after: LaunchAlert; readonly tells: boolean } {
  const { hourAt, hourTold, hourHeld } = alert;
  // While some are held the hour stays open until they are sent.
  const isOver = hourAt === null || (hourHeld === 0 && ageAt(hourAt, now) >= ALERT_LIMITS.hourMs);
  if (isOver) return { after: { ...alert, hourAt: now, hourTold: 1 }, tells: true };
  return hourTold < ALERT_LIMITS.perHour
    ? { after: { ...alert, hourTold: hourTold + 1 }, tells: true }
    : { after: { ...alert, hourHeld: hourHeld + 1 }, tells: false };
}

/** The alert after its held launches were sent as a number. */
export const afterDigest = (alert: LaunchAlert): LaunchAlert => ({
  ...alert,
  hourAt: null,
  hourTold: 0,
  hourHeld: 0,
});
