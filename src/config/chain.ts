import { z } from 'zod';
import type { Environment } from './environment.ts';
import { addressText, integer, list, url } from './fields.ts';

/** The source that the indexer reads, and how much of it. */
export type IndexConfig = {
  /** Null = whole blocks on the embedded local chain, signatures of addresses elsewhere. */
  readonly source: 'addresses' | 'blocks' | null;
  /** A Yellowstone stream that tells confirmed transactions before `source` reads final ones; null = there is none. */
  readonly geyser: { readonly url: string; readonly token: string | null } | null;
  /** Calls to the nodes; null = 5, and no limit on the embedded local chain. */
  readonly rpcPerSecond: number | null;
  /** Markets at most; null = 512, and 50,000 with whole blocks. */
  readonly markets: number | null;
  /** A server for the tape alone; null = the database of everything else. */
  readonly databaseUrl: string | null;
  /** A ClickHouse that keeps trades and bars; null = Postgres does. */
  readonly clickHouseUrl: string | null;
};

/** The nodes, and the reads from them. */
export const chainVariables = {
  SOLANA_RPC_URL: list(url(['http:', 'https:'], 'https://api.mainnet-beta.solana.com')).optional(),
  SOLANA_WS_URL: list(url(['ws:', 'wss:'], 'wss://api.mainnet-beta.solana.com')).optional(),
  HOT_POOLS: integer(0, 500).default(32),
  INDEX_SOURCE: z.enum(['addresses', 'blocks']).optional(),
  GEYSER_URL: url(['http:', 'https:'], 'https://geyser.example.org:443').optional(),
  GEYSER_TOKEN: z.string().min(1).optional(),
  INDEX_RPC_PER_SECOND: integer(1, 10_000).optional(),
  INDEX_MARKETS: integer(1, 50_000).optional(),
  FEED_RPC_PER_SECOND: integer(2, 10_000).optional(),
  AUDIT_RPC_PER_SECOND: integer(1, 10_000).optional(),
  USD_MINT: addressText.optional(),
  EXPLORER_URL: z
    .string()
    .includes('{signature}', { error: 'expected a URL that contains {signature}' })
    .optional(),
  ROUTER_PROGRAM: z.enum(['on', 'off']).default('on'),
  MAX_TRANSACTION_VERSION: z.enum(['0', '1']).default('1'),
};

/** How the tape is read as the environment says. */
export function indexConfig(env: Environment): IndexConfig {
  return {
    source: env.INDEX_SOURCE ?? null,
    geyser: env.GEYSER_URL === undefined ? null : { url: env.GEYSER_URL, token: env.GEYSER_TOKEN ?? null },
    rpcPerSecond: env.INDEX_RPC_PER_SECOND ?? null,
    markets: env.INDEX_MARKETS ?? null,
    databaseUrl: env.TAPE_DATABASE_URL ?? null,
    clickHouseUrl: env.CLICKHOUSE_URL ?? null,
  };
}
