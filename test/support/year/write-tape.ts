import { firstIdOfSlot } from '@tradepost/tape';
import type pg from 'pg';
import { KEEP } from '../../../src/platform/tape/keep.ts';
import { BAR_COLUMNS, BAR_SUMS, STORED } from '../../../src/platform/tape/postgres/append-trades.ts';
import { partitionsFor } from '../../../src/platform/tape/postgres/partitions.ts';

/** Quote and base of the market of the token `k`, and its number. */
const FIRST_MARKET = 1_000_000;

/**
 * The tape of what people traded, with what the worker removes of it removed: trades of a week, short bars of some weeks, longer ones
 * for ever. After the events are written. What others trade in the same markets is as much as `TAPE_MAX_GB` lets it be.
 */
export async function writeTape(client: pg.Client): Promise<void> {
  await client.query(`INSERT INTO market_names (mint, ticker, bare, verified)
    SELECT mint, 'TOKEN' || k, false, false FROM token
    UNION ALL SELECT 'So11111111111111111111111111111111111111112', 'SOL', true, true ON CONFLICT DO NOTHING`);
  await client.query(`INSERT INTO markets (id, address, venue, program_id, base_mint, quote_mint, base_decimals, quote_decimals,
      base_vault, quote_vault, kind, created_slot, followed, is_primary) OVERRIDING SYSTEM VALUE
    SELECT ${FIRST_MARKET} + k, substr(md5('pool' || k) || md5('lake' || k), 1, 44), 'Desk', mint, mint,
      'So11111111111111111111111111111111111111112', 6, 9, mint, mint, 'tokens', 1, true, true FROM token`);
  await client.query(`CREATE TEMP TABLE fresh AS
    SELECT (slot << 21) + (row_number() OVER (PARTITION BY slot) << 6) AS id, ${FIRST_MARKET} + k AS market_id,
      extract(epoch FROM at)::bigint AS at, kind = 'buy' AS is_buy, units AS base, abs(lamports)::numeric AS quote,
      platform_fee_lamports::numeric AS fee, abs(lamports)::numeric / units AS price, false AS dust,
      sha256(wallet_id::bytea) AS trader, sha256(signature::bytea) || sha256(wallet_id::bytea) AS signature
    FROM position_events JOIN token USING (mint) JOIN everybody USING (wallet_id) WHERE kind IN ('buy', 'sell')`);
  const now = Math.floor(Date.now() / 1_000);
  const { rows } = await client.query<{ id: string; at: string }>(
    `SELECT min(id) AS id, min(at) AS at FROM fresh GROUP BY id / ${firstIdOfSlot(216_000n)}, at / 604800`,
  );
  for (const { name, from = 0n, to = 0n } of partitionsFor(
    rows.map(({ id, at }) => ({ id: BigInt(id), at: Number(at) })),
  )) {
    await client.query('SELECT tape_make_partition($1, $2, $3)', [name, from, to]);
  }
  const columns = 'id, market_id, at, is_buy, base, quote, fee, price, dust, trader, signature';
  await client.query(`INSERT INTO trades (${columns}, fee_source, source, created_at)
    SELECT ${columns}, 'swap', 'live', to_timestamp(at) FROM fresh WHERE at > ${now - KEEP.trades} ORDER BY id`);
  await client.query(`INSERT INTO candles (${BAR_COLUMNS})
    SELECT market_id, res, at - at % (res * 60) AS t, ${BAR_SUMS} FROM fresh CROSS JOIN ${STORED}
    WHERE at > ${now} - CASE res WHEN 1 THEN ${KEEP.bars[1]} WHEN 5 THEN ${KEEP.bars[5]} WHEN 15 THEN ${KEEP.bars[15]}
      ELSE ${now} END
    GROUP BY 1, 2, 3 ORDER BY 3, 1`);
  await client.query(`INSERT INTO trader_markets (trader, market_id, n)
    SELECT trader, market_id, count(*) FROM fresh WHERE at > ${now - KEEP.trades} GROUP BY 1, 2`);
  await client.query('DROP TABLE fresh');
}
