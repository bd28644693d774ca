import type { NoticeToTell } from '../../../engine/notices/store-port.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { LinkTokens } from '../../../platform/ports/link-tokens.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import type { Mail } from '../../mail/store-port.ts';
import { LINKS } from '../../mail/use/mail-subjects.ts';
import type { MailText } from '../../mail/use/mail-text.ts';
import { queueMail } from '../../mail/use/queue-mail.ts';
import type { User } from '../../settings/rules/user.ts';
import { codeText, mailCode, NOTICE_CODE_MS, noticeMailNow, shownCode } from '../rules/notice-mail.ts';
import { mayCarryStop, type StopFacts } from '../rules/stop-facts.ts';
import { type StopFactsDeps, stopFacts } from './stop-facts.ts';

/** The letters to a person, in their language. */
export type NoticeLetters = {
  readonly code: (person: User, code: string) => MailText;
  readonly stop: (person: User, facts: StopFacts, link: string) => MailText;
};

type MailNoticeDeps = StopFactsDeps & {
  readonly db: StopFactsDeps['db'] & Pick<Database, 'transact'>;
  readonly ids: Ids;
  readonly nudge: () => void;
};

/**
 * A mail of a notice that can be stopped, to the notice mail of its person: once, however often the notice is delivered. Nothing where the
 * person has no such address, or where nothing is left to stop.
 */
export async function mailNotice(deps: MailNoticeDeps, { notice, user }: NoticeToTell): Promise<void> {
  if (!mayCarryStop(notice.kind)) return;
  const to = noticeMailNow(await deps.db.guards.find(user.id), deps.clock);
  if (to === null || (await stopFacts(deps, notice)) === null) return;
  await deps.db.transact((stores) =>
    queueMail(deps, stores, { id: notice.id, to, template: 'notice', subject: notice.id }),
  );
  deps.nudge();
}

export type NoticeLetterDeps = StopFactsDeps & {
  readonly db: StopFactsDeps['db'] & Pick<Database, 'links' | 'users' | 'notices'>;
  readonly tokens: LinkTokens;
  readonly letters: NoticeLetters;
};

/**
 * The letter of a mail to a person, made as it is sent: its code or the token of its link is in no row and in no queue, only its hash.
 * Null where it comes too late to be of use.
 */
export async function noticeLetter(
  deps: NoticeLetterDeps,
  mail: Mail & { readonly template: 'notice' | 'notice-code' },
  site: string,
): Promise<MailText | null> {
  return mail.template === 'notice' ? stopLetter(deps, mail, site) : codeLetter(deps, mail);
}

async function codeLetter(
  { db, tokens, letters, clock }: NoticeLetterDeps,
  mail: Mail,
): Promise<MailText | null> {
  const person = await db.users.find(mail.subject);
  const expiresAt = mail.createdAt + NOTICE_CODE_MS;
  if (person === null || expiresAt <= clock.now()) return null;
  const code = mailCode(tokens.hash(tokens.make()));
  await db.links.insert({
    hash: tokens.hash(codeText(person.id, mail.to, code)),
    purpose: 'notice-code',
    subject: person.id,
    expiresAt,
    usedAt: null,
  });
  return letters.code(person, shownCode(code));
}

async function stopLetter(deps: NoticeLetterDeps, mail: Mail, site: string): Promise<MailText | null> {
  const { db, tokens, letters } = deps;
  const notice = await db.notices.find(mail.subject);
  const facts = notice === null ? null : await stopFacts(deps, notice);
  const person = facts === null ? null : await db.users.find(facts.userId);
  if (facts === null || person === null) return null;
  const token = tokens.make();
  await db.links.insert({
    hash: tokens.hash(token),
    purpose: 'notice-stop',
    subject: facts.noticeId,
    expiresAt: facts.endsAt,
    usedAt: null,
  });
  return letters.stop(person, facts, `${site}${LINKS.notice?.path ?? ''}${token}`);
}
