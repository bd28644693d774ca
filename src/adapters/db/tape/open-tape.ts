import type { MarketFeed } from '../../../core/ports/market-feed.ts';
import type { MarketStore } from '../../../core/ports/market-store.ts';
import type { TapeStore } from '../../../core/ports/tape-store.ts';
import type { TokenIndex } from '../../../core/ports/token-index.ts';
import type { TrendingStore } from '../../../core/ports/trending-store.ts';
import { createClient } from '../client.ts';
import { pooled } from '../connection.ts';
import { createMarketStore } from '../market-store.ts';
import { migrateDatabase } from '../migrate.ts';
import { createTokenIndex } from '../token-index.ts';
import { createTrendingStore } from '../trending-store.ts';
import { createMarketFeed } from './market-feed.ts';
import { createPostgresTape } from './postgres/create-tape.ts';

/** The tape never takes a connection that the money path waits for. */
const POOL_SIZE = 4;
/** Upkeep and rebuilds take longer than anything that a person waits for. */
const STATEMENT_TIMEOUT_MS = 120_000;

export type Tape = {
  readonly tape: TapeStore;
  readonly markets: MarketStore;
  readonly marketFeed: MarketFeed;
  readonly tokenIndex: TokenIndex;
  readonly trending: TrendingStore;
};

/**
 * Opens the tape with connections of its own, in the database that is named, which is brought up to date first. Throws
 * DATABASE_UNREACHABLE.
 */
export async function openTape({ url }: { readonly url: string }): Promise<Tape> {
  await migrateDatabase({ url });
  const { prisma, pool } = createClient({
    url,
    poolSize: POOL_SIZE,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
  const connection = pooled(prisma, pool);
  const marketFeed = createMarketFeed({ url });
  const close = async (): Promise<void> => {
    await marketFeed.close();
    await prisma.$disconnect();
    await pool.end();
  };
  return {
    tape: createPostgresTape(connection, { url, close }),
    markets: createMarketStore(connection, url),
    marketFeed,
    tokenIndex: createTokenIndex(connection, url),
    trending: createTrendingStore(connection, url),
  };
}
