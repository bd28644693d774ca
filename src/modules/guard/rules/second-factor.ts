import { AppError } from '../../../core/errors/app-error.ts';
import { isOver, type Reading } from '../../../core/time/due.ts';
import { isWithin } from '../../../core/time/span.ts';
import { type Guard, NO_ENROLMENT } from './guard.ts';
import { rightPin } from './pin.ts';
import { locked } from './unlock.ts';

/** How long the link to a new secret may be opened, and its first code typed. */
export const ENROLMENT_MS = 10 * 60_000;

/** The sealed secret whose codes are asked for now, or null while the PIN is enough. */
export function secondFactor(guard: Pick<Guard, 'totpBox' | 'totpEndsAt'>, at: Reading): string | null {
  return guard.totpEndsAt !== null && isOver(guard.totpEndsAt, at) ? null : guard.totpBox;
}

/** Beside the PIN: the number that the authenticator shows, or one of the codes for the day it is lost. */
export type TypedCode = { readonly kind: 'totp' | 'recovery'; readonly text: string };

export type Factors = { readonly pin: string; readonly code: TypedCode | null };

/**
 * The typed proof: the PIN, and behind it the authenticator's code or a recovery code where one is asked for. Both are one try, so that
 * who knows the PIN cannot try codes for ever. Throws PIN_UNSUITABLE, which costs no try.
 */
export function readFactors(guard: Guard, text: string, now: number): Factors {
  if (secondFactor(guard, now) === null) return { pin: text, code: null };
  const [, pin, typed = ''] = /^([0-9]{6})[ ,./+-]{0,3}(.+)$/.exec(text) ?? [];
  const code = readCode(typed);
  if (pin === undefined || code === null) throw new AppError('PIN_UNSUITABLE', { reason: 'code' });
  return { pin, code };
}

function readCode(typed: string): TypedCode | null {
  if (/^[0-9]{6}$/.test(typed)) return { kind: 'totp', text: typed };
  const text = typed.replaceAll(/[ -]/g, '').toUpperCase();
  return /^[A-Z2-7]{16}$/.test(text) ? { kind: 'recovery', text } : null;
}

function isFreshStep(guard: Pick<Guard, 'totpStep'>, step: number): boolean {
  return guard.totpStep === null || step > guard.totpStep;
}

/** A right second factor: the step of the authenticator's code, or the digest of the recovery code that is used up by it. */
export type RightCode = { readonly step: number } | { readonly recovery: string };

/** True while the code may be used: later than every one of the authenticator that was, or a recovery code that is left. */
export function isUnused(guard: Pick<Guard, 'totpStep' | 'recoveryCodes'>, code: RightCode): boolean {
  return 'step' in code ? isFreshStep(guard, code.step) : guard.recoveryCodes.includes(code.recovery);
}

/** After a right proof. Who has the authenticator or its codes has not lost them: an end that was asked for is called off. */
export function rightFactors(guard: Guard, code: RightCode | null, now: number): Guard {
  const right = { ...rightPin(guard), pinRightAt: now };
  if (code === null) return right;
  return 'step' in code
    ? { ...right, totpStep: code.step, totpEndsAt: null }
    : {
        ...right,
        recoveryCodes: guard.recoveryCodes.filter((left) => left !== code.recovery),
        totpEndsAt: null,
      };
}

/** A link that shows a new secret with its recovery codes, or with `box` null new codes alone. */
export function withEnrolment(
  guard: Guard,
  enrolment: { readonly box: string | null; readonly link: string },
  now: number,
): Guard {
  return {
    ...guard,
    nextTotpBox: enrolment.box,
    nextRecoveryCodes: [],
    nextTotpLink: enrolment.link,
    nextTotpUntil: now + ENROLMENT_MS,
  };
}

/** The link was opened, and these codes shown: they wait with the secret for its first code. */
export function withOpenedLink(guard: Guard, recoveryCodes: readonly string[]): Guard {
  return { ...guard, nextTotpLink: null, nextRecoveryCodes: recoveryCodes };
}

/**
 * The secret whose code confirms the waiting change, when its link was opened and its time is not over. It is the new one. For new
 * recovery codes alone it is the one in force, so that another person who opened the link gains nothing.
 */
export function openEnrolment(guard: Guard, now: number): string | null {
  const { nextTotpBox, nextTotpLink, nextTotpUntil, nextRecoveryCodes } = guard;
  const isOpen =
    nextTotpLink === null &&
    nextTotpUntil !== null &&
    isWithin({ from: nextTotpUntil - ENROLMENT_MS, until: nextTotpUntil }, now);
  if (!isOpen || nextRecoveryCodes.length === 0) return null;
  return nextTotpBox ?? secondFactor(guard, now);
}

/** After the first code of the waiting change: the secret and its recovery codes count, and those from before do not. */
export function withSecondFactor(guard: Guard, box: string, step: number): Guard {
  return {
    ...locked(rightPin(guard)),
    ...NO_ENROLMENT,
    totpBox: box,
    totpStep: step,
    totpEndsAt: null,
    recoveryCodes: guard.nextRecoveryCodes,
  };
}

export function withoutSecondFactor(guard: Guard): Guard {
  return {
    ...locked(guard),
    ...NO_ENROLMENT,
    totpBox: null,
    totpStep: null,
    totpEndsAt: null,
    recoveryCodes: [],
  };
}
