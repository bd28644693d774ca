/** The error of a mail that was not sent because it was of no use any more. */
export const OVERTAKEN = 'overtaken';

/** Mails about keys of the API. */
export type KeyMailTemplate =
  | 'confirm'
  | 'question'
  | 'claim'
  | 'refused'
  | 'login'
  | 'rotate'
  | 'webhook-disabled';
/** To a person of the chat: a code that confirms an address, and a notice with Stop. */
export type NoticeMailTemplate = 'notice-code' | 'notice';
export type MailTemplate = KeyMailTemplate | NoticeMailTemplate;

/**
 * A mail that is to be sent. It holds no link and no key: those are made at the moment of sending, so that neither the
 * database nor the queue ever has one. Times are epoch milliseconds.
 */
export type Mail = {
  readonly id: string;
  readonly to: string;
  readonly template: MailTemplate;
  /** The request, key, address, person or notice that it is about. */
  readonly subject: string;
  readonly args: Readonly<Record<string, string>>;
  readonly status: 'waiting' | 'sent' | 'bounced' | 'failed';
  readonly attempts: number;
  readonly lastError: string | null;
  readonly createdAt: number;
  readonly dueAt: number;
};

export interface MailStore {
  /** False, and nothing changed, where one of its id is there. */
  insert(mail: Mail): Promise<boolean>;
  find(id: string): Promise<Mail | null>;
  /** Takes a waiting mail that is due, counts the attempt and makes it due again at `leaseUntil`; null for everybody else. */
  claim(id: string, now: number, leaseUntil: number): Promise<Mail | null>;
  finish(id: string, end: Pick<Mail, 'status' | 'lastError'> & { readonly dueAt: number }): Promise<void>;
  /** A mail that was sent and came back; null when it is none that was sent. */
  markBounced(id: string, reason: string): Promise<Mail | null>;
  /** Waiting mails that are due, oldest first. */
  due(now: number, limit: number): Promise<readonly string[]>;
  /** Mails of a template to an address since then. */
  countSince(to: string, template: MailTemplate, since: number): Promise<number>;
  /** The newest of a template to an address that was tried to the end; null = there is none. */
  newestTo(to: string, template: MailTemplate): Promise<Mail | null>;
  /** Newest first. */
  list(limit: number): Promise<readonly Mail[]>;
  /** Forgets mails made before `before` that wait no more; returns how many. */
  deleteOld(before: number): Promise<number>;
}
