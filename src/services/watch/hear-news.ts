import type { Clock } from '../../core/ports/clock.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { BeatNews } from '../../core/ports/watch-store.ts';

/** What was found forgotten may still be on its way, or wait for somebody who is away: it is not looked at with each beat. */
const SWEEP_AGAIN_MS = 6_000;

export type HearNewsDeps = {
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  /** Whether this process does what one is enough for. */
  readonly isFirst: () => boolean;
  readonly sweep: () => Promise<void>;
  readonly wakeOrders: () => void;
};

/**
 * What follows from a watcher's beat: orders wake whoever evaluates them, and what nobody is at work on is swept up at once. Both
 * would otherwise ask the database by the clock, also when nobody is there.
 */
export function createHearNews(deps: HearNewsDeps): (news: BeatNews) => void {
  let sweptAt = Number.NEGATIVE_INFINITY;
  let isSweeping = false;
  return ({ isForgotten, haveOrders }) => {
    if (haveOrders) deps.wakeOrders();
    const now = deps.clock.now();
    if (!isForgotten || isSweeping || now - sweptAt < SWEEP_AGAIN_MS || !deps.isFirst()) return;
    sweptAt = now;
    isSweeping = true;
    void deps
      .sweep()
      .catch((err: unknown) =>
        deps.log.warn({ err }, 'what was forgotten could not be swept up and is tried again'),
      )
      .finally(() => {
        isSweeping = false;
      });
  };
}
