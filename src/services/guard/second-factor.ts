import { AppError } from '../../core/errors/app-error.ts';
import { NO_ENROLMENT } from '../../core/guard/guard.ts';
import { takePinTry, wrongPin } from '../../core/guard/pin.ts';
import {
  openEnrolment,
  withEnrolment,
  withoutSecondFactor,
  withSecondFactor,
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
  const token = deps.ids.token();
  const enrolment = { box: deps.codes.create(input.userId), link: deps.codes.digest(token) };
  await deps.db.transact(async ({ guards }) => {
    await guards.save(withEnrolment(await guards.lock(input.userId), enrolment, deps.clock.now()));
  });
  return { token };
}

/**
 * What the page behind the link shows, to the first who opens it and to nobody after; null for a link that was opened, is too
 * old, was replaced, or never was. Throws SECRET_UNREADABLE.
 */
export async function showSecondFactor(
  { db, codes, clock }: Pick<GuardDeps, 'db' | 'codes' | 'clock'>,
  token: string,
): Promise<{ readonly uri: string } | null> {
  const link = codes.digest(token);
  const userId = await db.guards.findByTotpLink(link);
  if (userId === null) return null;
  const box = await db.transact(async ({ guards }) => {
    const guard = await guards.lock(userId);
    if (guard.nextTotpLink !== link) return null;
    const opened = { ...guard, nextTotpLink: null };
    await guards.save(opened);
    return openEnrolment(opened, clock.now());
  });
  return box === null ? null : { uri: codes.uri(box, userId) };
}

/**
 * Makes the secret count, when `code` is one of its codes: from now on every proof needs one. A wrong code costs one of the
 * PIN's tries. Throws BUTTON_STALE when no opened link waits, PIN_UNSUITABLE, PIN_WRONG, PIN_LOCKED.
 */
export async function confirmSecondFactor(
  { db, codes, clock }: Pick<GuardDeps, 'db' | 'codes' | 'clock'>,
  input: { readonly userId: string; readonly code: string },
): Promise<void> {
  const { userId, code } = input;
  if (!/^[0-9]{6}$/.test(code)) throw new AppError('PIN_UNSUITABLE', { reason: 'code' });
  // Comparing takes no time: counted and compared under one lock, with nothing in between that could be lost.
  const refused = await db.transact(async ({ guards }) => {
    const now = clock.now();
    const guard = await guards.lock(userId);
    const box = openEnrolment(guard, now);
    if (box === null) throw new AppError('BUTTON_STALE', {});
    const charged = takePinTry(guard, now);
    const step = codes.stepOf(box, userId, code, now);
    await guards.save(step === null ? charged : withSecondFactor(charged, box, step));
    return step === null ? wrongPin(charged) : null;
  });
  if (refused !== null) throw refused;
}

/** The PIN is enough again. The proof is that of both. Throws what `verifyPin` throws. */
export async function endSecondFactor(
  deps: GuardDeps,
  input: { readonly userId: string; readonly pin: string },
): Promise<void> {
  await verifyPin(deps, input);
  await deps.db.transact(async ({ guards }) => {
    await guards.save(withoutSecondFactor(await guards.lock(input.userId)));
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
  input: { readonly userId: string },
): Promise<number | null> {
  return db.transact(async ({ guards }) => {
    const guard = await guards.lock(input.userId);
    if (guard.totpBox === null) return null;
    const totpEndsAt = guard.totpEndsAt ?? clock.now() + END_WAIT_MS;
    await guards.save({ ...guard, ...NO_ENROLMENT, totpEndsAt });
    return totpEndsAt;
  });
}
