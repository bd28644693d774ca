import { assertNotFrozen } from '../../core/guard/freeze.ts';
import type { Guard } from '../../core/guard/guard.ts';
import { assertMayUnlock, locked, unlocked } from '../../core/guard/unlock.ts';
import type { Database } from '../../core/ports/stores.ts';
import type { GuardDeps } from './deps.ts';
import { verifyPin } from './verify-pin.ts';

/**
 * Lets trades through for twelve hours after the proof was right. Returns until when. Throws what `verifyPin` throws,
 * ACCOUNT_FROZEN, PIN_TOO_NEW.
 */
export async function unlockTrades(
  deps: GuardDeps,
  input: { readonly userId: string; readonly pin: string },
): Promise<{ readonly until: number }> {
  // Before the PIN is compared: nobody is told whether a PIN is right that would help nothing.
  judge(await deps.db.guards.find(input.userId), deps.clock.now());
  await verifyPin(deps, input);
  return deps.db.transact(async ({ guards }) => {
    const now = deps.clock.now();
    const guard = await guards.lock(input.userId);
    judge(guard, now);
    const open = unlocked(guard, now);
    await guards.save(open);
    return { until: open.unlockedUntil ?? now };
  });
}

function judge(guard: Guard, now: number): void {
  assertNotFrozen(guard, now);
  assertMayUnlock(guard, now);
}

/** The next trade that needs the PIN asks for it. Needs no PIN itself. */
export async function lockTrades(
  { db }: { readonly db: Pick<Database, 'guards' | 'transact'> },
  input: { readonly userId: string },
): Promise<void> {
  // Most people are locked, and asking costs less than a transaction.
  if ((await db.guards.find(input.userId)).unlockedUntil === null) return;
  await db.transact(async ({ guards }) => {
    await guards.save(locked(await guards.lock(input.userId)));
  });
}
