import { ownWork } from '../../../engine/audit/rules.ts';
import type { ApiKeySecrets } from '../../../platform/ports/api-key-secrets.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { JobResult } from '../../../platform/ports/job-queue.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { Mailer, MailOutcome } from '../../../platform/ports/mailer.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import { passFree } from '../../guard/rules/pass-free.ts';
import { type NoticeLetterDeps, noticeLetter } from '../../guard/use/mail-notice.ts';
import { type KeyMailTemplate, type Mail, OVERTAKEN } from '../../mail/store-port.ts';
import { linkSubject } from '../../mail/use/link-subject.ts';
import { LINKS, WANTED } from '../../mail/use/mail-subjects.ts';
import { type MailText, mailText } from '../../mail/use/mail-text.ts';
import { grantOf } from './grant-of.ts';
import { issueApiKey } from './issue-api-key.ts';
import { tellOperators } from './tell-operators.ts';

export type SendMailDeps = NoticeLetterDeps & {
  readonly db: NoticeLetterDeps['db'] & Pick<Database, 'transact' | 'mails' | 'keyRequests' | 'apiKeys'>;
  /** Null where no mail server is configured: mails wait for a process that has one. */
  readonly mailer: Mailer | null;
  /** Null where the process has no secret for keys: it cannot mail one then. */
  readonly secrets: ApiKeySecrets | null;
  /** `key`: the granted key itself goes by mail, instead of a link behind which it is made. */
  readonly keyMail: 'link' | 'key';
  /** Where people reach the open host. */
  readonly siteUrl: () => string | null;
  readonly operators: ReadonlySet<bigint>;
  readonly nudge: () => void;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Pick<Logger, 'warn' | 'info'>;
};

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Pauses after each try that the server could not take; after the last one the mail is given up. */
const RETRY_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 8 * HOUR_MS] as const;
/** Longer than one try can take: a killed process blocks a mail for no longer. */
const LEASE_MS = 2 * MINUTE_MS;
const DONE: JobResult = { kind: 'done' };

/**
 * Tries to send one mail. Its link is made here and its hash stored, anew at each try, so that no token waits anywhere. A mail that the
 * server will never take is a bounce: the request is marked and the operators are notified. A mail that it cannot take now is tried again
 * after 1, 5, 30 minutes, 2 and 8 hours, and then given up and reported.
 */
export async function sendMail(deps: SendMailDeps, mailId: string): Promise<JobResult> {
  const { db, clock, mailer } = deps;
  const site = deps.siteUrl();
  if (mailer === null || site === null) return DONE;
  const now = clock.now();
  const mail = await db.mails.claim(mailId, now, now + LEASE_MS);
  if (mail === null) return DONE;
  if (isToPerson(mail)) {
    const letter = await noticeLetter(deps, mail, site);
    if (letter === null) return overtaken(deps, mail);
    return finish(deps, mail, await mailer.send({ to: mail.to, ...letter }));
  }
  if (!isAboutKeys(mail) || (await isOvertaken(deps, mail))) return overtaken(deps, mail);
  const composed = await compose(deps, mail, site);
  const outcome: MailOutcome =
    composed === null
      ? { kind: 'later', reason: 'API_KEY_SECRET is missing in the worker' }
      : await mailer.send({ to: mail.to, ...composed.letter });
  await composed?.settle(outcome.kind === 'sent');
  return finish(deps, mail, outcome);
}

const isToPerson = (mail: Mail): mail is Mail & { readonly template: 'notice' | 'notice-code' } =>
  mail.template === 'notice' || mail.template === 'notice-code';

type KeyMail = Mail & { readonly template: KeyMailTemplate };
const isAboutKeys = (mail: Mail): mail is KeyMail => !isToPerson(mail);

/** It serves no purpose any more. */
async function overtaken({ db, clock }: SendMailDeps, mail: Mail): Promise<JobResult> {
  await db.mails.finish(mail.id, { status: 'failed', lastError: OVERTAKEN, dueAt: clock.now() });
  return DONE;
}

async function finish(deps: SendMailDeps, mail: Mail, outcome: MailOutcome): Promise<JobResult> {
  const { db, clock, log } = deps;
  const now = clock.now();
  if (outcome.kind === 'sent') {
    await db.mails.finish(mail.id, { status: 'sent', lastError: null, dueAt: now });
    return DONE;
  }
  log.warn(
    { mail: mail.id, template: mail.template, attempts: mail.attempts, ...outcome },
    'a mail did not go',
  );
  const pauseMs = outcome.kind === 'later' ? RETRY_MS[mail.attempts - 1] : undefined;
  if (pauseMs !== undefined) {
    await db.mails.finish(mail.id, { status: 'waiting', lastError: outcome.reason, dueAt: now + pauseMs });
    return { kind: 'again', afterMs: pauseMs };
  }
  await db.transact(async (stores) => {
    const status = outcome.kind === 'bounced' ? 'bounced' : 'failed';
    await stores.mails.finish(mail.id, { status, lastError: outcome.reason, dueAt: now });
    const from = WANTED[mail.template];
    if (from !== null && from !== 'refused') {
      await stores.keyRequests.change(mail.subject, [from], { status: 'bounced' });
    }
    if (mail.template !== 'login') await tellOperators(deps, stores, 'key-mail-failed', { mailId: mail.id });
  });
  deps.nudge();
  return DONE;
}

async function isOvertaken({ db }: SendMailDeps, mail: Mail): Promise<boolean> {
  const wanted = WANTED[mail.template];
  return wanted !== null && (await db.keyRequests.find(mail.subject))?.status !== wanted;
}

type Composed = {
  readonly letter: MailText;
  /** Says whether the server took it. */
  readonly settle: (isSent: boolean) => Promise<void>;
};

async function compose(deps: SendMailDeps, mail: KeyMail, site: string): Promise<Composed | null> {
  if (mail.template === 'claim' && deps.keyMail === 'key') return composeKey(deps, mail, site);
  const link = LINKS[mail.template];
  const settle = async (): Promise<void> => undefined;
  if (link === null) return { letter: mailText(mail, { link: null, key: null, apiUrl: site }), settle };
  const token = deps.tokens.make();
  await deps.db.links.insert({
    hash: deps.tokens.hash(token),
    purpose: link.purpose,
    subject: linkSubject(deps.tokens, mail),
    expiresAt: deps.clock.now() + link.ttlMs,
    usedAt: null,
  });
  return { letter: mailText(mail, { link: `${site}${link.path}${token}`, key: null, apiUrl: site }), settle };
}

/** The key itself, made now. A key of an earlier try, which may or may not have arrived, is revoked: one works at a time. */
async function composeKey(deps: SendMailDeps, mail: KeyMail, site: string): Promise<Composed | null> {
  const { db, secrets, clock } = deps;
  if (secrets === null) return null;
  const issued = await db.transact(async (stores) => {
    const request = await stores.keyRequests.find(mail.subject);
    if (request === null || request.status !== 'granted') return null;
    const passed = passFree('service', null);
    const former = request.keyId;
    const isRevoked = former !== null && (await stores.apiKeys.revoke(passed, former, clock.now()));
    const made = await issueApiKey(
      { keys: stores.apiKeys, secrets, clock },
      passed,
      grantOf(request, clock.now()),
    );
    const { id: keyId, account, scopes } = made.key;
    await stores.keyRequests.change(request.id, ['granted'], { keyId });
    if (isRevoked) await stores.auditLog.record(ownWork(clock.now(), 'api-key-revoked', { keyId: former }));
    await stores.auditLog.record(ownWork(clock.now(), 'api-key-issued', { keyId, account, scopes }));
    return made;
  });
  if (issued === null) return null;
  const { text: key } = issued;
  const keyId = issued.key.id;
  return {
    letter: mailText(mail, { link: null, key, apiUrl: site }),
    settle: (isSent) =>
      db.transact(async (stores) => {
        const now = clock.now();
        if (!isSent) {
          if (await stores.apiKeys.revoke(passFree('service', null), keyId, now))
            await stores.auditLog.record(ownWork(now, 'api-key-revoked', { keyId }));
          return;
        }
        const requestId = mail.subject;
        const end = { status: 'claimed', claimedAt: now } as const;
        const claimed = await stores.keyRequests.change(requestId, ['granted'], end);
        if (claimed !== null)
          await stores.auditLog.record(ownWork(now, 'api-key-claimed', { keyId, requestId }));
      }),
  };
}
