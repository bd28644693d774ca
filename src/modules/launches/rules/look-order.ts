import { ageAt } from '../../../core/time/age.ts';
import { isDead, NEAR_BPS, type SeenLaunch } from './stage.ts';

/** Milliseconds between two looks at a curve, by how it moves. */
const EVERY = { hot: 1_000, warm: 5_000, quiet: 30_000, cold: 300_000 } as const;
const MINUTE_MS = 60_000;
/** A creation that a fork had may come again; after this it does not. */
const GONE_FOR_MS = 600_000;
/** Sold so much, every purchase may be the one that brings it near. */
const ALMOST_NEAR_BPS = NEAR_BPS - 1_000;

/** Milliseconds until the next look at it; null where it is looked at no more. */
export function looksEvery(launch: SeenLaunch, finalSlot: bigint, now: number): number | null {
  const { stage, slots, soldBps, takenBack, createdSlot } = launch;
  const still = ageAt(launch.movedAt, now);
  if (takenBack) return still >= GONE_FOR_MS ? null : EVERY.warm;
  if (createdSlot > finalSlot || isUnproven(slots, finalSlot)) return EVERY.hot;
  if (stage === 'graduated' || isDead(launch, now)) return null;
  // Its pool is opened within seconds, or after hours.
  if (stage === 'complete') return still < 10 * MINUTE_MS ? EVERY.hot : EVERY.quiet;
  if (still < MINUTE_MS || (soldBps >= ALMOST_NEAR_BPS && still < 10 * MINUTE_MS)) return EVERY.hot;
  if (still < 10 * MINUTE_MS) return EVERY.warm;
  return still < 60 * MINUTE_MS ? EVERY.quiet : EVERY.cold;
}

const isUnproven = (slots: SeenLaunch['slots'], finalSlot: bigint): boolean =>
  Object.values(slots).some((slot) => slot !== null && slot > finalSlot);

/**
 * The launches to look at now, at most `limit`: of those that are due, the hottest first. Among equally hot ones the longest unseen is
 * first, so each has its turn.
 */
export function dueLooks(
  launches: readonly SeenLaunch[],
  { finalSlot, now, limit }: { readonly finalSlot: bigint; readonly now: number; readonly limit: number },
): readonly SeenLaunch[] {
  return launches
    .flatMap((launch) => {
      const every = looksEvery(launch, finalSlot, now);
      const age = ageAt(launch.lookedAt, now);
      return every === null || age < every ? [] : [{ launch, every, age }];
    })
    .toSorted((a, b) => a.every - b.every || b.age - a.age)
    .slice(0, limit)
    .map(({ launch }) => launch);
}
