import { setTimeout as pause } from 'node:timers/promises';
import { type Address, unitsHeld, WSOL_MINT } from '@tradepost/solana';
import type { RecordedTrade } from '@tradepost/tape';
import type { DeskChain } from '../../../../../src/local/desk/index.ts';
import { createIndexer } from '../../../../../src/modules/market/indexer/create-indexer.ts';
import type { Market } from '../../../../../src/modules/market/rules/market.ts';
import { wellKnownTokens } from '../../../../../src/modules/tokens/rules/well-known.ts';
import { createGeyserSource } from '../../../../../src/platform/chain/transaction-source/geyser/create-geyser-source.ts';
import type { GeyserOptions } from '../../../../../src/platform/chain/transaction-source/geyser/keep-streaming.ts';
import {
  openTransactionSource,
  type SourceName,
} from '../../../../../src/platform/chain/transaction-source/open-source.ts';
import type { Chain } from '../../../../../src/platform/ports/chain.ts';
import type { Venue } from '../../../../../src/platform/ports/venue.ts';
import { openTape } from '../../../../../src/platform/tape/open-tape.ts';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, child: () => silent };
/** Beyond what any market here ever has. */
const ALL = { limit: 10_000 };

export type TapeRig = Awaited<ReturnType<typeof openTapeRig>>;

/**
 * The real indexer over a tape of its own. Its clock runs a hundred times as fast as the wall's: what it would do after half a
 * minute without a notice it does at once, and no test waits.
 */
export async function openTapeRig(input: {
  readonly databaseUrl: string;
  readonly chain: Chain;
  readonly desk: Venue;
  readonly genesisHash: string;
  readonly source: SourceName;
  readonly urls: readonly string[];
  readonly wsUrls: readonly string[];
  /** A stream before the source. */
  readonly geyser?: GeyserOptions;
  /** The tape begins where the chain does, also for a source that reads no blocks. */
  readonly from?: 'start' | 'now';
}) {
  const { chain, desk } = input;
  const tape = await openTape({ url: input.databaseUrl });
  const proving = openTransactionSource({ source: input.source, rpcPerSecond: null, isLocal: true }, input);
  const source = input.geyser === undefined ? proving : createGeyserSource(input.geyser, proving);
  const began = Date.now();
  const indexer = createIndexer(
    {
      source,
      ...tape,
      chain,
      venues: [desk],
      catalogue: { duePools: async () => [] },
      leases: { beat: async ({ owner }) => [owner], leave: async () => undefined },
      owner: 'one',
      fromStart: input.from !== 'now',
      money: { sol: WSOL_MINT, dollars: [] },
      clock: { now: () => began + (Date.now() - began) * 100 },
      log: silent,
      wellKnown: wellKnownTokens(false, null),
      quoteMints: [],
      limit: 512,
    },
    input.genesisHash,
  );
  const tradesOf = async (market: Market): Promise<readonly RecordedTrade[]> =>
    (await tape.tape.trades(market.id, ALL)).toReversed();

  return {
    ...tape,
    indexer,
    source,
    tradesOf,
    /** Waits until every market is sealed up to a slot, but for those that say that something is missing. */
    sealedTo: async (slot: bigint, wanted?: 'gaps too'): Promise<void> => {
      for (;;) {
        const markets = wanted === undefined ? await tape.markets.all() : [];
        const gaps = new Set(markets.filter(({ gapSince }) => gapSince !== null).map(({ id }) => id));
        const cursors = await tape.tape.cursors();
        const isDone = cursors.every(({ marketId, sealedSlot }) => sealedSlot >= slot || gaps.has(marketId));
        if (cursors.length > 0 && isDone) return;
        await pause(50);
      }
    },
    close: async () => {
      await indexer.stop();
      await tape.tape.close();
    },
  };
}

export async function heldBy(
  chain: Pick<Chain, 'accounts'>,
  vaults: readonly Address[],
): Promise<ReadonlyMap<Address, bigint>> {
  const { accounts } = await chain.accounts(vaults);
  return new Map(vaults.map((vault, index) => [vault, unitsHeld(accounts[index] ?? null)]));
}

export const vaultsOf = (local: DeskChain): readonly Address[] =>
  local.world.pools.flatMap(({ vaultA, vaultB }) => [vaultA, vaultB]);
