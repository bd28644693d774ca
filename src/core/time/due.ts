import type { Clock } from '../../platform/ports/clock.ts';

/** A clock, or one moment in epoch milliseconds where no clock is at hand. */
export type Reading = number | Clock;

/** The least that the clocks show, in epoch milliseconds. */
export function earliestOf(at: Reading): number {
  return typeof at === 'number' ? at : (at.earliest?.() ?? at.now());
}

/** The greatest that the clocks show, in epoch milliseconds. */
export function latestOf(at: Reading): number {
  return typeof at === 'number' ? at : (at.latest?.() ?? at.now());
}

/** Whether a wait is over: every clock says so, and one that runs ahead shortens none. */
export function isOver(due: number, at: Reading): boolean {
  return earliestOf(at) >= due;
}

/** Whether a permission still holds: every clock says so, and one that was set back lengthens none. */
export function isStill(until: number, at: Reading): boolean {
  return latestOf(at) < until;
}
