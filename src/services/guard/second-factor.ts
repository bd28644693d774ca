import { type Actor, ownAct } from '../../core/audit-log/act.ts';
import { AppError } from '../../core/errors/app-error.ts';
import { NO_ENROLMENT } from '../../core/guard/guard.ts';
import {
  openEnrolment,
  secondFactor,
  withEnrolment,
  withOpenedLink,
  withoutSecondFactor,
} from '../../core/guard/second-factor.ts';
import type { GuardDeps } from './deps.ts';
import { verifyPin } from './verify-pin.ts';

/**
 * Makes a secret for the person's authenticator, after their proof was right, and the token of the one link that shows it. The
 * secret counts once its first code was typed (`confirmSecondFactor`); until then everything stays as it is. A second one
 * replaces the first. Throws what `verifyPin` throws.
 */
export async function beginSecondFactor(
  deps: GuardDeps,
  input: { readonly userId: string; readonly pin: string },
): Promise<{ readonly token: string }> {
  await verifyPin(deps, input);
  return openLink(deps, input.userId, await deps.vault.createSecondFactor({ userId: input.userId }));
}

/**
 * The token of a link that shows new recovery codes alone; they take the place of the old ones once the authenticator's next
 * code was typed. Throws what `verifyPin` throws, BUTTON_STALE without an authenticator.
 */
export async function beginRecoveryCodes(
  deps: GuardDeps,
  input: { readonly userId: string; readonly pin: string },
): Promise<{ readonly token: string }> {
  await verifyPin(deps, input);
  return openLink(deps, input.userId, null);
}

async function openLink(
  deps: GuardDeps,
  userId: string,
  box: string | null,
): Promise<{ readonly token: string }> {
  const token = deps.ids.token();
  const enrolment = { box, link: deps.codes.digest(token) };
  await deps.db.transact(async ({ guards }) => {
    const now = deps.clock.now();
    const guard = await guards.lock(userId);
    if (box === null && secondFactor(guard, now) === null) throw new AppError('BUTTON_STALE', {});
    await guards.save(withEnrolment(guard, enrolment, now));
  });
  return { token };
}

/** What a link shows: a secret as authenticators scan it (null for new codes alone), and its recovery codes. */
export type ShownSecrets = { readonly uri: string | null; readonly codes: readonly string[] };

/**
 * What the page behind the link shows, to the first who opens it and to nobody after; null for a link that was opened, is too
 * old, was replaced, or never was. The recovery codes are made here, and only their digests are kept. Throws
 * SECRET_UNREADABLE.
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
  // Before the transaction: nobody waits for the signer under a lock.
  const { uri, digests } = await vault.showSecondFactor({ userId, box, codes: fresh });
  const isOpened = await db.transact(async ({ guards }) => {
    const guard = await guards.lock(userId);
    if (guard.nextTotpLink !== link || guard.nextTotpBox !== box) return false;
    const changed = withOpenedLink(guard, digests);
    await guards.save(changed);
    return openEnrolment(changed, clock.now()) !== null;
  });
  return isOpened ? { uri, codes: fresh } : null;
}

/** Makes what waited count, when `code` is one of its codes. The signer compares and counts: see its use case of this name. */
export function confirmSecondFactor(
  { vault }: Pick<GuardDeps, 'vault'>,
  input: { readonly userId: string; readonly code: string },
): Promise<{ readonly codesAlone: boolean }> {
  return vault.confirmSecondFactor(input);
}

/** The PIN is enough again. The proof is that of both. Throws what `verifyPin` throws. */
export async function endSecondFactor(
  deps: GuardDeps,
  input: { readonly userId: string; readonly pin: string },
): Promise<void> {
  await verifyPin(deps, input);
  await deps.db.transact(async ({ guards, auditLog }) => {
    await guards.save(withoutSecondFactor(await guards.lock(input.userId)));
    await auditLog.record(ownAct(input.userId, deps.clock.now(), 'second-factor-removed', {}));
  });
}

/** How long an end without the authenticator waits. */
const END_WAIT_MS = 24 * 3_600_000;

/**
 * For somebody who lost their authenticator and asked the operator: the second factor ends after a day. A right code
 * before then calls it off, and the security screen shows it. Returns the moment; null when the person has none.
 */
export async function endSecondFactorLater(
  { db, clock }: Pick<GuardDeps, 'db' | 'clock'>,
  input: { readonly userId: string; readonly actor: Actor },
): Promise<number | null> {
  return db.transact(async ({ guards, auditLog }) => {
    const guard = await guards.lock(input.userId);
    if (guard.totpBox === null) return null;
    const totpEndsAt = guard.totpEndsAt ?? clock.now() + END_WAIT_MS;
    await guards.save({ ...guard, ...NO_ENROLMENT, totpEndsAt });
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
