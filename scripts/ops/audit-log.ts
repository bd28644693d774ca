import type { Act } from '../../src/engine/audit/rules.ts';
import type { RecordedAct } from '../../src/engine/audit/store/audit-log-port.ts';
import { systemClock } from '../../src/platform/clock/clock.ts';
import type { Io } from './command.ts';
import { openDatabase } from './open.ts';
import { OpsError } from './ops-error.ts';
import { duration, moment, telegramId, wholeNumber } from './read-values.ts';

/** Prints sensitive acts, newest first. */
export async function showAuditLog(
  io: Io,
  options: {
    readonly user: string | undefined;
    readonly act: string | undefined;
    readonly since: string | undefined;
    readonly limit: string | undefined;
  },
): Promise<number> {
  const limit = wholeNumber('--limit', options.limit, { min: 1, max: 10_000, fallback: 100 });
  const user = options.user === undefined ? null : telegramId('--user', options.user);
  const since = options.since === undefined ? undefined : sinceOf(options.since);
  const { db, close } = await openDatabase(io);
  try {
    const person = user === null ? null : await db.users.findByTelegramId(user);
    if (user !== null && person === null) throw new OpsError(`Nobody here has the Telegram id ${user}.`);
    const acts = await db.auditLog.list(
      {
        ...(person === null ? {} : { subject: person.id }),
        // Any name: an act of another version is asked for in the same way.
        ...(options.act === undefined ? {} : { act: options.act as Act }),
        ...(since === undefined ? {} : { since }),
      },
      { limit, offset: 0 },
    );
    for (const act of acts) io.print(lineOf(act));
    io.print(
      acts.length === limit ? `The newest ${limit} acts; --limit shows more.` : `${acts.length} acts.`,
    );
    return 0;
  } finally {
    await close();
  }
}

/** A day or moment, or how long ago. */
function sinceOf(text: string): number {
  return /[smhd]$/.test(text) ? systemClock().now() - duration('--since', text) : moment('--since', text);
}

function lineOf({ id, at, actor, act, subject, outcome, details }: RecordedAct): string {
  const about = subject === null || actor === `user:${subject}` ? '' : ` about ${subject}`;
  const more =
    details === null
      ? ['(details that this version cannot read)']
      : Object.entries(details).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return [
    `${id}  ${new Date(at).toISOString()}  ${actor}${about}  ${act}${outcome === 'done' ? '' : `  ${outcome}`}`,
    ...more,
  ].join('  ');
}
