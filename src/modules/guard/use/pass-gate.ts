import { AppError } from '../../../core/errors/app-error.ts';
import { windowStart } from '../../../core/time/age.ts';
import { earliestOf } from '../../../core/time/due.ts';
import { addNotices } from '../../../engine/transactions/use/add-notices.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import { type Act, isGuardAct, ruleOf } from '../rules/acts.ts';
import { emptyGuard, type Guard, type GuardRules } from '../rules/guard.ts';
import { type ActCase, asksPin, judgeAct } from '../rules/judge-act.ts';
import type { Passed } from '../rules/passed.ts';
import type { RightPin } from '../rules/right-pin.ts';
import type { ActBy } from '../store/guard-store-port.ts';

export type GateDeps = { readonly clock: Clock; readonly guardRules: GuardRules };
type LookStores = Pick<Stores, 'guards' | 'flags'>;
export type GateStores = LookStores & Pick<Stores, 'notices' | 'outbox'>;

/** An act and its person. `userId` is null for acts of the service and of operators. */
export type Asked<A extends Act> = {
  readonly act: A;
  readonly userId: string | null;
  /** The PIN that was right for this act; null or absent where none was typed. */
  readonly proof?: RightPin | null;
  /** Of acts by the mail of an account of the API, the address: they are counted by it. */
  readonly account?: string | null;
  /** When it will count, epoch milliseconds; null = at once. For the person's notice. */
  readonly until?: number | null;
};

/**
 * The gate. Inside the transaction of the act's effect: takes the lock of the person's guard, judges, and counts the act where it has a
 * rate. The result opens the stores and the signer for this act alone. Throws the errors of `judgeAct`, and PIN_REQUIRED where the act
 * takes a PIN and none was typed.
 */
export async function passGate<A extends Act>(
  stores: GateStores,
  deps: GateDeps & { readonly ids: Ids },
  { act, userId, proof = null, until = null, account = null }: Asked<A>,
): Promise<Passed<A>> {
  const guard = userId === null ? null : await stores.guards.lock(userId);
  if (account !== null) await stores.guards.lockAccount(account);
  const found = await caseOf(stores, deps, { act, userId, account }, guard);
  judgeAct(found);
  if (asksPin(act, found.guard) && (proof === null || proof.userId !== userId)) {
    throw new AppError('PIN_REQUIRED', {});
  }
  const { rate } = ruleOf(act);
  if (userId !== null) await tellGuard(stores, deps, { act, userId, until });
  const by = actBy({ userId, account });
  if (rate !== null && by !== null) {
    await stores.guards.addAct({ id: deps.ids.ulid(), by, rate, at: found.now });
  }
  return { act, userId } as Passed<A>;
}

/** The notice of a change at the guard, where it has a button that stops it. */
export async function tellGuard(
  stores: Pick<Stores, 'notices' | 'outbox'>,
  deps: GateDeps & { readonly ids: Ids },
  { act, userId, until }: { readonly act: Act; readonly userId: string; readonly until: number | null },
): Promise<void> {
  // Without a wait there is nothing to stop, and the screen says the result.
  if (ruleOf(act).notice !== 'stop' || deps.guardRules.longDelayMs === 0 || !isGuardAct(act)) return;
  const payload = { act, until };
  await addNotices(deps, stores, [{ userId, intentId: null, kind: 'guard', payload }]);
}

/** The second step of an act whose first step passed the gate with the PIN: judged again, without a second count or notice. */
export async function passSecondStep<A extends Act>(
  stores: LookStores,
  deps: GateDeps,
  { act, userId }: { readonly act: A; readonly userId: string },
): Promise<Passed<A>> {
  await assertMayAct(stores, deps, { act, userId });
  return { act, userId } as Passed<A>;
}

/** The same question for the screen before it: throws the refusal of the act now, and changes and counts nothing. */
export async function assertMayAct(
  stores: LookStores,
  deps: GateDeps,
  asked: Omit<Asked<Act>, 'proof'>,
  /** The guard as it is, or as it would be then. */
  known: Guard | null = null,
): Promise<void> {
  const guard = known ?? (asked.userId === null ? null : await stores.guards.find(asked.userId));
  judgeAct(await caseOf(stores, deps, asked, guard));
}

async function caseOf(
  { guards, flags }: LookStores,
  { clock, guardRules: rules }: GateDeps,
  { act, ...asker }: Omit<Asked<Act>, 'proof'>,
  guard: ActCase['guard'] | null,
): Promise<ActCase> {
  const { rate, switches } = ruleOf(act);
  const now = clock.now();
  const pauses = switches.length === 0 ? [] : await flags.pauses();
  const by = actBy(asker);
  const done =
    rate === null || by === null
      ? []
      : await guards.actsSince(by, rate, windowStart(rules.rates[rate].spanMs, clock) + 1);
  return { act, guard: guard ?? emptyGuard(''), pauses, done, now, earliest: earliestOf(clock), rules };
}

/** By whom an act is counted; null for those of the service and of operators. */
function actBy({ userId, account = null }: Pick<Asked<Act>, 'userId' | 'account'>): ActBy | null {
  if (userId !== null) return { userId };
  return account === null ? null : { account };
}
