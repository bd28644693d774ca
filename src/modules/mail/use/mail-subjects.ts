import { NOTICE_CODE_MS, STOP_LINK_MS } from '../../guard/rules/notice-mail.ts';
import type { KeyRequestStatus } from '../../keys/rules/key-request.ts';
import type { LinkPurpose } from '../../keys/store/one-time-link-store-port.ts';
import type { MailTemplate } from '../store-port.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

type Link = { readonly purpose: LinkPurpose; readonly path: string; readonly ttlMs: number };

/** Where the link of a mail leads and how long it works. */
export const LINKS: { readonly [T in MailTemplate]: Link | null } = {
  confirm: { purpose: 'confirm', path: '/keys/confirm/', ttlMs: DAY_MS },
  question: { purpose: 'answer', path: '/keys/answer/', ttlMs: 14 * DAY_MS },
  claim: { purpose: 'claim', path: '/keys/claim/', ttlMs: 7 * DAY_MS },
  rotate: { purpose: 'rotate', path: '/keys/claim/', ttlMs: 7 * DAY_MS },
  login: { purpose: 'login', path: '/account/login/', ttlMs: 15 * MINUTE_MS },
  refused: null,
  // No link of its own: it carries a code, which its reader types in the chat.
  'notice-code': { purpose: 'notice-code', path: '', ttlMs: NOTICE_CODE_MS },
  // At most; it ends when there is nothing left to stop.
  notice: { purpose: 'notice-stop', path: '/stop/', ttlMs: STOP_LINK_MS },
  'webhook-disabled': null,
};

/** The state that a request must be in for its mail to mean anything; null: the mail is about no request. */
export const WANTED: { readonly [T in MailTemplate]: KeyRequestStatus | null } = {
  confirm: 'unconfirmed',
  question: 'confirmed',
  claim: 'granted',
  refused: 'refused',
  rotate: null,
  login: null,
  'notice-code': null,
  notice: null,
  'webhook-disabled': null,
};
