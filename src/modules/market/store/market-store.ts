import type { Address } from '@tradepost/solana';
import type { MarketKind } from '@tradepost/venues';
import { fromTime, toTime } from '../../../platform/db/codec.ts';
import type { Connection, Query } from '../../../platform/db/connection.ts';
import { storedAddress } from '../../../platform/db/stored-address.ts';
import { runTransaction, translating } from '../../../platform/db/unit-of-work.ts';
import { TAPE_TABLES } from '../../../platform/tape/tables.ts';
import { skeleton } from '../../tokens/rules/look-alike.ts';
import type { Market, MintName, NewMarket } from '../rules/market.ts';
import { chooseTicker, tickerText } from '../rules/market-name.ts';
import type { MarketStore, NameClaim } from './market-store-port.ts';

// SQL: rows come by the hundred, as arrays; names and markets are ranked by joins with their figures.

type MarketRow = {
  readonly id: number;
  readonly address: string;
  readonly venue: string;
  readonly program_id: string;
  readonly base_mint: string;
  readonly quote_mint: string;
  readonly base_decimals: number;
  readonly quote_decimals: number;
  readonly base_vault: string;
  readonly quote_vault: string;
  readonly kind: MarketKind;
  readonly created_slot: string;
  readonly followed: boolean;
  readonly verified: boolean;
  readonly is_primary: boolean;
  readonly gap_since: string | null;
  readonly base_ticker: string;
  readonly quote_ticker: string;
};

const SELECT = `SELECT m.*, b.verified, b.ticker AS base_ticker, q.ticker AS quote_ticker FROM markets m
  JOIN market_names b ON b.mint = m.base_mint JOIN market_names q ON q.mint = m.quote_mint`;
/** One giver of names at a time, over all processes: two would give one ticker twice. */
const NAMES_LOCK = 7_403_123;
const NAMES_AT_ONCE = 100;
const PRIMARY_LOCK = 7_403_124;
const FORGOTTEN_TABLES = [...TAPE_TABLES, 'indexed_tokens', 'markets', 'market_names'];

type Parts = Pick<Connection, 'query' | 'atomic'>;

/** Markets and names beside the tape that speaks of them. */
export function createMarketStore(connection: Parts, url: string): MarketStore {
  const { query } = connection;
  const store: MarketStore = {
    ...metaOf(query),
    ...marketReads(query),
    ...marketWrites(connection, url),
    ...mintNames(connection, url),
    ...marketLooks(query),
  };
  return translating(store, url);
}

/** Markets as they are recorded. */
function marketReads(query: Query): Pick<MarketStore, 'all' | 'find' | 'ofMint'> {
  return {
    all: async () => (await query<MarketRow>(`${SELECT} ORDER BY m.address COLLATE "C"`, [])).map(toMarket),
    find: async (address) => {
      const [row] = await query<MarketRow>(`${SELECT} WHERE m.address = $1`, [address]);
      return row === undefined ? null : toMarket(row);
    },
    ofMint: async (mint) =>
      (
        await query<MarketRow>(
          `${SELECT} WHERE m.base_mint = $1 OR m.quote_mint = $1 ORDER BY NOT m.is_primary, m.address COLLATE "C"`,
          [mint],
        )
      ).map(toMarket),
  };
}

/** New markets, and changes of those that are recorded. */
function marketWrites(
  connection: Parts,
  url: string,
): Pick<MarketStore, 'record' | 'setFollowed' | 'setPrimary'> {
  const { query } = connection;
  return {
    record: (markets) => runTransaction(connection, url, (inside) => recordMarkets(inside.query, markets)),
    setFollowed: async (marketIds, followed) => {
      await query('UPDATE markets SET followed = $2 WHERE id = ANY ($1::int[]) RETURNING id', [
        marketIds.map(String),
        followed,
      ]);
    },
    setPrimary: (marketId) =>
      runTransaction(connection, url, async (inside) => {
        await inside.query(`SELECT pg_advisory_xact_lock(${PRIMARY_LOCK})`, []);
        await inside.query(
          `UPDATE markets SET is_primary = false FROM markets own WHERE own.id = $1::int AND markets.is_primary
             AND (markets.base_mint, markets.quote_mint) = (own.base_mint, own.quote_mint) RETURNING markets.id`,
          [marketId],
        );
        await inside.query('UPDATE markets SET is_primary = true WHERE id = $1::int RETURNING id', [
          marketId,
        ]);
      }),
  };
}

/** The names of mints. */
function mintNames(connection: Parts, url: string): Pick<MarketStore, 'nameMints' | 'names'> {
  const { query } = connection;
  return {
    nameMints: async (claims) => {
      const named: MintName[] = [];
      // A transaction is ended after a while: thousands of names do not fit into one.
      for (let at = 0; at < claims.length; at += NAMES_AT_ONCE) {
        const some = claims.slice(at, at + NAMES_AT_ONCE);
        named.push(...(await runTransaction(connection, url, (inside) => nameMints(inside.query, some))));
      }
      return named;
    },
    names: async (mints) => await namesOf(query, mints),
  };
}

/** The last look at the pool of each market. */
function marketLooks(query: Query): Pick<MarketStore, 'saveLooks' | 'looks'> {
  return {
    saveLooks: async (looks) => {
      if (looks.length === 0) return;
      const sorted = looks.toSorted((one, other) => one.marketId - other.marketId);
      await query(
        `UPDATE markets SET liquidity_quote = l.quote, mid_price = l.mid, looked_at = l.at
         FROM unnest($1::int[], $2::numeric[], $3::numeric[], $4::timestamptz[]) AS l(id, quote, mid, at)
         WHERE markets.id = l.id AND (markets.looked_at IS NULL OR markets.looked_at <= l.at) RETURNING markets.id`,
        [
          sorted.map(({ marketId }) => marketId.toString()),
          sorted.map(({ quote }) => quote.toString()),
          // NaN marks a market that does not trade: an array of text holds no null.
          sorted.map(({ mid }) => (mid ?? Number.NaN).toString()),
          sorted.map(({ at }) => toTime(at)),
        ],
      );
    },
    looks: async () => {
      const rows = await query<{
        readonly id: number;
        readonly quote: string;
        readonly mid: string;
        readonly at: Date;
      }>(
        `SELECT id, liquidity_quote AS quote, mid_price AS mid, looked_at AS at FROM markets
         WHERE liquidity_quote IS NOT NULL AND looked_at IS NOT NULL`,
        [],
      );
      return new Map(
        rows.map(({ id, quote, mid, at }) => [
          id,
          {
            marketId: id,
            quote: BigInt(quote),
            mid: Number.isNaN(Number(mid)) ? null : Number(mid),
            at: fromTime(at),
          },
        ]),
      );
    },
  };
}

function metaOf(query: Query): Pick<MarketStore, 'genesis' | 'claimGenesis' | 'forget'> {
  const genesis = async (): Promise<string | null> => {
    const [row] = await query<{ readonly value: string }>(
      `SELECT value FROM tape_meta WHERE name = 'genesis'`,
      [],
    );
    return row?.value ?? null;
  };
  return {
    genesis,
    claimGenesis: async (hash) => {
      await query(
        `INSERT INTO tape_meta (name, value) VALUES ('genesis', $1) ON CONFLICT (name) DO NOTHING RETURNING name`,
        [hash],
      );
      return (await genesis()) ?? hash;
    },
    forget: async () => {
      await query(`TRUNCATE ${FORGOTTEN_TABLES.join(', ')}`, []);
    },
  };
}

async function recordMarkets(query: Query, markets: readonly NewMarket[]): Promise<readonly Market[]> {
  if (markets.length === 0) return [];
  await query(`SELECT pg_advisory_xact_lock(${PRIMARY_LOCK})`, []);
  await query(
    `INSERT INTO markets (address, venue, program_id, base_mint, quote_mint, base_decimals, quote_decimals, base_vault,
       quote_vault, kind, created_slot, followed, is_primary)
     SELECT g.address, g.venue, g.program_id, g.base_mint, g.quote_mint, g.base_decimals, g.quote_decimals, g.base_vault,
       g.quote_vault, g.kind, g.created_slot, true,
       row_number() OVER (PARTITION BY g.base_mint, g.quote_mint ORDER BY g.n) = 1 AND NOT EXISTS (
         SELECT FROM markets m WHERE m.is_primary AND (m.base_mint, m.quote_mint) = (g.base_mint, g.quote_mint))
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::smallint[], $7::smallint[], $8::text[],
       $9::text[], $10::text[], $11::bigint[]) WITH ORDINALITY AS g(address, venue, program_id, base_mint, quote_mint,
       base_decimals, quote_decimals, base_vault, quote_vault, kind, created_slot, n)
     WHERE NOT EXISTS (SELECT FROM markets known WHERE known.address = g.address)
     ORDER BY g.n ON CONFLICT (address) DO NOTHING RETURNING id`,
    [
      markets.map(({ address }) => address),
      markets.map(({ venue }) => venue),
      markets.map(({ programId }) => programId),
      markets.map(({ baseMint }) => baseMint),
      markets.map(({ quoteMint }) => quoteMint),
      markets.map(({ baseDecimals }) => baseDecimals.toString()),
      markets.map(({ quoteDecimals }) => quoteDecimals.toString()),
      markets.map(({ baseVault }) => baseVault),
      markets.map(({ quoteVault }) => quoteVault),
      markets.map(({ kind }) => kind),
      markets.map(({ createdSlot }) => createdSlot.toString()),
    ],
  );
  const rows = await query<MarketRow>(`${SELECT} WHERE m.address = ANY ($1::text[])`, [
    markets.map(({ address }) => address),
  ]);
  const byAddress = new Map(rows.map((row) => [row.address, toMarket(row)]));
  return markets.flatMap(({ address }) => byAddress.get(address) ?? []);
}

async function nameMints(query: Query, claims: readonly NameClaim[]): Promise<readonly MintName[]> {
  await query(`SELECT pg_advisory_xact_lock(${NAMES_LOCK})`, []);
  const mints = claims.map(({ mint }) => mint);
  const standing = new Set((await namesOf(query, mints)).map(({ mint }) => mint));
  for (const claim of claims) {
    if (standing.has(claim.mint)) continue;
    standing.add(claim.mint);
    await nameMint(query, claim);
  }
  return await namesOf(query, mints);
}

async function nameMint(query: Query, { mint, symbol, verified, imitates }: NameClaim): Promise<void> {
  const text = tickerText(symbol);
  const seen = skeleton(text);
  const rivals = await query<{ readonly ticker: string; readonly alike: boolean }>(
    `SELECT ticker, bare AND skeleton = $1 AS alike FROM market_names
     WHERE (bare AND skeleton = $1) OR ticker LIKE '%~' || left($2, 4) || '%' OR ticker = $3`,
    [seen, mint, text],
  );
  const taken = new Set(rivals.map(({ ticker }) => ticker));
  const mayBeBare = seen !== null && !imitates && !rivals.some(({ alike }) => alike);
  const { ticker, bare } = chooseTicker({ mint, symbol, mayBeBare }, (text) => taken.has(text));
  await query(
    `INSERT INTO market_names (mint, ticker, skeleton, bare, verified) VALUES ($1, $2, $3, $4, $5) RETURNING mint`,
    [mint, ticker, seen, bare, verified],
  );
}

async function namesOf(query: Query, mints: readonly Address[]): Promise<readonly MintName[]> {
  const rows = await query<MintName>(
    `SELECT n.mint, n.ticker, n.verified FROM unnest($1::text[]) WITH ORDINALITY AS g(mint, n)
     JOIN market_names n ON n.mint = g.mint ORDER BY g.n`,
    [[...mints]],
  );
  return rows;
}

/** Addresses in the rows were written by this store from addresses. */
function toMarket(row: MarketRow): Market {
  return {
    id: row.id,
    address: storedAddress(row.address),
    venue: row.venue,
    programId: storedAddress(row.program_id),
    baseMint: storedAddress(row.base_mint),
    quoteMint: storedAddress(row.quote_mint),
    baseDecimals: row.base_decimals,
    quoteDecimals: row.quote_decimals,
    baseVault: storedAddress(row.base_vault),
    quoteVault: storedAddress(row.quote_vault),
    kind: row.kind,
    createdSlot: BigInt(row.created_slot),
    followed: row.followed,
    verified: row.verified,
    primary: row.is_primary,
    gapSince: row.gap_since === null ? null : BigInt(row.gap_since),
    baseTicker: row.base_ticker,
    quoteTicker: row.quote_ticker,
    name: `${row.base_ticker}/${row.quote_ticker}`,
  };
}
