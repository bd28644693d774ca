import type { Actor } from '../../../engine/audit/rules.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { LinkTokens } from '../../../platform/ports/link-tokens.ts';
import type { Database, Stores } from '../../../platform/ports/stores.ts';
import type { Mail, MailTemplate } from '../store-port.ts';
import { linkSubject } from './link-subject.ts';
import { LINKS, WANTED } from './mail-subjects.ts';
import { queueMail } from './queue-mail.ts';

type ReturnedMailDeps = {
  readonly db: Pick<Database, 'transact'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly tokens: Pick<LinkTokens, 'hash'>;
  /** The actor that reports it. */
  readonly actor: Actor;
};

/** Answers to a request: an operator's decision is sent again. A mail that a person requested at the form must be requested anew. */
const REPEATED: ReadonlySet<MailTemplate> = new Set(['claim', 'rotate', 'refused']);

/**
 * A mail that its server had taken and that came back. Its link works no more, since the person who got the mail back has it, and the
 * request behind it is marked. Null when it is no mail that was sent.
 */
export async function markReturned(deps: ReturnedMailDeps, mailId: string): Promise<Mail | null> {
  return deps.db.transact(async (stores) => {
    const mail = await stores.mails.markBounced(mailId, 'it came back');
    if (mail === null) return null;
    const link = LINKS[mail.template];
    if (link !== null) await stores.links.end(link.purpose, linkSubject(deps.tokens, mail), deps.clock.now());
    const state = WANTED[mail.template];
    if (state !== null && state !== 'refused')
      await stores.keyRequests.change(mail.subject, [state], { status: 'bounced' });
    await record(deps, stores, 'mail bounced', mailId);
    return mail;
  });
}

/**
 * Sends an answer again, with a new link, to the address that it went to before. `kind` says why not: `unknown`, `waiting` or
 * `sent` (mark it first), `theirs` (the asker asks anew) or `over` (the request has moved on).
 */
export async function sendAgain(
  deps: ReturnedMailDeps,
  mailId: string,
): Promise<{ readonly kind: 'queued' | 'unknown' | 'waiting' | 'sent' | 'theirs' | 'over' }> {
  return deps.db.transact(async (stores) => {
    const mail = await stores.mails.find(mailId);
    if (mail === null) return { kind: 'unknown' };
    if (mail.status === 'waiting' || mail.status === 'sent') return { kind: mail.status };
    if (!REPEATED.has(mail.template)) return { kind: 'theirs' };
    if (mail.template === 'claim') {
      const request = await stores.keyRequests.change(mail.subject, ['bounced'], { status: 'granted' });
      if (request === null) return { kind: 'over' };
    }
    const { to, template, subject, args } = mail;
    await queueMail(deps, stores, { to, template, subject, args });
    await record(deps, stores, 'mail again', mailId);
    return { kind: 'queued' };
  });
}

async function record(
  { clock, actor }: ReturnedMailDeps,
  stores: Pick<Stores, 'auditLog'>,
  command: string,
  mailId: string,
): Promise<void> {
  const details = { command, words: [mailId] };
  const entry = {
    at: clock.now(),
    actor,
    act: 'operator-command',
    subject: null,
    outcome: 'done',
    details,
  } as const;
  await stores.auditLog.record(entry);
}
