import { createClient } from '@clickhouse/client';
import { createEngine, type Engine } from './engine.ts';

/** Longer than any statement of the tape takes. */
const REQUEST_TIMEOUT_MS = 30_000;

/** Connects when first asked; the database in the URL must be there. Null where no URL is given: then Postgres keeps the tape. */
export function openClickHouse(url: string | null): Engine | null {
  if (url === null) return null;
  const client = createClient({ url, request_timeout: REQUEST_TIMEOUT_MS, application: 'tradepost' });
  return createEngine(client, new URL(url).host);
}
