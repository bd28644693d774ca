import { type Address, WSOL_MINT } from '@tradepost/solana';
import { firstIdOfSlot, type RecordedTrade } from '@tradepost/tape';
import type { Market } from '../../src/modules/market/rules/market.ts';
import { createOrderFeedStore } from '../../src/modules/orders/store/order-feed-store.ts';
import { createOrderEvents, type OrderEvents } from '../../src/modules/orders/use/order-events.ts';
import { freshPools } from '../../src/modules/trading/use/fresh-pools.ts';
import { mintsOf } from '../../src/modules/trading/use/own-wallet.ts';
import { liquidity } from '../../src/modules/trading/use/trade-card.ts';
import type { TradeDeps } from '../../src/modules/trading/use/trading-deps.ts';
import { createRpcHistory } from '../../src/platform/chain/rpc-history.ts';
import type { Connection } from '../../src/platform/db/connection.ts';
import type { Database } from '../../src/platform/ports/stores.ts';
import type { TortureWorld } from './world.ts';

/** Who is the creator of which token, for all processes of the run. */
export async function nameCreator(
  world: Pick<TortureWorld, 'query'>,
  mint: Address,
  creator: Address,
): Promise<void> {
  await world.query(
    `CREATE TABLE torture_creators AS SELECT '${mint}'::text AS mint, '${creator}'::text AS creator`,
  );
}

/**
 * Events of orders on the real pools. The creator's sales are its final trades of this service: no indexer runs here, and a trade that is
 * final by its receipt is what one would have sealed.
 */
export function tortureEvents(deps: {
  readonly trade: TradeDeps;
  readonly db: Pick<Database, 'seenLaunches' | 'createdTokens'>;
  readonly query: Connection['query'];
  readonly rpcUrls: readonly string[];
}): OrderEvents {
  const { trade, db, query } = deps;
  const slotNow = async (): Promise<bigint> => (await trade.chain.accounts([WSOL_MINT])).slot;
  return createOrderEvents({
    chain: trade.chain,
    clock: trade.clock,
    history: createRpcHistory({ urls: deps.rpcUrls }),
    orderFeed: createOrderFeedStore({ query }),
    db: {
      seenLaunches: db.seenLaunches,
      createdTokens: {
        find: async (mint) => {
          const [row] = await query<{ readonly creator: string }>(
            `SELECT creator FROM torture_creators WHERE mint = $1`,
            [mint],
          );
          return row === undefined ? db.createdTokens.find(mint) : ({ creator: row.creator } as never);
        },
      },
    },
    tape: {
      cursor: async (marketId) => ({ marketId, liveSlot: await slotNow(), sealedSlot: 0n, post: null }),
      tradesAfter: async (_markets, after, limit, trader) => {
        const rows = await query<{ readonly slot: string; readonly units: string; readonly trader: string }>(
          `SELECT intent.outcome->'receipt'->'slot'->>'$bigint' AS slot, intent.params->'amountIn'->>'$bigint' AS units,
             wallet.address AS trader
           FROM intents AS intent JOIN wallets AS wallet ON wallet.id = intent.wallet_id
           WHERE intent.kind = 'sell' AND intent.status = 'SUCCEEDED' AND wallet.address = $1
             AND intent.params->>'mint' IN (SELECT mint FROM torture_creators) ORDER BY intent.id`,
          [trader ?? ''],
        );
        return rows
          .map((row, index) => saleOf(row, BigInt(index % 1_000)))
          .filter(({ id }) => id > after)
          .toSorted((one, other) => (one.id < other.id ? -1 : 1))
          .slice(0, limit);
      },
    },
    markets: { ofMint: async (mint) => [marketOf(mint)] },
    pools: async (mint) => (await freshPools(trade, mintsOf('buy', mint))()).pools,
    depth: liquidity,
  });
}

const saleOf = (
  { slot, units, trader }: { readonly slot: string; readonly units: string; readonly trader: string },
  within: bigint,
): RecordedTrade =>
  ({
    id: firstIdOfSlot(BigInt(slot)) + within,
    marketId: 1,
    side: 'sell',
    base: BigInt(units),
    quote: 0n,
    trader,
  }) as unknown as RecordedTrade;

const marketOf = (mint: Address): Market =>
  ({ id: 1, baseMint: mint, quoteMint: WSOL_MINT, followed: true, gapSince: null }) as unknown as Market;
