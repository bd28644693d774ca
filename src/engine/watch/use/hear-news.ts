import { elapsedSince, markOf, NEVER } from '../../../core/time/elapsed.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { BeatNews } from '../store-port.ts';

/** A forgotten item may still be on its way, or wait for a person who is away: it is not looked at with each beat. */
const SWEEP_AGAIN_MS = 4_000;

export type HearNewsDeps = {
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  /** Whether this process does the work that needs one process only. */
  readonly isFirst: () => boolean;
  readonly sweep: () => Promise<void>;
  readonly wakeOrders: () => void;
  readonly wakeSubmissions: () => void;
};

/**
 * The consequences of a watcher's beat: orders wake their evaluator, and forgotten items are swept up at once. Both would otherwise ask the
 * database by the clock, also on an idle desk.
 */
export function createHearNews(deps: HearNewsDeps): (news: BeatNews) => void {
  let sweptAt = NEVER;
  let isSweeping = false;
  return ({ isForgotten, haveOrders, haveSubmissions }) => {
    if (haveOrders) deps.wakeOrders();
    if (haveSubmissions) deps.wakeSubmissions();
    if (!isForgotten || isSweeping || elapsedSince(sweptAt, deps.clock) < SWEEP_AGAIN_MS || !deps.isFirst())
      return;
    sweptAt = markOf(deps.clock);
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
