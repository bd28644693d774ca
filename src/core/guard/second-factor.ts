import { AppError } from '../errors/app-error.ts';
import { type Guard, NO_ENROLMENT } from './guard.ts';
import { rightPin } from './pin.ts';

/** How long the link to a new secret may be opened, and its first code typed. */
export const ENROLMENT_MS = 10 * 60_000;

/** The sealed secret whose codes are asked for now, or null while the PIN is enough. */
export function secondFactor(guard: Pick<Guard, 'totpBox' | 'totpEndsAt'>, now: number): string | null {
  return guard.totpEndsAt !== null && guard.totpEndsAt <= now ? null : guard.totpBox;
}

export type Factors = { readonly pin: string; readonly code: string | null };

/**
 * What was typed as proof: the PIN, and behind it the authenticator's code where one is asked for. Both are one try, so that
 * who knows the PIN cannot try codes for ever. Throws PIN_UNSUITABLE, which costs no try.
 */
export function readFactors(guard: Guard, text: string, now: number): Factors {
  if (secondFactor(guard, now) === null) return { pin: text, code: null };
  const [, pin, code] = /^([0-9]{6})[ ,./+-]{0,3}([0-9]{6})$/.exec(text) ?? [];
  if (pin === undefined || code === undefined) throw new AppError('PIN_UNSUITABLE', { reason: 'code' });
  return { pin, code };
}

/** True while a code of this step may be used: later than every one that was. */
export function isFreshStep(guard: Pick<Guard, 'totpStep'>, step: number): boolean {
  return guard.totpStep === null || step > guard.totpStep;
}

/** After a right proof. Who has the authenticator has not lost it: an end that was asked for is called off. */
export function rightFactors(guard: Guard, step: number | null): Guard {
  return step === null ? rightPin(guard) : { ...rightPin(guard), totpStep: step, totpEndsAt: null };
}

/** A secret that waits for its first code. */
export function withEnrolment(
  guard: Guard,
  enrolment: { readonly box: string; readonly link: string },
  now: number,
): Guard {
  return {
    ...guard,
    nextTotpBox: enrolment.box,
    nextTotpLink: enrolment.link,
    nextTotpUntil: now + ENROLMENT_MS,
  };
}

/** The secret that waits, when its link was opened and its time is not over. */
export function openEnrolment(guard: Guard, now: number): string | null {
  const { nextTotpBox, nextTotpLink, nextTotpUntil } = guard;
  return nextTotpLink === null && nextTotpUntil !== null && now < nextTotpUntil ? nextTotpBox : null;
}

export function withSecondFactor(guard: Guard, box: string, step: number): Guard {
  return { ...rightPin(guard), ...NO_ENROLMENT, totpBox: box, totpStep: step, totpEndsAt: null };
}

export function withoutSecondFactor(guard: Guard): Guard {
  return { ...guard, ...NO_ENROLMENT, totpBox: null, totpStep: null, totpEndsAt: null };
}
