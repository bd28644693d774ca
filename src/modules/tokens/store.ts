import { fromTime, toTime } from '../../platform/db/codec.ts';
import type { Connection } from '../../platform/db/connection.ts';
import { storedAddress } from '../../platform/db/stored-address.ts';
import { translating } from '../../platform/db/unit-of-work.ts';
import { tickerText } from '../market/rules/market-name.ts';
import { searchKey } from '../market/rules/search-key.ts';
import { skeleton } from './rules/look-alike.ts';
import type { FoundToken, IndexedToken, TokenIndex } from './store-port.ts';

// SQL: search by similarity and by prefix along its own indexes, which no model knows.

type Row = {
  readonly mint: string;
  readonly symbol: string | null;
  readonly name: string | null;
  readonly decimals: number;
  readonly symbol_key: string;
  readonly name_key: string;
  readonly made_here: boolean;
  readonly bare: boolean;
  readonly imitates: string | null;
  readonly first_seen_at: Date;
};

const COLUMNS = `t.mint, t.symbol, t.name, t.decimals, t.symbol_key, t.name_key, t.first_seen_at,
  EXISTS (SELECT FROM created_tokens c WHERE c.mint = t.mint) AS made_here, coalesce(n.bare, false) AS bare,
  (SELECT o.mint FROM market_names o WHERE o.bare AND o.skeleton = t.skeleton AND o.mint <> t.mint) AS imitates`;
const SELECT = `SELECT ${COLUMNS} FROM indexed_tokens t LEFT JOIN market_names n ON n.mint = t.mint`;

/** Below it two names have little in common. */
const MIN_SIMILARITY = 0.35;
/** Trigrams of one or two letters are in every third name. */
const PREFIX_ALONE = 2;
/** Of each way to be near: anybody can make tokens of one name by the thousand. The owner of a ticker comes first. */
const PER_WAY = 100;

/** Ways to be near a key that is `$1`. `$2` is the least text above all that begin with it, and `$3` is a LIKE pattern. */
const BEGINS = `SELECT * FROM (
    SELECT t.mint FROM indexed_tokens t LEFT JOIN market_names n ON n.mint = t.mint WHERE t.symbol_key = $1
    ORDER BY n.bare DESC NULLS LAST, t.first_seen_at, t.mint LIMIT ${PER_WAY}) AS same
  UNION SELECT * FROM (SELECT mint FROM indexed_tokens WHERE symbol_key ~>=~ $1 AND symbol_key ~<~ $2
    ORDER BY symbol_key USING ~<~ LIMIT ${PER_WAY}) AS symbols
  UNION SELECT * FROM (SELECT mint FROM indexed_tokens WHERE name_key ~>=~ $1 AND name_key ~<~ $2
    ORDER BY name_key USING ~<~ LIMIT ${PER_WAY}) AS names`;
const CONTAINS = `SELECT * FROM (SELECT mint FROM indexed_tokens WHERE symbol_key LIKE $3 LIMIT ${PER_WAY}) AS inside
  UNION SELECT * FROM (SELECT mint FROM indexed_tokens WHERE name_key LIKE $3 LIMIT ${PER_WAY}) AS named
  UNION SELECT * FROM (SELECT mint FROM indexed_tokens WHERE symbol_key % $1
    ORDER BY similarity(symbol_key, $1) DESC LIMIT ${PER_WAY}) AS alike
  UNION SELECT * FROM (SELECT mint FROM indexed_tokens WHERE name_key % $1
    ORDER BY similarity(name_key, $1) DESC LIMIT ${PER_WAY}) AS likewise`;

/** Tokens and their names, beside the markets that trade them. */
export function createTokenIndex({ query }: Pick<Connection, 'query'>, url: string): TokenIndex {
  const store: TokenIndex = {
    save: (tokens, now) => saveTokens(query, tokens, now),
    find: async (mints) => {
      if (mints.length === 0) return [];
      const rows = await query<Row>(`${SELECT} WHERE t.mint = ANY ($1::text[])`, [[...mints]]);
      const byMint = new Map(rows.map((row) => [row.mint, toToken(row)]));
      return mints.flatMap((mint) => byMint.get(mint) ?? []);
    },
    search: async (key, limit) => {
      if (key === '') return [];
      const isShort = key.length <= PREFIX_ALONE;
      const near = isShort ? BEGINS : `${BEGINS} UNION ${CONTAINS}`;
      const rows = await query<Row & { readonly similarity: number }>(
        `SELECT * FROM (
           SELECT ${COLUMNS}, greatest(similarity(t.symbol_key, $1), similarity(t.name_key, $1)) AS similarity
           FROM (${near}) AS near JOIN indexed_tokens t ON t.mint = near.mint LEFT JOIN market_names n ON n.mint = t.mint
         ) AS found
         WHERE similarity >= ${MIN_SIMILARITY} OR strpos(symbol_key, $1) > 0 OR strpos(name_key, $1) > 0
         ORDER BY symbol_key = $1 DESC, bare DESC, similarity DESC, mint COLLATE "C" LIMIT ${isShort ? '$3' : '$4'}::int`,
        [key, afterPrefix(key), ...(isShort ? [] : [`%${escaped(key)}%`]), limit],
      );
      return rows.map((row): FoundToken => ({ ...toToken(row), similarity: row.similarity }));
    },
    newest: async ({ after, limit }) =>
      (
        await query<Row>(
          `${SELECT} WHERE $1::timestamptz IS NULL OR t.first_seen_at < $1::timestamptz
             OR (t.first_seen_at = $1::timestamptz AND t.mint COLLATE "C" > $2)
           ORDER BY t.first_seen_at DESC, t.mint COLLATE "C" LIMIT $3::int`,
          [after === undefined ? null : toTime(after.at), after?.mint ?? '', limit],
        )
      ).map(toToken),
    due: async ({ readBefore, limit }) =>
      (
        await query<{ readonly mint: string }>(
          `SELECT k.mint FROM (SELECT mint FROM market_names UNION SELECT mint FROM created_tokens) AS k
           LEFT JOIN indexed_tokens t ON t.mint = k.mint WHERE t.read_at IS NULL OR t.read_at < $1::timestamptz
           ORDER BY t.read_at NULLS FIRST, random() LIMIT $2::int`,
          [toTime(readBefore), limit],
        )
      ).map(({ mint }) => storedAddress(mint)),
  };
  return translating(store, url);
}

/** A newer reading stays: one that was read earlier changes nothing. */
async function saveTokens(
  query: Connection['query'],
  tokens: Parameters<TokenIndex['save']>[0],
  now: number,
): Promise<void> {
  if (tokens.length === 0) return;
  const sorted = tokens.toSorted((one, other) => (one.mint < other.mint ? -1 : 1));
  await query(
    `INSERT INTO indexed_tokens AS known (mint, symbol, name, decimals, symbol_key, name_key, skeleton, first_seen_at, read_at)
     SELECT g.mint, nullif(g.symbol, ''), nullif(g.name, ''), g.decimals, g.symbol_key, g.name_key, nullif(g.skeleton, ''),
       $8::timestamptz, $8::timestamptz
     FROM unnest($1::text[], $2::text[], $3::text[], $4::smallint[], $5::text[], $6::text[], $7::text[])
       AS g(mint, symbol, name, decimals, symbol_key, name_key, skeleton)
     ON CONFLICT (mint) DO UPDATE SET symbol = excluded.symbol, name = excluded.name, decimals = excluded.decimals,
       symbol_key = excluded.symbol_key, name_key = excluded.name_key, skeleton = excluded.skeleton,
       read_at = excluded.read_at WHERE known.read_at <= excluded.read_at RETURNING known.mint`,
    [
      sorted.map(({ mint }) => mint),
      sorted.map(({ symbol }) => storable(symbol)),
      sorted.map(({ name }) => storable(name)),
      sorted.map(({ decimals }) => decimals.toString()),
      sorted.map(({ symbol }) => searchKey(symbol)),
      sorted.map(({ name }) => searchKey(name)),
      sorted.map(({ symbol }) => storable(skeleton(tickerText(symbol)))),
      toTime(now),
    ],
  );
}

/** Postgres keeps no NUL in a text. */
function storable(text: string | null): string {
  return (text ?? '').replaceAll('\0', '');
}

/** The first text, by bytes, that does not begin so any more. Keys are ASCII: there is a next letter. */
function afterPrefix(key: string): string {
  return `${key.slice(0, -1)}${String.fromCodePoint((key.codePointAt(key.length - 1) ?? 0) + 1)}`;
}

/** The characters with a meaning in LIKE, escaped. */
function escaped(key: string): string {
  return key.replaceAll(/[\\%_]/g, String.raw`\$&`);
}

function toToken(row: Row): IndexedToken {
  return {
    // Written by this store, and by that of the markets, from addresses.
    mint: storedAddress(row.mint),
    symbol: row.symbol,
    name: row.name,
    decimals: row.decimals,
    symbolKey: row.symbol_key,
    nameKey: row.name_key,
    madeHere: row.made_here,
    bare: row.bare,
    imitates: row.imitates === null ? null : storedAddress(row.imitates),
    firstSeenAt: fromTime(row.first_seen_at),
  };
}
