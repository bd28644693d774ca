/**
 * How long a price that broke a stop must stay there before the stop fires: the longest choice, 12 seconds, on the program as `npm start`
 * composes it, where a slot is 200 ms and one in twenty has no block. The time runs from the first sight of the slot in which the price
 * broke the trigger to the commit of the fire.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPerson, type Person } from '@tradepost/local-telegram';
import pg from 'pg';
import { movePrice } from '../scripts/tour/move-price.ts';
import { createRestTrader, type RestTrader } from '../scripts/tour/rest-swap.ts';
import { hasButton, waitForScreen } from '../scripts/tour/screens.ts';
import { type Program, startProgram } from '../test/support/program.ts';
import { percentile } from './median.ts';
import type { Row } from './run.ts';
import { sampleSlots } from './sample-slots.ts';

export const name = 'hold';

const SOL = 1_000_000_000n;
const WSOL = 'So11111111111111111111111111111111111111112';
const ROUNDS = Number(process.env['ROUNDS'] ?? 6);
const HOLD_MS = 12_000;
const GOAL_MS = 600;
/** Before each round the price rises by so much; sales take it back until the stop's price is broken. */
const LIFT = 1.3;
const WHALE_LAMPORTS = 5_000n * SOL;
/** Of one sale: small enough to go over all pools alike. */
const SALE_LAMPORTS = 8n * SOL;
const TOKEN = 1_000_000n;
/** Of the chat's trades, in the stop's price; quotes of the open host have no such fee. */
const FEE = 0.01;
const PATIENCE = { timeoutMs: 60_000 };

/** Whole tokens that it sells, and its price in lamports for one. */
type Stop = { readonly tokens: number; readonly lamports: number };
type Fire = { readonly firedAt: number };

export async function run(): Promise<readonly Row[]> {
  const dir = mkdtempSync(join(tmpdir(), 'tradepost-hold-'));
  const program = await startProgram(dir, { CHAT_UPDATES: '1000' });
  const database = new pg.Client({ connectionString: program.run.databaseUrl });
  const slots = sampleSlots(program.run.rpcUrl);
  try {
    await database.connect();
    const mint = await tradedMint(program);
    const whale = await createRestTrader(program.run, WHALE_LAMPORTS);
    const held: number[] = [];
    const fires: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await movePrice(whale, mint, LIFT);
      const person = await holder(program, 30_000 + round, mint);
      const stop = await placeStop(person, mint);
      const known = (await firesOf(database)).length;
      const brokeAt = slots.at(await slotOf(program, await sellBelow(whale, mint, stop)));
      await person.waitFor(/^#\d+ Stop-loss .*\nSold /, PATIENCE);
      const all = await firesOf(database);
      fires.push(all.length - known);
      const firedAt = all.at(-1)?.firedAt;
      if (firedAt !== undefined && brokeAt !== null) held.push(firedAt - brokeAt);
    }
    return rowsOf(held, fires);
  } finally {
    slots.stop();
    await database.end();
    await program.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

function rowsOf(held: readonly number[], fires: readonly number[]): readonly Row[] {
  const goal = `goal ${(HOLD_MS - GOAL_MS) / 1_000} to ${(HOLD_MS + GOAL_MS) / 1_000} s`;
  return [
    { metric: 'hold of 12 s, shortest', value: Math.min(...held) / 1_000, unit: 's', note: goal },
    { metric: 'hold of 12 s, p50', value: percentile(held, 50) / 1_000, unit: 's' },
    { metric: 'hold of 12 s, longest', value: Math.max(...held) / 1_000, unit: 's', note: goal },
    { metric: 'stops that were timed', value: held.length, unit: '', note: `of ${ROUNDS}` },
    { metric: 'most fires of one stop', value: Math.max(...fires), unit: '', note: 'must be 1' },
  ];
}

/** A person with a wallet that holds some of the token. */
async function holder(program: Program, id: number, mint: string): Promise<Person> {
  const person = await createPerson({
    url: program.run.chatUrl,
    user: { id, first_name: `P${id}`, language_code: 'en' },
  });
  await person.start();
  await waitForScreen(person, /Welcome/);
  await person.tap('Create Deposit Wallet');
  await waitForScreen(person, /is ready/);
  await person.say('/deposit');
  await person.waitFor(/Send SOL/);
  await person.tap(/play SOL/);
  await person.waitForToast(/are there/);
  await card(person, mint);
  await person.tap('🟢 0.1');
  await waitForScreen(person, /At least/);
  await person.tap('Confirm buy');
  await person.waitFor(/^Bought/, PATIENCE);
  return person;
}

async function card(person: Person, mint: string): Promise<void> {
  await person.say(mint);
  await waitForScreen(person, / · cap /);
}

/** A stop of ten percent below the entry that waits for twelve seconds. */
async function placeStop(person: Person, mint: string): Promise<Stop> {
  await card(person, mint);
  await person.tap(/^TP\/SL/);
  const { text: exits = '' } = await waitForScreen(person, /Exits/);
  await person.tap('SL −10%');
  await waitForScreen(person, /SL −10% at/);
  await person.tap('Advanced');
  await person.waitFor((_text, message) => hasButton(message, 'Hold: 2.4 s'), PATIENCE);
  await person.tap('Hold: 2.4 s');
  await waitForScreen(person, /held for 12 s/);
  await person.tap(/^Place/);
  const { text = '' } = await waitForScreen(person, /Order #\d+/);
  return {
    tokens: Number(/Exits \S+ · ([\d,]+)/.exec(exits)?.[1]?.replaceAll(',', '')),
    lamports: Number(/Exactly ([\d.]+) SOL/.exec(text)?.[1]) * Number(SOL),
  };
}

/** Sells until a sale of the stop's size gets no more than its price. The signature of the sale that broke it. */
async function sellBelow(whale: RestTrader, mint: string, { tokens, lamports }: Stop): Promise<string> {
  const price = async (): Promise<number> =>
    (Number(await whale.quote(mint, WSOL, BigInt(tokens) * TOKEN)) / tokens) * (1 - FEE);
  for (let now = await price(); ; ) {
    const units = BigInt(Math.floor((Number(SALE_LAMPORTS) / now) * Number(TOKEN)));
    const order = { fromTokenAddress: mint, toTokenAddress: WSOL, amount: String(units), slippageBps: 1_000 };
    const { signature } = await whale.swap(order);
    now = await price();
    if (now <= lamports) return signature;
  }
}

async function slotOf(program: Program, signature: string): Promise<bigint> {
  const response = await fetch(program.run.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getSignatureStatuses', params: [[signature]] }),
  });
  const { result } = (await response.json()) as {
    readonly result: { readonly value: readonly ({ readonly slot: number } | null)[] };
  };
  return BigInt(result.value[0]?.slot ?? 0);
}

async function firesOf(database: pg.Client): Promise<readonly Fire[]> {
  const { rows } = await database.query<{ readonly firedAt: string }>(
    `SELECT (extract(epoch FROM fired_at) * 1000)::text AS "firedAt" FROM order_fires ORDER BY fired_at`,
  );
  return rows.map(({ firedAt }) => ({ firedAt: Number(firedAt) }));
}

async function tradedMint(program: Program): Promise<string> {
  const { pools } = (await (await fetch(`${program.run.rpcUrl}/desk/pools`)).json()) as {
    readonly pools: readonly { readonly mintA: string; readonly mintB: string }[];
  };
  return pools.find((pool) => pool.mintB === WSOL)?.mintA ?? '';
}
