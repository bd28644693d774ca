import { AGGREGATORS } from '../../src/config/index.ts';
import { type Pause, REASON_MAX, SWITCHES, type Switch } from '../../src/engine/switches/rules.ts';
import { pauseSwitch, resumeSwitch } from '../../src/engine/switches/use/turn-switch.ts';
import { systemClock } from '../../src/platform/clock/clock.ts';
import { VENUE_NAMES } from '../../src/platform/venues/index.ts';
import type { Io } from './command.ts';
import { openDatabase } from './open.ts';
import { operator } from './operator.ts';
import { UsageError } from './ops-error.ts';
import { duration } from './read-values.ts';

/** Every switch that there is. */
export const ALL_SWITCHES: readonly Switch[] = [
  ...SWITCHES,
  ...VENUE_NAMES.map((name): Switch => `venue:${name}`),
  ...AGGREGATORS.map((name): Switch => `aggregator:${name}`),
];

/** Stops the named part, in every process within a second; people see the reason. */
export async function pause(
  io: Io,
  word: string,
  options: { readonly reason: string | undefined; readonly for: string | undefined },
): Promise<number> {
  const what = switchOf('pause', word);
  const reason = reasonOf(options.reason);
  if (reason === '') throw new UsageError('--reason: expected why, in words that people may read.');
  const forMs = options.for === undefined ? null : duration('--for', options.for);
  const { db, close } = await openDatabase(io);
  try {
    // The moment of the database's server, as every process compares it.
    const [row] = await db.query<{ readonly now: Date }>('SELECT now() AS now', []);
    const now = (row?.now ?? new Date()).getTime();
    const until = forMs === null ? null : now + forMs;
    const before = await pauseSwitch(
      { db, clock: systemClock() },
      { what, reason, until, actor: operator() },
    );
    if (before !== null) io.print(`It was paused already: ${pauseLine(before)}. This takes its place.`);
    io.print(`${what} is paused ${endText(until)}: ${reason}. Every process obeys within a second.`);
    return 0;
  } finally {
    await close();
  }
}

export async function resume(
  io: Io,
  word: string,
  options: { readonly reason: string | undefined },
): Promise<number> {
  const what = switchOf('resume', word);
  const reason = reasonOf(options.reason);
  const { db, close } = await openDatabase(io);
  try {
    const before = await resumeSwitch({ db, clock: systemClock() }, { what, reason, actor: operator() });
    io.print(
      before === null
        ? `${what} was not paused: nothing to resume.`
        : `${what} goes on. It was paused: ${pauseLine(before)}.`,
    );
    return 0;
  } finally {
    await close();
  }
}

/** 1 when something is paused. */
export async function status(io: Io, word: string | undefined): Promise<number> {
  const wanted = word === undefined ? ALL_SWITCHES : [switchOf('status', word)];
  const { db, close } = await openDatabase(io);
  try {
    const pauses = await db.flags.pauses();
    for (const what of wanted) {
      const pause = pauses.find((one) => one.what === what);
      io.print(`${what.padEnd(26)}${pause === undefined ? 'open' : `PAUSED ${pauseLine(pause)}`}`);
    }
    const quarantined = word === undefined && (await db.flags.isSet('quarantined'));
    if (quarantined)
      io.print('The database is in QUARANTINE: nothing is signed until "reconcile" has ended it.');
    return quarantined || pauses.some(({ what }) => wanted.includes(what)) ? 1 : 0;
  } finally {
    await close();
  }
}

function switchOf(command: string, word: string): Switch {
  const found = ALL_SWITCHES.find((one) => one === word);
  if (found === undefined)
    throw new UsageError(`${command}: there is no switch "${word}". There are ${ALL_SWITCHES.join(', ')}.`);
  return found;
}

/** One line, without the full stop that the sentences around it bring. */
function reasonOf(text: string | undefined): string {
  const reason = (text ?? '').replaceAll(/\s+/g, ' ').trim().replace(/\.+$/, '');
  if (reason.length > REASON_MAX)
    throw new UsageError(`--reason: expected at most ${REASON_MAX} characters, not ${reason.length}.`);
  return reason;
}

function pauseLine({ since, until, reason }: Pause): string {
  return `since ${new Date(since).toISOString()} ${endText(until)}: ${reason === '' ? 'no reason was given' : reason}`;
}

function endText(until: number | null): string {
  return until === null ? 'until it is resumed' : `until ${new Date(until).toISOString()}`;
}
