/** `npm run ops -- incident …`: what `/status` tells people of an outage. */
import {
  AFFECTED,
  type Affected,
  type Incident,
  isAffected,
  NOTE_MAX,
  TITLE_MAX,
} from '../../src/modules/operations/rules/incident.ts';
import { HISTORY_DAYS } from '../../src/modules/operations/rules/retention.ts';
import { createIncidentStore } from '../../src/modules/operations/store/incident-store.ts';
import type { IncidentStore } from '../../src/modules/operations/store/incident-store-port.ts';
import { systemClock } from '../../src/platform/clock/clock.ts';
import { randomIds } from '../../src/platform/clock/ids.ts';
import type { Io } from './command.ts';
import { openDatabase } from './open.ts';
import { recordAct } from './operator.ts';
import { UsageError } from './ops-error.ts';

const DAY_MS = 86_400_000;
const clock = systemClock();
const ids = randomIds(() => clock.now());
const SHOWN = '/status shows it within ten seconds.';

export async function openIncident(io: Io, words: string, parts: readonly string[]): Promise<number> {
  const title = textOf('incident open', words, TITLE_MAX);
  const affected = partsOf(parts);
  const id = ids.ulid();
  return await change(io, 'incident open', [title, ...affected], async (incidents) => {
    await incidents.open({ id, title, parts: affected, openedAt: clock.now() });
    io.print(`${id} is open: ${title}. ${SHOWN}`);
    return true;
  });
}

/** 1 where there is no such incident. */
export async function noteIncident(io: Io, id: string, words: string): Promise<number> {
  const text = textOf('incident note', words, NOTE_MAX);
  return await change(io, 'incident note', [id, text], async (incidents) => {
    const isNoted = await incidents.note(id, { id: ids.ulid(), at: clock.now(), text });
    io.print(isNoted ? `${id} has the note. ${SHOWN}` : unknown(id));
    return isNoted;
  });
}

/** 1 where there is no such incident, or it was closed before; nothing is changed then. */
export async function closeIncident(io: Io, id: string, words: string | undefined): Promise<number> {
  const text = words === undefined ? null : textOf('incident close', words, NOTE_MAX);
  const said = text === null ? [id] : [id, text];
  return await change(io, 'incident close', said, async (incidents) => {
    const at = clock.now();
    const closed = await incidents.close(id, at);
    if (closed === 'now' && text !== null) await incidents.note(id, { id: ids.ulid(), at, text });
    if (closed === null) io.print(unknown(id));
    else io.print(closed === 'now' ? `${id} is closed. ${SHOWN}` : `${id} was closed before.`);
    return closed === 'now';
  });
}

/** 1 while one is open. */
export async function listIncidents(io: Io): Promise<number> {
  const { db, close } = await openDatabase(io);
  try {
    const all = await createIncidentStore(db.query).list(clock.now() - HISTORY_DAYS * DAY_MS);
    if (all.length === 0) io.print(`There was no incident in ${HISTORY_DAYS} days.`);
    for (const incident of all) for (const line of linesOf(incident)) io.print(line);
    return all.some(({ closedAt }) => closedAt === null) ? 1 : 0;
  } finally {
    await close();
  }
}

function linesOf({ id, title, parts, openedAt, closedAt, notes }: Incident): readonly string[] {
  const time = (at: number): string => new Date(at).toISOString();
  const end = closedAt === null ? 'OPEN' : `closed ${time(closedAt)}`;
  const names = parts.length === 0 ? '' : ` (${parts.join(', ')})`;
  return [
    `${id}  ${time(openedAt)}  ${end}  ${title}${names}`,
    ...notes.map(({ at, text }) => `  ${time(at)}  ${text}`),
  ];
}

/** The act and its line of the trail are one commit. */
async function change(
  io: Io,
  command: string,
  words: readonly string[],
  work: (incidents: IncidentStore) => Promise<boolean>,
): Promise<number> {
  const { db, close } = await openDatabase(io);
  try {
    const isDone = await db.transact(async (stores, query) => {
      const done = await work(createIncidentStore(query));
      if (done) await recordAct(stores, 'operator-command', { command, words });
      return done;
    });
    return isDone ? 0 : 1;
  } finally {
    await close();
  }
}

const unknown = (id: string): string =>
  `There is no incident ${id.slice(0, 64)}; "incident list" names them.`;

/** One line, without the full stop that the sentences around it bring. */
function textOf(what: string, words: string, max: number): string {
  const text = words.replaceAll(/\s+/g, ' ').trim();
  if (text === '' || text.length > max)
    throw new UsageError(`${what}: expected a text of 1 to ${max} characters, which people read.`);
  return text;
}

function partsOf(words: readonly string[]): readonly Affected[] {
  const parts = [...new Set(words)];
  const wrong = parts.find((word) => !isAffected(word));
  if (wrong !== undefined)
    throw new UsageError(`--part: expected one of ${Object.keys(AFFECTED).join(', ')}, not "${wrong}".`);
  return parts.filter(isAffected);
}
