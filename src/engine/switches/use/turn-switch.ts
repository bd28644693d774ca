import type { Clock } from '../../../platform/ports/clock.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import type { Actor } from '../../audit/rules.ts';
import type { Pause, Switch } from '../rules.ts';

type TurnDeps = { readonly db: Pick<Database, 'transact'>; readonly clock: Clock };

/**
 * Pauses the named part: its acts are refused from the commit on, and within a second in every process. Of two operators at once the later
 * one's reason and end hold, and the trail has both. Returns the pause that it replaced, null = none.
 */
export async function pauseSwitch(
  { db, clock }: TurnDeps,
  input: {
    readonly what: Switch;
    readonly reason: string;
    /** Epoch milliseconds at which it ends by itself; null = when it is resumed. */
    readonly until: number | null;
    readonly actor: Actor;
  },
): Promise<Pause | null> {
  const { what, reason, until, actor } = input;
  return db.transact(async ({ flags, auditLog }) => {
    const at = clock.now();
    const before = await flags.set(`${what}-paused`, true, at, { reason, until });
    const details = { what, reason, until };
    await auditLog.record({ at, actor, act: 'switch-paused', subject: null, outcome: 'done', details });
    return before;
  });
}

/** Ends a pause. Returns the ended pause; null = there was none, which the trail records too. */
export async function resumeSwitch(
  { db, clock }: TurnDeps,
  input: { readonly what: Switch; readonly reason: string; readonly actor: Actor },
): Promise<Pause | null> {
  const { what, reason, actor } = input;
  return db.transact(async ({ flags, auditLog }) => {
    const at = clock.now();
    const before = await flags.set(`${what}-paused`, false, at);
    const outcome = before === null ? 'unchanged' : 'done';
    await auditLog.record({
      at,
      actor,
      act: 'switch-resumed',
      subject: null,
      outcome,
      details: { what, reason },
    });
    return before;
  });
}
