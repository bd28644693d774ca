import { addressBytes, WSOL_MINT } from '@tradepost/solana';
import type { TapeTrade } from '@tradepost/tape';
import {
  firstKeptDay,
  type Money,
  type WalletFlow,
  walletFlows,
} from '../../modules/wallet-data/rules/wallet-flows.ts';
import type { Query } from '../db/connection.ts';
import { storedAddress } from '../db/stored-address.ts';
import type { SealBatch, TapeStore } from '../ports/tape-store.ts';
import type { MarketTerms } from './market-terms.ts';

// SQL: rows that go in as arrays, and old ones that go out by the thousand.

// Sums of wallets are in Postgres for every store of trades: they are written in the commit that moves the seal.

/** Rows of one statement, and statements of one upkeep. */
const BATCH = 5_000;
const BATCHES = 200;

/** The money of this chain. See `TapeStore`. */
export function moneyOf(query: Query): Pick<TapeStore, 'setMoney'> {
  return {
    setMoney: async ({ sol, dollars }) => {
      await query(
        `INSERT INTO tape_meta (name, value) VALUES ('money', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value
         RETURNING name`,
        [[sol, ...dollars].join(' ')],
      );
    },
  };
}

async function readMoney(query: Query): Promise<Money> {
  const [row] = await query<{ readonly value: string }>(
    `SELECT value FROM tape_meta WHERE name = 'money'`,
    [],
  );
  const [sol = WSOL_MINT, ...dollars] = (row?.value ?? WSOL_MINT).split(' ').map(storedAddress);
  return { sol, dollars };
}

/**
 * Adds trades to the sums of their wallets. To be asked in the transaction that moves the seal over them, with the trades of the ranges that
 * it moves: a range is sealed once, so a trade counts once.
 */
export async function addToFlows(
  query: Query,
  trades: readonly TapeTrade[],
  termsOf: (marketId: number) => MarketTerms,
): Promise<void> {
  if (trades.length === 0) return;
  const flows = walletFlows(trades, termsOf, await readMoney(query));
  const column = (read: (flow: WalletFlow) => string): readonly string[] => flows.map(read);
  await query(
    `INSERT INTO wallet_flows AS known (trader, mint, day, bought, cost_lamports, cost_usd, sold, proceeds_lamports,
       proceeds_usd, trades, unvalued)
     SELECT decode(g.trader, 'hex') AS trader, decode(g.mint, 'hex') AS mint, '1970-01-01'::date + g.day AS day, g.bought,
       g.cost_lamports, g.cost_usd, g.sold, g.proceeds_lamports, g.proceeds_usd, g.trades, g.unvalued
     FROM unnest($1::text[], $2::text[], $3::int[], $4::numeric[], $5::numeric[], $6::numeric[], $7::numeric[],
       $8::numeric[], $9::numeric[], $10::bigint[], $11::bigint[]) AS g(trader, mint, day, bought, cost_lamports, cost_usd,
       sold, proceeds_lamports, proceeds_usd, trades, unvalued)
     ORDER BY 1, 2, 3
     ON CONFLICT (trader, mint, day) DO UPDATE SET bought = known.bought + excluded.bought,
       cost_lamports = known.cost_lamports + excluded.cost_lamports, cost_usd = known.cost_usd + excluded.cost_usd,
       sold = known.sold + excluded.sold, proceeds_lamports = known.proceeds_lamports + excluded.proceeds_lamports,
       proceeds_usd = known.proceeds_usd + excluded.proceeds_usd, trades = known.trades + excluded.trades,
       unvalued = known.unvalued + excluded.unvalued RETURNING trades`,
    [
      column(({ trader }) => hex(addressBytes(trader))),
      column(({ mint }) => hex(addressBytes(mint))),
      column(({ day }) => day.toString()),
      column(({ bought }) => bought.toString()),
      column(({ costLamports }) => costLamports.toString()),
      column(({ costUsd }) => costUsd.toString()),
      column(({ sold }) => sold.toString()),
      column(({ proceedsLamports }) => proceedsLamports.toString()),
      column(({ proceedsUsd }) => proceedsUsd.toString()),
      column((flow) => flow.trades.toString()),
      column(({ unvalued }) => unvalued.toString()),
    ],
  );
}

/** Writes down once from when sums are whole: the first block of the first seal. */
export async function noteFlowsBegin(
  query: Query,
  { trades, slotTimes = [] }: Pick<SealBatch, 'trades' | 'slotTimes'>,
): Promise<void> {
  const first = [...trades, ...slotTimes].reduce<number | null>(
    (least, { at }) => (least === null || at < least ? at : least),
    null,
  );
  if (first === null) return;
  await query(
    `INSERT INTO tape_meta (name, value) VALUES ('flows_since', $1::text) ON CONFLICT (name) DO NOTHING RETURNING name`,
    [first.toString()],
  );
}

/** Takes away the days that are past their time. The rest goes at the next upkeep. */
export async function dropOldFlows(query: Query, now: number): Promise<void> {
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const { length } = await query(
      `DELETE FROM wallet_flows WHERE (trader, mint, day) IN (SELECT trader, mint, day FROM wallet_flows
         WHERE day < '1970-01-01'::date + $1::int ORDER BY day LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING 1`,
      [firstKeptDay(now)],
    );
    if (length < BATCH) return;
  }
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}
