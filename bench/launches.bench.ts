/**
 * How long after its confirmation a launch is on the list of launches, in slots, on the program as `npm start` composes it: people launch
 * tokens on the desk's pad by tapping. Rows and slots are looked at alike, every few milliseconds. LAUNCHES sets their number.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createPerson, type Person } from '@tradepost/local-telegram';
import pg from 'pg';
import { waitForScreen } from '../scripts/tour/screens.ts';
import { type Program, startProgram } from '../test/support/program.ts';
import { percentile } from './median.ts';
import type { Row } from './run.ts';
import { sampleSlots } from './sample-slots.ts';

export const name = 'launches';

const LAUNCHES = Number(process.env['LAUNCHES'] ?? 20);
const LOOK_MS = 10;
const GOAL_SLOTS = 2;
const PATIENCE = { timeoutMs: 60_000 };

/** A row, and when it was first seen. */
type Seen = { readonly slot: bigint; readonly at: number };

export async function run(): Promise<readonly Row[]> {
  const dir = mkdtempSync(join(tmpdir(), 'tradepost-launches-'));
  const program = await startProgram(dir, { CHAT_UPDATES: '1000' });
  const database = new pg.Client({ connectionString: program.run.databaseUrl });
  const slots = sampleSlots(program.run.rpcUrl, 'confirmed');
  const rows = watchRows(database);
  try {
    await database.connect();
    rows.begin();
    for (let n = 0; n < LAUNCHES; n += 1) await launch(program, n);
    await rows.until(LAUNCHES);
    const lags = rows.seen().flatMap(({ slot, at }): readonly number[] => {
      const newest = slots.newest(at);
      return newest === null ? [] : [Number(newest - slot)];
    });
    const waits = rows.seen().map(({ slot, at }) => Math.max(0, at - (slots.at(slot) ?? at)));
    return [
      {
        metric: `slots from confirmed to the launch’s row, p95 of ${lags.length}`,
        value: percentile(lags, 95),
        unit: 'slots',
        note: `goal <= ${GOAL_SLOTS}`,
      },
      { metric: 'the same, p50', value: percentile(lags, 50), unit: 'slots' },
      { metric: 'from confirmed to the row, p95', value: percentile(waits, 95), unit: 'ms' },
    ];
  } finally {
    await rows.stop();
    slots.stop();
    await database.end();
    await program.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Looks for new rows of launches from `begin` on. */
function watchRows(database: pg.Client) {
  const seen = new Map<string, Seen>();
  let isOver = false;
  let looking: Promise<void> = Promise.resolve();
  const look = async (): Promise<void> => {
    for (; !isOver; await pause(LOOK_MS)) {
      const { rows } = await database.query<{ readonly mint: string; readonly slot: string }>(
        'SELECT mint, created_slot::text AS slot FROM launches_seen',
      );
      const at = Date.now();
      for (const { mint, slot } of rows) if (!seen.has(mint)) seen.set(mint, { slot: BigInt(slot), at });
    }
  };
  return {
    begin: () => {
      looking = look();
    },
    until: async (count: number): Promise<void> => {
      for (const end = Date.now() + PATIENCE.timeoutMs; seen.size < count && Date.now() < end; )
        await pause(LOOK_MS);
      if (seen.size < count) throw new Error(`${seen.size} of ${count} launches were listed within a minute`);
    },
    seen: () => [...seen.values()],
    stop: async (): Promise<void> => {
      isOver = true;
      await looking;
    },
  };
}

/** A new person with play money launches a token on the desk's pad, without a first buy. */
async function launch({ run: { chatUrl } }: Program, n: number): Promise<void> {
  const person = await createPerson({
    url: chatUrl,
    user: { id: 60_000 + n, first_name: `M${n}`, language_code: 'en' },
  });
  await person.start();
  await person.waitFor(/Welcome/);
  await person.tap('Create Deposit Wallet');
  await person.waitFor(/is ready/);
  await person.say('/deposit');
  await person.waitFor(/Send SOL/);
  await person.tap(/play SOL/);
  await person.waitForToast(/are there/);
  await makeLaunch(person, `L${n}Q`);
}

async function makeLaunch(person: Person, symbol: string): Promise<void> {
  await person.say('/create_token');
  await person.waitFor(/need a referral account|Which type/, PATIENCE);
  if (/referral account/.test((await person.lastMessage())?.text ?? '')) {
    await person.tap('Create referral account');
    await waitForScreen(person, /Which type/);
  }
  await person.tap('Launch it instead');
  await waitForScreen(person, /Which one/);
  await person.tap({ data: 'form:pad0' });
  for (const question of [/The symbol/, /The name/]) {
    await waitForScreen(person, question);
    await person.say(symbol);
  }
  for (const question of [/Send a picture/, /A description/, /Links/]) {
    await waitForScreen(person, question);
    await person.tap('Skip');
  }
  await waitForScreen(person, /first buy/);
  await person.tap('No first buy');
  await waitForScreen(person, /Your first buy 0 SOL/);
  await person.tap('Launch');
  await person.waitFor(new RegExp(`^Launched ${symbol}`), PATIENCE);
}
