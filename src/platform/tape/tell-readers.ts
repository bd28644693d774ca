import type { RecordedTrade } from '@tradepost/tape';
import type { Query } from '../db/connection.ts';
import { TAPE_CHANNEL } from './market-feed.ts';
import { logChanges, type TapeChanges } from './tape-log.ts';

// SQL: a notice that is sent when the transaction commits.

/** A notice holds at most 8,000 bytes. */
const NOTICE_ENTRIES = 150;

/** The newest new trade of each market. */
function newestOf(trades: readonly RecordedTrade[]): Readonly<Record<string, string>> {
  return Object.fromEntries(trades.map(({ marketId, id }) => [marketId, id.toString()]));
}

/** Those who listen hear it when the transaction commits. */
async function tell(
  inside: Query,
  parts: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): Promise<void> {
  for (const [kind, entries] of Object.entries(parts)) {
    const all = Object.entries(entries);
    for (let at = 0; at < all.length; at += NOTICE_ENTRIES) {
      const payload = JSON.stringify({ [kind]: Object.fromEntries(all.slice(at, at + NOTICE_ENTRIES)) });
      await inside('SELECT pg_notify($1::text, $2::text)', [TAPE_CHANNEL, payload]);
    }
  }
}

/**
 * The last statements of a transaction that writes to the tape. Readers of the feed hear of new trades, and of trades that a fork took
 * back, when it commits; the log keeps both in that order.
 */
export async function tellReaders(inside: Query, changes: TapeChanges): Promise<void> {
  const { added, retracted } = changes;
  await tell(inside, { t: newestOf(added) });
  await tell(inside, { r: Object.fromEntries(retracted.map(({ id, marketId }) => [id, marketId])) });
  await logChanges(inside, changes);
}
