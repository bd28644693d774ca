/** `npm run ops -- mail …`: mails that came back. A running worker sends queued mails within seconds. */

import type { Mail } from '../../src/modules/mail/store-port.ts';
import { markReturned, sendAgain } from '../../src/modules/mail/use/returned-mail.ts';
import { createLinkTokens } from '../../src/platform/api-keys/link-tokens.ts';
import { systemClock } from '../../src/platform/clock/clock.ts';
import { randomIds } from '../../src/platform/clock/ids.ts';
import type { PrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import type { Io } from './command.ts';
import { openDatabase } from './open.ts';
import { operator } from './operator.ts';
import { wholeNumber } from './read-values.ts';

const SHOWN = 50;

/** Newest first. */
export async function listMails(io: Io, options: { readonly limit: string | undefined }): Promise<number> {
  const limit = wholeNumber('--limit', options.limit, { min: 1, max: 10_000, fallback: SHOWN });
  const { db, close } = await openDatabase(io);
  try {
    for (const mail of await db.mails.list(limit)) io.print(lineOf(mail));
    return 0;
  } finally {
    await close();
  }
}

/** 1 when it is no mail that was sent. */
export async function mailBounced(io: Io, id: string): Promise<number> {
  const { db, close } = await openDatabase(io);
  try {
    const mail = await markReturned(depsOf(db), id);
    io.print(
      mail === null
        ? `${id} is no mail that was sent: see "mail list".`
        : `${lineOf(mail)}\nIts link works no more. "mail again ${id}" sends an answer again.`,
    );
    return mail === null ? 1 : 0;
  } finally {
    await close();
  }
}

/** 1 when it cannot be sent again. */
export async function mailAgain(io: Io, id: string): Promise<number> {
  const { db, close } = await openDatabase(io);
  try {
    const { kind } = await sendAgain(depsOf(db), id);
    io.print(WORDS[kind]);
    return kind === 'queued' ? 0 : 1;
  } finally {
    await close();
  }
}

const WORDS: Readonly<Record<Awaited<ReturnType<typeof sendAgain>>['kind'], string>> = {
  queued: 'It goes again, with a new link.',
  unknown: 'There is no such mail: see "mail list".',
  waiting: 'Nothing done: it waits and is tried again by itself.',
  sent: 'Nothing done: it was sent. If it came back, say so first with "mail bounced".',
  theirs: 'Nothing done: the asker asks for this one anew, at /keys or /account.',
  over: 'Nothing done: the request has moved on. See "key-request show".',
};

function depsOf(db: PrismaDatabase) {
  const clock = systemClock();
  return { db, clock, ids: randomIds(() => clock.now()), tokens: createLinkTokens(), actor: operator() };
}

function lineOf({ id, createdAt, to, template, status, subject, lastError }: Mail): string {
  const why = lastError === null ? '' : `  (${lastError})`;
  return `${id}  ${new Date(createdAt).toISOString()}  ${to}  ${template}  ${status}${why}  about ${subject}`;
}
