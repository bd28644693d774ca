import { type Address, maxBigint, minBigint } from '@tradepost/solana';
import { firstIdOfSlot, slotOfTrade } from '@tradepost/tape';
import type { Pool } from '@tradepost/venues';
import type { PlacementRefusal } from '../../../core/errors/details.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import type { TapeStore } from '../../../platform/ports/tape-store.ts';
import type { MarketStore } from '../../market/store/market-store-port.ts';
import { LIQUIDITY_STEPS_BPS } from '../../settings/rules/exit-set.ts';
import { type Recipient, recipientsAfter } from '../rules/creator-moves.ts';
import {
  countsAsLiquid,
  type DevSells,
  devSold,
  type EventMarket,
  type EventTrade,
  isDevSale,
  isLiquidityFall,
  liquidityOf,
  type OrderEvent,
} from '../rules/event-trigger.ts';
import type { Order, OrderType } from '../rules/order.ts';
import type { OrderFeedStore } from '../store/order-feed-store-port.ts';
import { type CreatorReadDeps, createCreatorReader } from './read-creators.ts';

/** The facts that the two events rest on: the creator's sales and transfers, and the pools as they are now. */
export type EventDeps = Pick<CreatorReadDeps, 'history' | 'clock'> & {
  readonly db: {
    readonly seenLaunches: Pick<Stores['seenLaunches'], 'find'>;
    readonly createdTokens: Pick<Stores['createdTokens'], 'find'>;
  };
  readonly chain: Pick<Chain, 'accounts' | 'holding' | 'token' | 'slotMs' | 'landed'>;
  readonly orderFeed: CreatorReadDeps['orderFeed'] & Pick<OrderFeedStore, 'creatorMoves'>;
  readonly tape: Pick<TapeStore, 'cursor' | 'tradesAfter'>;
  readonly markets: Pick<MarketStore, 'ofMint'>;
  /** Every pool on the ways between a token and SOL, as it is now. */
  readonly pools: (mint: Address) => Promise<readonly Pool[]>;
  /** Lamports that could be taken out of these pools of a token, doubled. */
  readonly depth: (pools: readonly Pool[], mint: Address) => bigint;
};

/** `seen`: units that the creator has sold since the placing, or the liquidity. */
export type EventMeasure = { readonly isThere: boolean; readonly seen: bigint };

/** What orders by an event ask of the world. Nothing is changed. */
export type OrderEvents = {
  /** The state that an event of this type is measured from, as it is now, or why no order can wait for it. */
  begin(asked: {
    readonly type: OrderType;
    readonly mint: Address;
    readonly fallBps: number | undefined;
  }): Promise<OrderEvent | PlacementRefusal>;
  /** What the event of an order comes to now, and whether it has happened. Null for an order that waits for none. */
  measure(order: Pick<Order, 'mint' | 'terms'>): Promise<EventMeasure | null>;
  /**
   * Those of these orders of one token whose creator has sold enough, each with the slot of the last trade. Sales of wallets that got tokens
   * of the creator since the placing count as the creator's.
   */
  devSales(
    mint: Address,
    orders: readonly Order[],
  ): Promise<readonly { readonly order: Order; readonly slot: bigint }[]>;
  /** Reads the new transfers of the creators of these orders. Throws CHAIN_UNREACHABLE; the next call reads on. */
  readTransfers(orders: readonly Order[]): Promise<void>;
  /** The units that the creator of each order gave away since its placing, as far as read; orders without are left out. */
  transfers(
    mint: Address,
    orders: readonly Order[],
  ): Promise<readonly { readonly order: Order; readonly units: bigint; readonly seenAt: number }[]>;
  /** Whether the creator's sales are being read now. */
  isFollowed(mint: Address): Promise<boolean>;
};

/** A market whose trades are older than this is not followed: its creator may have sold meanwhile. */
const BEHIND_MS = 300_000;
const PAGE = 1_000;
/** Less of a token's depth in pools that are counted says too little of all of it. */
const LEAST_SHARE_BPS = 5_000n;

/** Trades of one creator after `since` that no fork can take back, and up to where these are. */
type Sealed = { readonly since: bigint; readonly upTo: bigint; readonly trades: readonly EventTrade[] };

type Waiting = { readonly order: Order; readonly event: DevSells };
type WalletTrades = { readonly markets: readonly EventMarket[]; readonly trades: readonly EventTrade[] };

/** Trades of creators, and of wallets that got tokens of them, by the tape. */
type CreatorTape = {
  /** Those after a slot, and perhaps earlier ones. */
  since(mint: Address, wallet: Address, since: bigint): Promise<WalletTrades>;
  /** Forgets the other wallets of this token. */
  keepOnly(mint: Address, wallets: readonly Address[]): void;
};

/** Sealed trades are remembered: only the tape's end is read again. */
function createCreatorTape(deps: Pick<EventDeps, 'tape' | 'markets'>): CreatorTape {
  const sealed = new Map<string, Sealed>();

  const since: CreatorTape['since'] = async (mint, wallet, afterSlot) => {
    const markets = (await deps.markets.ofMint(mint)).filter(({ followed }) => followed);
    const ids = markets.map(({ id }) => id);
    // Before the trades: all that is sealed by then is whole in them.
    const cursors = await Promise.all(ids.map((id) => deps.tape.cursor(id)));
    // A market that was taken up meanwhile is read from the beginning.
    const key = [mint, wallet, ...ids].join(':');
    const kept = sealed.get(key);
    const known =
      kept !== undefined && kept.since <= afterSlot
        ? kept
        : { since: afterSlot, upTo: afterSlot, trades: [] };
    const trades = [...known.trades, ...(await read(deps.tape, ids, wallet, known.upTo))];
    const slots = cursors.map((cursor) => cursor?.sealedSlot ?? 0n);
    const upTo = slots.reduce(minBigint, slots[0] ?? 0n);
    if (upTo > known.upTo)
      sealed.set(key, {
        since: known.since,
        upTo,
        trades: trades.filter(({ id }) => slotOfTrade(id) <= upTo),
      });
    return { markets, trades };
  };

  return {
    since,
    keepOnly: (mint, wallets) => {
      for (const key of sealed.keys())
        if (key.startsWith(`${mint}:`) && !wallets.some((wallet) => key.startsWith(`${mint}:${wallet}:`)))
          sealed.delete(key);
    },
  };
}

export function createOrderEvents(deps: EventDeps): OrderEvents {
  const tape = createCreatorTape(deps);
  const creators = createCreatorReader(deps);
  return {
    begin: async ({ type, mint, fallBps }) =>
      type === 'DEV_SELLS' ? beginDevSells(deps, mint) : beginLiquidity(deps, mint, fallBps ?? 0),
    measure: async ({ mint, terms: { event } }) => {
      if (event === undefined) return null;
      if (event.kind === 'liquidity-falls') {
        const now = liquidityOf(await deps.pools(mint), mint);
        return { isThere: isLiquidityFall(event, now), seen: now?.liquidity ?? 0n };
      }
      const { seen } = await soldOf(deps, tape, mint, event);
      return { isThere: isDevSale(event, seen), seen };
    },
    devSales: async (mint, orders) => {
      const found: { readonly order: Order; readonly slot: bigint }[] = [];
      const wallets = new Set<Address>();
      // The oldest order first: its trades serve the later ones.
      for (const { order, event } of waitingOf(orders)) {
        const { seen, slot, sellers } = await soldOf(deps, tape, mint, event);
        for (const wallet of sellers) wallets.add(wallet);
        if (isDevSale(event, seen)) found.push({ order, slot });
      }
      tape.keepOnly(mint, [...wallets]);
      return found;
    },
    readTransfers: async (orders) => {
      const since = new Map<Address, bigint>();
      for (const { event } of waitingOf(orders))
        since.set(event.creator, minBigint(since.get(event.creator) ?? event.sinceSlot, event.sinceSlot));
      await creators.read(since);
    },
    transfers: async (mint, orders) => {
      const found: { readonly order: Order; readonly units: bigint; readonly seenAt: number }[] = [];
      for (const { order, event } of waitingOf(orders)) {
        const moves = await deps.orderFeed.creatorMoves(mint, event.creator, event.sinceSlot);
        const units = moves.reduce((sum, move) => sum + move.units, 0n);
        const seenAt = moves.reduce((last, move) => Math.max(last, move.seenAt), 0);
        if (units > 0n) found.push({ order, units, seenAt });
      }
      return found;
    },
    isFollowed: async (mint) => (await followedNow(deps, mint)) !== null,
  };
}

/** Those that wait for a creator, the first placed first. */
function waitingOf(orders: readonly Order[]): readonly Waiting[] {
  return orders
    .flatMap((order): readonly Waiting[] => {
      const { event } = order.terms;
      return event?.kind === 'dev-sells' ? [{ order, event }] : [];
    })
    .toSorted((a, b) => Number(a.event.sinceSlot - b.event.sinceSlot));
}

/** Units that the creator, and the wallets that it gave tokens to, have sold since the placing; the slot of their last trade; those wallets. */
async function soldOf(
  { orderFeed }: Pick<EventDeps, 'orderFeed'>,
  tape: CreatorTape,
  mint: Address,
  event: DevSells,
): Promise<{ readonly seen: bigint; readonly slot: bigint; readonly sellers: readonly Address[] }> {
  const moves = await orderFeed.creatorMoves(mint, event.creator, event.sinceSlot);
  const recipients: readonly Recipient[] = recipientsAfter(moves, event.sinceSlot);
  const sellers = [event.creator, ...recipients.map(({ wallet }) => wallet)];
  let markets: readonly EventMarket[] = [];
  const trades: EventTrade[] = [];
  for (const wallet of sellers) {
    const own = await tape.since(mint, wallet, event.sinceSlot);
    markets = own.markets;
    trades.push(...own.trades);
  }
  const slot = trades.reduce((last, { id }) => maxBigint(last, slotOfTrade(id)), 0n);
  return { seen: devSold(event, mint, markets, trades, recipients), slot, sellers };
}

/** Every trade of a wallet in these markets after a slot, oldest first. */
async function read(
  tape: EventDeps['tape'],
  marketIds: readonly number[],
  trader: Address,
  afterSlot: bigint,
): Promise<readonly EventTrade[]> {
  if (marketIds.length === 0) return [];
  const found: EventTrade[] = [];
  let after = firstIdOfSlot(afterSlot + 1n) - 1n;
  for (;;) {
    const page = await tape.tradesAfter(marketIds, after, PAGE, trader);
    found.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return found;
    after = last.id;
  }
}

/** The slot of now where some market of the token is read up to it without a gap; null where none is. */
async function followedNow(
  { markets, tape, chain }: Pick<EventDeps, 'markets' | 'tape' | 'chain'>,
  mint: Address,
): Promise<bigint | null> {
  const own = (await markets.ofMint(mint)).filter((one) => one.followed && one.gapSince === null);
  const cursors = await Promise.all(own.map(({ id }) => tape.cursor(id)));
  const { slot } = await chain.accounts([mint]);
  const behind = BigInt(Math.ceil(BEHIND_MS / chain.slotMs()));
  return cursors.some((cursor) => cursor !== null && cursor.liveSlot + behind >= slot) ? slot : null;
}

/** The slot is read before the holding: a sale between the two counts, and none is lost. */
async function beginDevSells(deps: EventDeps, mint: Address): Promise<OrderEvent | PlacementRefusal> {
  const creator = await creatorOf(deps, mint);
  if (creator === null) return { kind: 'dev-unknown' };
  const sinceSlot = await followedNow(deps, mint);
  if (sinceSlot === null) return { kind: 'dev-unfollowed' };
  const [token, held] = await Promise.all([deps.chain.token(mint), deps.chain.holding(creator, mint)]);
  if (token === null) return { kind: 'dev-unknown' };
  return { kind: 'dev-sells', creator, held: held.amount, supply: token.supply, sinceSlot };
}

/** As a launch's own account names it, or as this desk made it; null where neither is known. */
async function creatorOf({ db }: Pick<EventDeps, 'db'>, mint: Address): Promise<Address | null> {
  const launch = await db.seenLaunches.find(mint);
  if (launch !== null && !launch.takenBack) return launch.creator;
  return (await db.createdTokens.find(mint))?.creator ?? null;
}

async function beginLiquidity(
  { pools, depth }: Pick<EventDeps, 'pools' | 'depth'>,
  mint: Address,
  fallBps: number,
): Promise<OrderEvent | PlacementRefusal> {
  if (!LIQUIDITY_STEPS_BPS.some((step) => step === fallBps)) return { kind: 'liquidity-step' };
  const all = await pools(mint);
  const now = liquidityOf(all, mint);
  if (now === null || now.liquidity === 0n) return { kind: 'liquidity-unknown' };
  const whole = depth(all, mint);
  const counted = depth(
    all.filter((pool) => !pool.mints.includes(mint) || countsAsLiquid(pool, mint)),
    mint,
  );
  if (counted * 10_000n < whole * LEAST_SHARE_BPS) return { kind: 'liquidity-unknown' };
  return { kind: 'liquidity-falls', fallBps, ...now };
}
