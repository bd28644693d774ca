import { isAppError } from '../../../core/errors/app-error.ts';
import { leftAt } from '../../../core/time/age.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import { DAY_MS } from '../../points/rules/utc.ts';
import { type HealthMark, MINUTE_MS, minuteOf } from '../rules/health-day.ts';
import type { HealthStore } from '../store/health-store-port.ts';
import type { PartsAnswer } from './ask-parts.ts';

export type HealthSampler = {
  /** One look, unless this minute had one. Milliseconds until the next minute; never throws. */
  round(): Promise<number>;
  onAdd(poke: () => void): void;
  stop(): Promise<void>;
};

/** Roles whose processes report themselves. */
export const REPORTING_ROLES = ['api', 'bot', 'indexer', 'signer'] as const;
/** The role that looks. Its minutes are those in which one looked, and between two of them it was down. */
const LOOKING_ROLE = 'worker';
/** A worker that outlived an outage of the database writes what it kept within a minute of its end. */
const LOOKS_BEFORE_GAP = 3;

/**
 * Looks at every part once a minute, and at the reports of the other processes. While the database cannot be read nothing is known of these:
 * such a minute is no data for them. What could not be written is kept for a day and written with the next look, so that an outage of the
 * database itself is in its history. Every worker samples: the first one to write a minute counts. A lease would not do, because it ends
 * with the database. A worker that starts also writes the minutes of the last week in which none looked.
 * It does so after its third look, because another one may still hold minutes of these.
 */
export function createHealthSampler(deps: {
  readonly parts: () => Promise<PartsAnswer>;
  readonly health: Pick<HealthStore, 'write' | 'roles' | 'missed'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
}): HealthSampler {
  const { parts, health, clock, log } = deps;
  let waiting: readonly HealthMark[] = [];
  let lookedAt: number | null = null;
  let [firstLook, looks, isGapWritten]: [number, number, boolean] = [Number.POSITIVE_INFINITY, 0, false];
  const look = async (minute: number): Promise<void> => {
    const [answer, roles] = await Promise.all([parts(), health.roles(REPORTING_ROLES).catch(() => [])]);
    const marks = Object.entries(answer.parts).map(
      ([part, state]): HealthMark => ({ part, minute, isDown: state !== 'ok' }),
    );
    const reported = roles.map(({ role, isUp }): HealthMark => ({ part: role, minute, isDown: !isUp }));
    const own = { part: LOOKING_ROLE, minute, isDown: false };
    waiting = [...waiting, ...marks, ...reported, own].filter((mark) => mark.minute > minute - DAY_MS);
    firstLook = Math.min(firstLook, minute);
    looks += 1;
  };
  /** Once: the minutes before this process's first look in which no worker looked. */
  const writeGap = async (until: number): Promise<void> => {
    const minutes = await health.missed(LOOKING_ROLE, until);
    if (minutes.length > 0)
      await health.write(minutes.map((minute) => ({ part: LOOKING_ROLE, minute, isDown: true })));
  };
  return {
    round: async () => {
      const minute = minuteOf(clock.now());
      try {
        if (minute !== lookedAt) await look(minute);
        lookedAt = minute;
        if (waiting.length > 0) await health.write(waiting);
        waiting = [];
        if (!isGapWritten && looks >= LOOKS_BEFORE_GAP) {
          await writeGap(firstLook);
          isGapWritten = true;
        }
      } catch (err) {
        // An outage is known already, and is what waits to be written.
        if (!isAppError(err)) log.warn({ err }, 'the health of the parts could not be written down');
      }
      const now = clock.now();
      return leftAt(minuteOf(now) + MINUTE_MS, now);
    },
    onAdd: () => undefined,
    stop: async () => undefined,
  };
}
