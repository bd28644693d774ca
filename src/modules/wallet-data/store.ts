import { type Address, addressBytes, addressFromBytes } from '@tradepost/solana';
import type { Connection } from '../../platform/db/connection.ts';
import { translating } from '../../platform/db/unit-of-work.ts';
import type { FlowSums } from './rules/wallet-flows.ts';
import type { WalletFlowStore } from './store-port.ts';

// SQL: days as numbers, places in a list, and sums over two spans in one pass.

const SUMS = [
  'bought',
  'cost_lamports',
  'cost_usd',
  'sold',
  'proceeds_lamports',
  'proceeds_usd',
  'trades',
  'unvalued',
] as const;
type SumRow<Prefix extends string = ''> = { readonly [K in `${Prefix}${(typeof SUMS)[number]}`]: string };

const EPOCH = `'1970-01-01'::date`;
const columns = SUMS.map((name) => `${name}::text`).join(', ');
const summed = SUMS.map(
  (name) => `sum(${name})::text AS kept_${name},
    coalesce(sum(${name}) FILTER (WHERE day >= ${EPOCH} + $3::int), 0)::text AS window_${name}`,
).join(', ');

/** Over the database of the tape. */
export function createWalletFlowStore({ query }: Pick<Connection, 'query'>, url: string): WalletFlowStore {
  const store: WalletFlowStore = {
    days: async (trader, { from, mint, after, limit }) => {
      const rows = await query<SumRow & { readonly mint: Uint8Array; readonly day: number }>(
        `SELECT mint, day - ${EPOCH} AS day, ${columns} FROM wallet_flows
         WHERE trader = $1 AND day >= ${EPOCH} + $2::int AND ($3::bytea IS NULL OR mint = $3::bytea)
           AND ($4::int IS NULL OR day < ${EPOCH} + $4::int OR (day = ${EPOCH} + $4::int AND mint > $5::bytea))
         ORDER BY wallet_flows.day DESC, mint LIMIT $6::int`,
        [
          bytes(trader),
          from,
          mint === null ? null : bytes(mint),
          after?.day ?? null,
          after === null ? null : bytes(after.mint),
          limit,
        ],
      );
      return rows.map((row) => ({
        trader,
        mint: addressFromBytes(row.mint),
        day: row.day,
        ...sumsOf(row, ''),
      }));
    },
    sums: async (trader, from) => {
      const rows = await query<SumRow<'kept_'> & SumRow<'window_'> & { readonly mint: Uint8Array }>(
        `SELECT mint, ${summed} FROM wallet_flows WHERE trader = $1 AND day >= ${EPOCH} + $2::int GROUP BY mint`,
        [bytes(trader), from.kept, from.window],
      );
      return rows.map((row) => ({
        mint: addressFromBytes(row.mint),
        kept: sumsOf(row, 'kept_'),
        window: sumsOf(row, 'window_'),
      }));
    },
    since: async () => {
      const [row] = await query<{ readonly value: string }>(
        `SELECT value FROM tape_meta WHERE name = 'flows_since'`,
        [],
      );
      return row === undefined ? null : Number(row.value);
    },
  };
  return translating(store, url);
}

function sumsOf<Prefix extends string>(row: SumRow<Prefix>, prefix: Prefix): FlowSums {
  const of = (name: (typeof SUMS)[number]): string => row[`${prefix}${name}`];
  return {
    bought: BigInt(of('bought')),
    costLamports: BigInt(of('cost_lamports')),
    costUsd: BigInt(of('cost_usd')),
    sold: BigInt(of('sold')),
    proceedsLamports: BigInt(of('proceeds_lamports')),
    proceedsUsd: BigInt(of('proceeds_usd')),
    trades: Number(of('trades')),
    unvalued: Number(of('unvalued')),
  };
}

function bytes(address: Address): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(addressBytes(address));
}
