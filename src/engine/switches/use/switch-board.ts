import { elapsedSince, markOf, NEVER } from '../../../core/time/elapsed.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { Pause, Switch } from '../rules.ts';
import type { FlagStore } from '../store-port.ts';

/** The known state of the switches may be this old; with the time of one read it stays below the second that is promised. */
const FRESH_MS = 500;

/** The pauses, for readers that ask too often to read the database each time: quotes, venues, requests of the API. */
export type SwitchBoard = {
  /** The pause of a switch, null = it is open. Never rejects. */
  pauseOf(what: Switch): Promise<Pause | null>;
  /** All that is paused. Never rejects. */
  pauses(): Promise<readonly Pause[]>;
};

/**
 * Reads the switches at most twice a second, on request, and not at all without requests. Nothing has to arrive for a switch to take
 * effect, so no lost notice can leave a process behind. While the database does not answer, the last known state holds: no switch can flip
 * then either, and the database itself judges each signature.
 */
export function createSwitchBoard({
  flags,
  clock,
  log,
}: {
  readonly flags: Pick<FlagStore, 'pauses'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
}): SwitchBoard {
  let known: readonly Pause[] = [];
  let readAt = NEVER;
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    const startedAt = markOf(clock);
    try {
      known = await flags.pauses();
    } catch (err) {
      log.warn({ err }, 'the switches could not be read; what was last known stands');
    }
    readAt = startedAt;
  }

  const pauses = async (): Promise<readonly Pause[]> => {
    if (elapsedSince(readAt, clock) >= FRESH_MS) {
      reading ??= read().finally(() => {
        reading = null;
      });
      await reading;
    }
    return known;
  };
  return {
    pauses,
    // The database has judged the end, by its own clock: this process's may run ahead, and would end a pause early.
    pauseOf: async (what) => (await pauses()).find((pause) => pause.what === what) ?? null,
  };
}
