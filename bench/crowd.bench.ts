/**
 * Many people at once on the program as `npm start` composes it (chain, chat and database of its own, two cores): each buys
 * four times in a row by tapping like a person. What counts is how long one waits from "Confirm buy" to "Bought" while
 * everybody else trades too, how many trades a second come through, and what one trade costs in database transactions.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createPerson, type Person } from '@tradepost/local-telegram';
import pg from 'pg';
import { type Program, startProgram } from '../test/support/program.ts';
import { percentile } from './median.ts';
import type { Row } from './run.ts';

export const name = 'crowd';

/** `CROWD=12` measures that one alone. */
const CROWDS = process.env['CROWD'] === undefined ? [1, 12, 30] : [Number(process.env['CROWD'])];
const TRADES_EACH = 4;
/** One person alone trades more often: what the service does by the clock would weigh too much on four trades. */
const TRADES_ALONE = 40;
/** Each time two play SOL, for twenty trades. */
const ASKS_ALONE = 3;
/** So much trading before anything is timed: the first calls of a process pay for compiling it. */
const WARM_UP_TRADES = 8;
/** From the last "Bought" until the last trade is final (13 s on the local chain), with some to spare. */
const UNTIL_FINAL_MS = 20_000;
/** Postgres looks once a minute for tables to clean up after the trades; that is its own work, not the service's. */
const UNTIL_AT_REST_MS = 90_000;
/** A whole minute, because some things are done once in one. */
const IDLE_MS = 60_000;
const PATIENCE = { timeoutMs: 60_000 };

export async function run(): Promise<readonly Row[]> {
  const dir = mkdtempSync(join(tmpdir(), 'tradepost-bench-'));
  // People here act faster than people can.
  const program = await startProgram(dir, { CHAT_UPDATES: '1000' });
  const database = new pg.Client({ connectionString: program.run.databaseUrl });
  try {
    await database.connect();
    const mint = await tradedMint(program);
    const rows: Row[] = [];
    let firstId = 20_000;
    const [warm] = await gather(program, 1, firstId++);
    for (let n = 0; n < WARM_UP_TRADES && warm !== undefined; n += 1) await buy(warm, mint);
    await pause(UNTIL_AT_REST_MS);
    const idle = await idleRate(database);
    rows.push({
      metric: 'database transactions a second with nobody there',
      value: idle,
      unit: '/s',
      note: 'goal ≤ 2',
    });
    for (const size of CROWDS) {
      const people = await gather(program, size, firstId);
      firstId += size;
      // Until what they got is told and booked.
      await pause(UNTIL_FINAL_MS);
      rows.push(...(await crowd(people, mint, { database, idle })));
    }
    return rows;
  } finally {
    await database.end();
    await program.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function crowd(
  people: readonly Person[],
  mint: string,
  { database, idle }: { readonly database: pg.Client; readonly idle: number },
): Promise<readonly Row[]> {
  const trades = people.length === 1 ? TRADES_ALONE : TRADES_EACH;
  const before = await transactions(database);
  const startedAt = performance.now();
  const times = (
    await Promise.all(
      people.map(async (person) => {
        const mine: number[] = [];
        for (let n = 0; n < trades; n += 1) mine.push(await buy(person, mint));
        return mine;
      }),
    )
  ).flat();
  const tradedMs = performance.now() - startedAt;
  // What a trade still costs until it is final belongs to it.
  await pause(UNTIL_FINAL_MS);
  const after = await transactions(database);
  const spent = after - before - (idle * (performance.now() - startedAt)) / 1_000;
  const who = people.length === 1 ? 'one person' : `${people.length} people`;
  const each = (p: number, goal?: string): Row => ({
    metric: `${who}: confirm tap to "Bought", p${p}`,
    value: percentile(times, p),
    unit: 'ms',
    ...(goal === undefined ? {} : { note: goal }),
  });
  const goals =
    people.length === 1
      ? ['goal 420 ms', undefined]
      : people.length === 12
        ? [undefined, 'goal 2000 ms']
        : ['goal 2000 ms', 'goal 4000 ms'];
  return [
    each(50, goals[0]),
    each(90),
    each(99, goals[1]),
    {
      metric: `${who}: trades a second`,
      value: times.length / (tradedMs / 1_000),
      unit: '/s',
      ...(people.length === 30 ? { note: 'goal ≥ 8' } : {}),
    },
    {
      metric: `${who}: database transactions per trade, taps included`,
      value: spent / times.length,
      unit: '',
      note: 'goal ≤ 35, from first tap to final',
    },
  ];
}

/** People who have met the bot, have a wallet and play money. */
async function gather(program: Program, size: number, firstId: number): Promise<readonly Person[]> {
  const people: Person[] = [];
  for (let n = 0; n < size; n += 1) {
    const id = firstId + n;
    const person = await createPerson({
      url: program.run.chatUrl,
      user: { id, first_name: `P${id}`, language_code: 'en' },
    });
    await person.start();
    await person.waitFor(/Welcome/);
    await person.tap('Create Deposit Wallet');
    await person.waitFor(/is ready/);
    for (let n = 0; n < (size === 1 ? ASKS_ALONE : 1); n += 1) {
      await person.say('/deposit');
      await person.waitFor(/Send SOL/);
      await person.tap(/play SOL/);
      await person.waitForToast(/are there/);
    }
    people.push(person);
  }
  return people;
}

/** Milliseconds from the confirming tap to the result. */
async function buy(person: Person, mint: string): Promise<number> {
  await person.say(mint);
  await person.waitFor(
    (text, message) => / · cap /.test(text) && message.reply_markup !== undefined,
    PATIENCE,
  );
  await person.tap('🟢 0.1');
  await person.waitFor(
    (text, message) => /At least/.test(text) && message.reply_markup !== undefined,
    PATIENCE,
  );
  const startedAt = performance.now();
  await person.tap('Confirm buy');
  await person.waitFor(/^Bought/, PATIENCE);
  return performance.now() - startedAt;
}

async function tradedMint(program: Program): Promise<string> {
  const { pools } = (await (await fetch(`${program.run.rpcUrl}/desk/pools`)).json()) as {
    readonly pools: readonly { readonly mintA: string; readonly mintB: string }[];
  };
  return pools.find((pool) => pool.mintB.startsWith('So1111'))?.mintA ?? '';
}

async function idleRate(database: pg.Client): Promise<number> {
  const before = await transactions(database);
  const startedAt = performance.now();
  await pause(IDLE_MS);
  // With the wait for the figure itself, and without the question for it.
  const count = (await transactions(database)) - before - 1;
  return count / ((performance.now() - startedAt) / 1_000);
}

/** Committed so far on this database. Postgres gathers the figure from its sessions up to a second late. */
async function transactions(database: pg.Client): Promise<number> {
  await pause(1_100);
  const { rows } = await database.query<{ readonly count: string }>(
    'SELECT xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = current_database()',
  );
  return Number(rows[0]?.count ?? 0);
}
