import type { Address } from '@tradepost/solana';
import { toTime } from '../../../platform/db/codec.ts';
import type { Connection } from '../../../platform/db/connection.ts';
import { storedAddress } from '../../../platform/db/stored-address.ts';

// SQL: groups by a field of the JSON.

/** Tokens that were bought or sold here since `since`, most traded first. */
export async function hotMints(
  { query }: Pick<Connection, 'query'>,
  since: number,
  limit: number,
): Promise<readonly Address[]> {
  const rows = await query<{ readonly mint: string }>(
    `SELECT params->>'mint' AS mint FROM intents
     WHERE kind IN ('buy', 'sell') AND created_at >= $1::timestamptz
     GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT $2::int`,
    [toTime(since), limit],
  );
  return rows.map(({ mint }) => storedAddress(mint));
}
