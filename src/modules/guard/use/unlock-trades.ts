import type { Reading } from '../../../core/time/due.ts';
import type { Database, Stores } from '../../../platform/ports/stores.ts';
import type { Act } from '../rules/acts.ts';
import { assertNotFrozen } from '../rules/freeze.ts';
import type { Guard } from '../rules/guard.ts';
import { passFree } from '../rules/pass-free.ts';
import type { Passed } from '../rules/passed.ts';
import { assertMayUnlock, locked, unlocked } from '../rules/unlock.ts';
import type { GuardDeps } from './deps.ts';
import { passGate } from './pass-gate.ts';
import { verifyPin } from './verify-pin.ts';

/**
 * Lets trades through for twelve hours after the proof was right. Returns until when. Throws the errors of `verifyPin`, ACCOUNT_FROZEN,
 * PIN_TOO_NEW.
 */
export async function unlockTrades(
  deps: GuardDeps,
  input: { readonly userId: string; readonly pin: string },
): Promise<{ readonly until: number }> {
  // Before the PIN is compared: the answer never reveals a right PIN that would help nothing.
  judge(await deps.db.guards.find(input.userId), deps.clock);
  const proof = await verifyPin(deps, input);
  return deps.db.transact(async (stores) => {
    const { guards } = stores;
    const now = deps.clock.now();
    const guard = await guards.lock(input.userId);
    judge(guard, deps.clock);
    const open = unlocked(guard, now);
    const passed = await passGate(stores, deps, { act: 'unlock', userId: input.userId, proof });
    await guards.save(open, passed);
    return { until: open.unlockedUntil ?? now };
  });
}

function judge(guard: Guard, now: Reading): void {
  assertNotFrozen(guard, now);
  assertMayUnlock(guard, now);
}

/**
 * The next trade that needs the PIN asks for it, and the person's orders that rest on a PIN pause. Needs no PIN itself. Returns how many
 * orders.
 */
export async function lockTrades(
  { db }: { readonly db: Pick<Database, 'guards' | 'transact'> },
  { userId }: { readonly userId: string },
): Promise<number> {
  // Who has no PIN has nothing to lock, and asking costs less than a transaction.
  if ((await db.guards.find(userId)).pinHash === null) return 0;
  return db.transact((stores) =>
    lockWith(stores, { userId, change: locked, passed: passFree('lock', userId) }),
  );
}

/** Saves a guard that is locked with it, and pauses the orders that were granted something before, in the caller's commit. */
export async function lockWith(
  { guards, orders }: Pick<Stores, 'guards' | 'orders'>,
  {
    userId,
    change,
    passed,
  }: {
    readonly userId: string;
    readonly change: (guard: Guard) => Guard;
    /** Of the act that locks, or that locks beside its effect. */
    readonly passed: Passed<Act>;
  },
): Promise<number> {
  await guards.save(change(await guards.lock(userId)), passed);
  return orders.pauseGranted(userId);
}
