import { AppError } from '../../../core/errors/app-error.ts';
import { type Actor, ownAct } from '../../../engine/audit/rules.ts';
import { NO_ENROLMENT } from '../rules/guard.ts';
import type { RightPin } from '../rules/right-pin.ts';
import {
  openEnrolment,
  secondFactor,
  withEnrolment,
  withOpenedLink,
  withoutSecondFactor,
} from '../rules/second-factor.ts';
import type { GuardDeps } from './deps.ts';
import { passGate } from './pass-gate.ts';
import { lockWith } from './unlock-trades.ts';
import { verifyPin } from './verify-pin.ts';

/**
 * Makes a secret for the person's authenticator, after their proof was right, and the token of the one link that shows it. The secret
 * counts once its first code was typed (`confirmSecondFactor`); until then everything stays as it is. A second one replaces the first.
 * Throws the errors of `verifyPin`.
 */
export async function beginSecondFactor(
  deps: GuardDeps,
  input: { readonly userId: string; readonly pin: string },
): Promise<{ readonly token: string }> {
  const proof = await verifyPin(deps, input);
  const box = await deps.vault.createSecondFactor({ userId: input.userId });
  return openLink(deps, { userId: input.userId, box, proof, act: 'factor-add' });
}

/**
 * The token of a link that shows new recovery codes alone; they take the place of the old ones once the authenticator's next code was
 * typed. Throws the errors of `verifyPin`, BUTTON_STALE without an authenticator.
 */
export async function beginRecoveryCodes(
  deps: GuardDeps,
  input: { readonly userId: string; readonly pin: string },
): Promise<{ readonly token: string }> {
  const proof = await verifyPin(deps, input);
  return openLink(deps, { userId: input.userId, box: null, proof, act: 'factor-codes' });
}

async function openLink(
  deps: GuardDeps,
  asked: {
    readonly userId: string;
    readonly box: string | null;
    readonly proof: RightPin;
    readonly act: 'factor-add' | 'factor-codes';
  },
): Promise<{ readonly token: string }> {
  const { userId, box, proof, act } = asked;
  const token = deps.ids.token();
  const enrolment = { box, link: deps.codes.digest(token) };
  await deps.db.transact(async (stores) => {
    const { guards } = stores;
    const now = deps.clock.now();
    const guard = await guards.lock(userId);
    const passed = await passGate(stores, deps, { act, userId, proof });
    if (box === null && secondFactor(guard, now) === null) throw new AppError('BUTTON_STALE', {});
    await guards.save(withEnrolment(guard, enrolment, now), passed);
  });
  return { token };
}

/** The content of a link: a secret as authenticators scan it (null for new codes alone), and its recovery codes. */
export type ShownSecrets = { readonly uri: string | null; readonly codes: readonly string[] };

/**
 * The content of the page behind the link, for the first opening only; null for a link that was opened, is too old, was replaced, or
 * never was. The recovery codes are made here, and only their digests are kept. Throws SECRET_UNREADABLE.
 */
export async function showSecondFactor(
  { db, codes, clock, vault }: Pick<GuardDeps, 'db' | 'codes' | 'clock' | 'vault'>,
  token: string,
): Promise<ShownSecrets | null> {
  const link = codes.digest(token);
  const userId = await db.guards.findByTotpLink(link);
  if (userId === null) return null;
  const { nextTotpBox: box } = await db.guards.find(userId);
  const fresh = codes.recoveryCodes();
  // Before the transaction: no lock is held while the signer works.
  const { uri, digests } = await vault.showSecondFactor({ userId, box, codes: fresh });
  const isOpened = await db.transact(async ({ guards }) => {
    const guard = await guards.lock(userId);
    if (guard.nextTotpLink !== link || guard.nextTotpBox !== box) return false;
    const changed = withOpenedLink(guard, digests);
    await guards.saveTries(changed);
    return openEnrolment(changed, clock.now()) !== null;
  });
  return isOpened ? { uri, codes: fresh } : null;
}

/** Makes the waiting change count, when `code` is one of its codes. The signer compares and counts: see its use case of this name. */
export function confirmSecondFactor(
  { vault }: Pick<GuardDeps, 'vault'>,
  input: { readonly userId: string; readonly code: string },
): Promise<{ readonly codesAlone: boolean }> {
  return vault.confirmSecondFactor(input);
}

/**
 * The PIN is enough again after the long wait; a right code before then calls it off. The proof is that of both. Returns the moment; null
 * = at once. Throws the errors of `verifyPin` and `passGate`.
 */
export async function endSecondFactor(
  deps: GuardDeps,
  input: { readonly userId: string; readonly pin: string },
): Promise<number | null> {
  const { userId } = input;
  const proof = await verifyPin(deps, input);
  return deps.db.transact(async (stores) => {
    const { guards, auditLog } = stores;
    const now = deps.clock.now();
    const guard = await guards.lock(userId);
    const at = now + deps.guardRules.longDelayMs;
    const passed = await passGate(stores, deps, { act: 'factor-end', userId, proof, until: at });
    if (at > now) {
      await guards.save({ ...guard, ...NO_ENROLMENT, totpEndsAt: at }, passed);
      await auditLog.record(ownAct(userId, now, 'second-factor-end-asked', { at }));
      return at;
    }
    await lockWith(stores, { userId, change: withoutSecondFactor, passed });
    await auditLog.record(ownAct(userId, now, 'second-factor-removed', {}));
    return null;
  });
}

/** How long an end without the authenticator waits. */
const END_WAIT_MS = 24 * 3_600_000;

/**
 * For a person who lost their authenticator and asked the operator: the second factor ends after a day. A right code before then calls it
 * off, and so does Stop under the person's notice; the security screen shows it. Returns the moment; null when the person has none.
 */
export async function endSecondFactorLater(
  deps: Pick<GuardDeps, 'db' | 'clock' | 'ids' | 'guardRules'>,
  input: { readonly userId: string; readonly actor: Actor },
): Promise<number | null> {
  const { db, clock } = deps;
  return db.transact(async (stores) => {
    const { guards, auditLog } = stores;
    const guard = await guards.lock(input.userId);
    if (guard.totpBox === null) return null;
    const totpEndsAt = guard.totpEndsAt ?? clock.now() + END_WAIT_MS;
    const act = 'factor-end-by-operator';
    const passed = await passGate(stores, deps, { act, userId: input.userId, until: totpEndsAt });
    await guards.save({ ...guard, ...NO_ENROLMENT, totpEndsAt }, passed);
    await auditLog.record({
      at: clock.now(),
      actor: input.actor,
      act: 'second-factor-end-asked',
      subject: input.userId,
      outcome: 'done',
      details: { at: totpEndsAt },
    });
    return totpEndsAt;
  });
}
