import { type Address, WSOL_MINT } from '@tradepost/solana';
import { firstIdOfSlot, type RecordedTrade } from '@tradepost/tape';
import { newLaunch, type SeenLaunch } from '../../../../src/modules/launches/rules/stage.ts';
import type { Market } from '../../../../src/modules/market/rules/market.ts';
import {
  createOrderEvents,
  type EventDeps,
  type OrderEvents,
} from '../../../../src/modules/orders/use/order-events.ts';
import type { LandedTransaction } from '../../../../src/platform/ports/chain.ts';
import type { HistoryEntry } from '../../../../src/platform/ports/chain-history.ts';
import { buildToken } from '../../../modules/tokens/build-token.ts';
import { SLOT_MS } from '../cluster.ts';
import type { SimProcess } from '../process.ts';
import { askedBy, type OrderWorld } from './sim-market.ts';
import { CREATOR, HEIR, type LifeTrade, STRANGER, SUPPLY, type TokenLife } from './token-life.ts';

/** A block is sealed when no fork can take its trades back: those of a life go within 30 slots, and a node is at most 20 behind. */
const SEALED_AFTER = 60n;
const FINAL_AFTER = 32n;

/** The real events over a tape and pools that lag, are out of reach, and forget trades of a dead fork. */
export function simEvents(
  world: OrderWorld,
  process: SimProcess,
  db: EventDeps['db'],
  orderFeed: EventDeps['orderFeed'],
): OrderEvents {
  const asked = askedBy(world, process);
  const lifeOf = (mint: Address): TokenLife | null => world.lives.get(mint) ?? null;
  const mintOf = (marketId: number): Address | null => [...world.lives.keys()][(marketId - 1) >> 1] ?? null;
  return createOrderEvents({
    db,
    orderFeed,
    clock: { now: world.timeline.now },
    history: {
      signatures: async (owner, { before, limit }) => {
        const upTo = (await asked()) - FINAL_AFTER;
        const all = owner === CREATOR ? movesOf(world, upTo) : [];
        const from = before === null ? 0 : all.findIndex(({ signature }) => signature === before) + 1;
        return all.slice(from, from + limit);
      },
    },
    chain: {
      accounts: async () => ({ slot: await asked(), accounts: [] }),
      holding: async (_owner, mint) => {
        await asked();
        return { amount: lifeOf(mint)?.held ?? 0n, accounts: [] };
      },
      token: async (mint) => {
        await asked();
        return buildToken({ mint, supply: SUPPLY });
      },
      slotMs: () => SLOT_MS,
      landed: async (signature) => {
        const move = movesOf(world, await asked()).find((one) => one.signature === signature);
        return move === undefined ? null : landedMove(move);
      },
    },
    tape: {
      cursor: async (marketId) => {
        const liveSlot = await asked();
        return { marketId, liveSlot, sealedSlot: liveSlot - SEALED_AFTER, post: null };
      },
      tradesAfter: async (marketIds, after, limit, trader) => {
        const at = await asked();
        return marketIds
          .flatMap((marketId) => {
            const mint = mintOf(marketId);
            const life = mint === null ? null : lifeOf(mint);
            return (life?.tradesAt(at) ?? [])
              .filter(({ market }) => market === sideOf(marketId))
              .map((trade) => recorded(trade, marketId));
          })
          .filter((one) => one.id > after && (trader === undefined || one.trader === trader))
          .toSorted((a, b) => Number(a.id - b.id))
          .slice(0, limit);
      },
    },
    markets: {
      ofMint: async (mint) => {
        const index = [...world.lives.keys()].indexOf(mint);
        return index < 0 ? [] : [market(2 * index + 1, mint), market(2 * index + 2, mint)];
      },
    },
    pools: async (mint) => {
      const at = await asked();
      const path = world.paths.get(mint);
      return path === undefined ? [] : [path.poolAt(at)];
    },
    depth: (pools) => BigInt(pools.length),
  });
}

type ListedMove = HistoryEntry & { readonly mint: Address; readonly units: bigint };

/** Gifts of the creator as a node lists them, the newest first. */
function movesOf(world: OrderWorld, upTo: bigint): readonly ListedMove[] {
  return [...world.lives]
    .flatMap(([mint, life]) =>
      life.movesAt(upTo).map(({ slot, units }, index) => ({
        signature: `${mint}-${index}`,
        slot,
        err: null,
        memo: null,
        at: null,
        mint,
        units,
      })),
    )
    .toSorted((a, b) => Number(b.slot - a.slot));
}

function landedMove({ signature, slot, mint, units }: ListedMove): LandedTransaction {
  return {
    signature,
    slot,
    blockTime: null,
    err: null,
    feeLamports: 5_000n,
    logs: [],
    balances: [],
    tokenBalances: [
      { account: STRANGER, owner: CREATOR, mint, before: units, after: 0n },
      { account: HEIR, owner: HEIR, mint, before: 0n, after: units },
    ],
    signatureCount: 1,
  };
}

const sideOf = (marketId: number): LifeTrade['market'] => (marketId % 2 === 1 ? 1 : 2);

/** The launch that names the creator of a token. */
export function launchOf(mint: Address): SeenLaunch {
  return newLaunch(
    {
      kind: 'created',
      mint,
      curve: STRANGER,
      config: null,
      creator: CREATOR,
      signature: 's',
      slot: 1n,
      at: 1,
    },
    'sim',
    1,
  );
}

function recorded(trade: LifeTrade, marketId: number): RecordedTrade {
  const isBase = trade.market === 1;
  return {
    id: firstIdOfSlot(trade.slot) + BigInt(marketId),
    marketId,
    at: 1,
    side: trade.isSale === isBase ? 'sell' : 'buy',
    base: isBase ? trade.units : 1n,
    quote: isBase ? 1n : trade.units,
    fee: null,
    feeSource: 'unknown',
    trader: trade.trader,
    signature: 's',
    source: 'call',
    price: '1',
    dust: false,
    sealed: false,
    createdAt: 1,
  };
}

function market(id: number, mint: Address): Market {
  const isBase = sideOf(id) === 1;
  return {
    id,
    address: STRANGER,
    venue: 'sim',
    programId: STRANGER,
    baseMint: isBase ? mint : WSOL_MINT,
    quoteMint: isBase ? WSOL_MINT : mint,
    baseDecimals: 9,
    quoteDecimals: 9,
    baseVault: STRANGER,
    quoteVault: STRANGER,
    kind: 'tokens',
    createdSlot: 1n,
    baseTicker: 'T',
    quoteTicker: 'SOL',
    name: 'T/SOL',
    verified: false,
    followed: true,
    primary: isBase,
    gapSince: null,
  };
}
