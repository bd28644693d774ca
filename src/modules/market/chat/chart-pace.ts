import { elapsedSince, markOf } from '../../../core/time/elapsed.ts';
import type { Clock, Mark } from '../../../platform/ports/clock.ts';

/** A picture costs a core some thirty milliseconds, and Telegram limits edits of media. */
const PAUSE_MS = 3_000;
const REMEMBERED = 10_000;

/** True at most once in three seconds for each person. */
export function createPace(clock: Clock): (userId: string) => boolean {
  const last = new Map<string, Mark>();
  return (userId) => {
    const before = last.get(userId);
    if (before !== undefined && elapsedSince(before, clock) < PAUSE_MS) return false;
    last.delete(userId);
    last.set(userId, markOf(clock));
    const [oldest] = last.keys();
    if (last.size > REMEMBERED && oldest !== undefined) last.delete(oldest);
    return true;
  };
}
