import { createMarketStore } from '../../modules/market/store/market-store.ts';
import type { MarketStore } from '../../modules/market/store/market-store-port.ts';
import { createTrendingStore } from '../../modules/market/store/trending-store.ts';
import type { TrendingStore } from '../../modules/market/store/trending-store-port.ts';
import { createTokenIndex } from '../../modules/tokens/store.ts';
import type { TokenIndex } from '../../modules/tokens/store-port.ts';
import { createWalletFlowStore } from '../../modules/wallet-data/store.ts';
import type { WalletFlowStore } from '../../modules/wallet-data/store-port.ts';
import { createClient } from '../db/client.ts';
import { type Connection, pooled } from '../db/connection.ts';
import { migrateDatabase } from '../db/migrate.ts';
import type { MarketFeed } from '../ports/market-feed.ts';
import type { TapeStore } from '../ports/tape-store.ts';
import { createClickHouseTape } from './clickhouse/create-clickhouse-tape.ts';
import type { Engine } from './clickhouse/engine.ts';
import { emptyTables } from './clickhouse/tables.ts';
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
  readonly walletFlows: WalletFlowStore;
};

/**
 * Opens the tape with connections of its own, in the database that is named, which is brought up to date first. With
 * `clickHouse` trades and bars are kept there, and the rest in Postgres. Closing the tape closes all of it. Throws
 * DATABASE_UNREACHABLE.
 */
export async function openTape({
  url,
  clickHouse = null,
}: {
  readonly url: string;
  readonly clickHouse?: Engine | null;
}): Promise<Tape> {
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
  const tape =
    clickHouse === null
      ? createPostgresTape(connection, { url, close })
      : await createClickHouseTape(connection, clickHouse, { url, close });
  return {
    tape,
    markets: openMarkets(connection, url, clickHouse),
    marketFeed,
    tokenIndex: createTokenIndex(connection, url),
    trending: createTrendingStore(connection, url),
    walletFlows: createWalletFlowStore(connection, url),
  };
}

/** Forgetting empties both stores. */
function openMarkets(
  connection: Pick<Connection, 'query' | 'atomic'>,
  url: string,
  clickHouse: Engine | null,
): MarketStore {
  const markets = createMarketStore(connection, url);
  if (clickHouse === null) return markets;
  return {
    ...markets,
    forget: async () => {
      await markets.forget();
      await emptyTables(clickHouse);
    },
  };
}
