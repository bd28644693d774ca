import { createClient } from '@clickhouse/client';
import { createEngine, type Engine } from './engine.ts';

/** Longer than any statement of the tape takes. */
const REQUEST_TIMEOUT_MS = 30_000;

/** Connects when first asked. `url` is `http://user:password@host:8123/database`; the database must be there. */
export function openEngine({ url }: { readonly url: string }): Engine {
  return createEngine(
    createClient({ url, request_timeout: REQUEST_TIMEOUT_MS, application: 'tradepost' }),
    new URL(url).host,
  );
}
