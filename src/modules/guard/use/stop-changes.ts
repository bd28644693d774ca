import { ownAct } from '../../../engine/audit/rules.ts';
import { withoutRaises } from '../rules/cap.ts';
import type { Guard, GuardRules } from '../rules/guard.ts';
import { withoutNextMail } from '../rules/notice-mail.ts';
import { isRemovable, withoutPin } from '../rules/pin.ts';
import type { CancelDeps } from './cancel-waiting.ts';
import type { GuardDeps } from './deps.ts';
import { freezeAccount } from './freeze-account.ts';
import { passGate } from './pass-gate.ts';

/**
 * "That was not me": freezes everything, and takes back the changes at the guard that can be undone. These are a first PIN that is not
 * ripe, a raised cap, the end of an authenticator, another notice mail and a wallet that is to receive, while they wait. Needs no PIN, also
 * while frozen. Returns the result of the freeze.
 */
export async function stopChanges(
  deps: GuardDeps & CancelDeps,
  input: { readonly userId: string },
): Promise<{ readonly cancelled: number }> {
  const { userId } = input;
  const frozen = await freezeAccount(deps, input);
  await deps.db.transact(async (stores) => {
    const now = deps.clock.now();
    const guard = await stores.guards.lock(userId);
    const passed = await passGate(stores, deps, { act: 'pin-undo', userId });
    await stores.guards.save(withoutChanges(guard, now, deps.guardRules), passed);
    if (isRemovable(guard, now, deps.guardRules))
      await stores.auditLog.record(ownAct(userId, now, 'pin-removed', {}));
  });
  return frozen;
}

function withoutChanges(guard: Guard, now: number, rules: GuardRules): Guard {
  const kept = { ...withoutNextMail(withoutRaises(guard, now), now), totpEndsAt: null };
  return isRemovable(guard, now, rules) ? withoutPin(kept) : kept;
}

/** Whether Stop has something to take back, so that the button is under Security though its notice is gone. */
export function hasChanges(guard: Guard, now: number, rules: GuardRules): boolean {
  const ripens =
    guard.pinHash !== null && guard.pinSetAt !== null && now < guard.pinSetAt + rules.longDelayMs;
  const waits = [
    guard.unfreezeAt,
    guard.nextCapAt,
    guard.nextSpendCapAt,
    guard.totpEndsAt,
    guard.nextNoticeMailAt,
  ];
  return ripens || waits.some((at) => at !== null && at > now);
}
