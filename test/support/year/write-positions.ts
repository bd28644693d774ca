import type pg from 'pg';
import type { StagedRows } from './staged-rows.ts';

/** What a final trade did to its position, as its own commit writes it. */
export async function writeEvents(rows: StagedRows, intent: string): Promise<void> {
  await rows.copy('position_events', `intent_id = '${intent}'`, 'trade', {
    wallet_id: 'trade.wallet_id',
    mint: 'trade.mint',
    signature: 'substr(trade.hash, 1, 88)',
    slot: 'trade.slot',
    at: 'trade.moment',
    intent_id: 'trade.intent_id',
  });
}

/**
 * What is kept of a wallet beside its events: the positions that follow from them, a day's worth, how far each account is known, and
 * a deposit on every fifth of the days for which deposits are kept. After the events are written.
 */
export async function writeWallets(client: pg.Client, keptDays: number): Promise<void> {
  await client.query(`INSERT INTO positions (wallet_id, mint, stale, units, cost, realized, hidden, up_to_slot, up_to_signature)
    SELECT wallet_id, mint, false, sum(CASE kind WHEN 'buy' THEN units ELSE -units END),
      -sum(lamports) FILTER (WHERE kind = 'buy') / 2, sum(lamports) FILTER (WHERE kind = 'sell') / 10, false, max(slot),
      (array_agg(signature ORDER BY slot DESC))[1]
    FROM position_events JOIN everybody USING (wallet_id) GROUP BY wallet_id, mint`);
  await client.query(`INSERT INTO wallet_days (wallet_id, day, net_value)
    SELECT wallet_id, at::date, 5000000000 FROM everybody, past ORDER BY past.d DESC, p`);
  await client.query(`INSERT INTO wallet_checks (wallet_id, checked_at, asked_at)
    SELECT wallet_id, now(), now() FROM everybody`);
  const account = 'substr(md5(wallet_id || mint) || md5(mint || wallet_id), 1, 44)';
  await client.query(`INSERT INTO position_scans (account, wallet_id, done_signature)
    SELECT ${account}, wallet_id, up_to_signature FROM positions JOIN everybody USING (wallet_id)`);
  await client.query(`INSERT INTO deposit_cursors (account, wallet_id, signature, held, since)
    SELECT ${account}, wallet_id, up_to_signature, units, now() FROM positions JOIN everybody USING (wallet_id)
    UNION ALL SELECT address, wallet_id, address || address, 2000000000, now() FROM everybody`);
  await client.query(`INSERT INTO deposits (wallet_id, asset, signature, user_id, units, slot, at, told)
    SELECT wallet_id, 'SOL', substr(md5(p || '/' || d) || md5(d || '/' || p) || md5(user_id || d), 1, 88), user_id, 1000000000,
      1, at, true
    FROM everybody, past WHERE d <= ${keptDays} AND (p + d) % 5 = 0 ORDER BY at`);
}
