import { AppError } from '../../../core/errors/app-error.ts';
import { leftAt } from '../../../core/time/age.ts';
import { earliestOf, isOver, isStill, type Reading } from '../../../core/time/due.ts';
import type { Guard } from './guard.ts';

/** So long a key file that is ready may be taken. */
export const EXPORT_OPEN_MS = 24 * 3_600_000;
/** Within this time the gate counts how many are asked for. */
export const EXPORT_SPAN_MS = 7 * 24 * 3_600_000;

/** Any of these switches that is thrown stops every key on its way out. */
export const EXPORT_SWITCHES = ['exports', 'withdrawals'] as const;

/** The person by a button; a new PIN; a freeze; the operator by a switch; the signer, whose journal knows no such row. */
export const EXPORT_STOPPERS = ['person', 'pin', 'freeze', 'switch', 'signer'] as const;
export type ExportStopper = (typeof EXPORT_STOPPERS)[number];

export type ExportEnd =
  | { readonly kind: 'TAKEN' | 'LAPSED'; readonly at: number }
  | { readonly kind: 'STOPPED'; readonly at: number; readonly by: ExportStopper };

/** A key on its way out, as the signer wrote it down. Times are epoch milliseconds. */
export type KeyExport = {
  readonly id: string;
  readonly userId: string;
  readonly walletId: string;
  readonly askedAt: number;
  /** From then on it may be taken. */
  readonly readyAt: number;
  /** And from then on not any more. */
  readonly endsAt: number;
  /** Null while it may still be taken or stopped, as far as this row tells. */
  readonly end: ExportEnd | null;
};

/** Events that may have stopped an export since it was asked for, from rows that others write. */
export type ExportWorld = {
  readonly guard: Pick<Guard, 'pinHash' | 'pinSetAt' | 'frozenAt'>;
  /** When one of `EXPORT_SWITCHES` was thrown for the last time; null = never. */
  readonly thrownAt: number | null;
};

export type ExportState = { readonly kind: 'ASKED' | 'READY' } | ExportEnd;

/**
 * The state of an export now. A freeze, a new PIN and a thrown switch stop it by being later than it, so that no call has to arrive
 * for it: neither ending the freeze nor opening the switch brings it back.
 */
export function exportState(found: KeyExport, { guard, thrownAt }: ExportWorld, at: Reading): ExportState {
  if (found.end !== null) return found.end;
  const since = (done: number | null): done is number => done !== null && done >= found.askedAt;
  if (since(guard.frozenAt)) return { kind: 'STOPPED', at: guard.frozenAt, by: 'freeze' };
  if (since(thrownAt)) return { kind: 'STOPPED', at: thrownAt, by: 'switch' };
  if (guard.pinHash === null) return { kind: 'STOPPED', at: earliestOf(at), by: 'pin' };
  // A PIN of the same moment is the one that it was asked for with: only without waits can both come at once.
  if (since(guard.pinSetAt) && guard.pinSetAt > found.askedAt)
    return { kind: 'STOPPED', at: guard.pinSetAt, by: 'pin' };
  if (!isStill(found.endsAt, at)) return { kind: 'LAPSED', at: found.endsAt };
  return { kind: isOver(found.readyAt, at) ? 'READY' : 'ASKED' };
}

/** Whether it may still be taken or stopped. */
export function isOnItsWay(state: ExportState): state is { readonly kind: 'ASKED' | 'READY' } {
  return state.kind === 'ASKED' || state.kind === 'READY';
}

/**
 * Whether another export may be asked for beside these of the person, of the last seven days and open ones. Throws EXPORT_WAITS while one is on its
 * way, and for `barMs` after the person stopped one: the thief who asks again at once would only need the owner to sleep.
 */
export function assertMayAskExport(
  exports: readonly { readonly found: KeyExport; readonly state: ExportState }[],
  now: number,
  barMs: number,
): void {
  for (const { found, state } of exports) {
    if (isOnItsWay(state)) throw new AppError('EXPORT_WAITS', { why: 'open', until: found.endsAt });
    if (state.kind !== 'STOPPED' || state.by !== 'person') continue;
    const until = state.at + barMs;
    // One that lies further ahead was written before the clock was set back.
    if (now < until && leftAt(until, now) <= barMs)
      throw new AppError('EXPORT_WAITS', { why: 'stopped', until });
  }
}

/** Throws EXPORT_WAITS unless the export is ready. */
export function assertReady(found: KeyExport, state: ExportState): void {
  if (state.kind === 'ASKED') throw new AppError('EXPORT_WAITS', { why: 'asked', until: found.readyAt });
  if (state.kind !== 'READY') throw new AppError('EXPORT_WAITS', { why: 'over' });
}
