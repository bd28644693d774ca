import { AppError } from '../../../core/errors/app-error.ts';
import { emailAddress } from '../../../core/text/email-address.ts';
import { isOver, type Reading } from '../../../core/time/due.ts';
import type { Guard, GuardRules } from './guard.ts';

/** So long a code that was mailed confirms its address. */
export const NOTICE_CODE_MS = 30 * 60_000;
/** So long the link of a notice works at most: that of an act with an end ends with it. */
export const STOP_LINK_MS = 7 * 86_400_000;
/** Codes to one address within an hour, of all people together: it may be a stranger's. */
export const CODES_PER_ADDRESS = 3;

type Mails = Pick<Guard, 'noticeMail' | 'nextNoticeMail' | 'nextNoticeMailAt'>;

/** The address that notices go to now; null = none. */
export function noticeMailNow(guard: Mails, at: Reading): string | null {
  const { nextNoticeMailAt: from } = guard;
  return from !== null && isOver(from, at) ? guard.nextNoticeMail : guard.noticeMail;
}

/** The change that waits: its address, null = none, and the moment from which it counts. */
export function nextMail(
  guard: Mails,
  clock: Reading,
): { readonly address: string | null; readonly at: number } | null {
  const { nextNoticeMail: address, nextNoticeMailAt: at } = guard;
  return at !== null && !isOver(at, clock) ? { address, at } : null;
}

/** Another address, or none, after the long wait; until then the present one stays. One that waited is replaced. */
export function withNextMail(guard: Guard, address: string | null, now: number, rules: GuardRules): Guard {
  return {
    ...guard,
    noticeMail: noticeMailNow(guard, now),
    nextNoticeMail: address,
    nextNoticeMailAt: now + rules.longDelayMs,
  };
}

/** No change waits any more; one whose time is over has taken effect and stays. */
export function withoutNextMail(guard: Guard, now: number): Guard {
  return nextMail(guard, now) === null ? guard : { ...guard, nextNoticeMail: null, nextNoticeMailAt: null };
}

/**
 * The address that was typed, in lower case. Throws NOTICE_MAIL_REFUSED where it is none of plain ASCII letters, more than one, or the
 * one in force while nothing else waits.
 */
export function newNoticeMail(text: string, guard: Mails, at: Reading): string {
  const address = emailAddress(text);
  if (address === null) throw new AppError('NOTICE_MAIL_REFUSED', { reason: 'shape' });
  const next = nextMail(guard, at);
  const last = next === null ? noticeMailNow(guard, at) : next.address;
  if (address === last) throw new AppError('NOTICE_MAIL_REFUSED', { reason: 'same' });
  return address;
}

/** No letter that is read as another: without I, L, O and U. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_LENGTH = 10;

/** Ten letters, 50 bits of these random bytes: more than can be tried in the half hour, also by who has the hash. */
export function mailCode(random: Uint8Array): string {
  return Array.from(random.subarray(0, CODE_LENGTH), (byte) => LETTERS[byte % LETTERS.length] ?? '').join('');
}

/** As it is shown: five letters, a line, five letters. */
export function shownCode(code: string): string {
  return `${code.slice(0, CODE_LENGTH / 2)}-${code.slice(CODE_LENGTH / 2)}`;
}

/** The text whose hash is kept: a code is of one person and one address. Spaces, line breaks and small letters of the typed text do not count. */
export function codeText(userId: string, address: string, typed: string): string {
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
  return JSON.stringify(['notice-code', userId, address, code]);
}
