import { type Address, addressFromBytes, WSOL_MINT } from '@tradepost/solana';
import { firstIdOfSlot, type RecordedTrade } from '@tradepost/tape';
import { beforeEach, describe, expect, it } from 'vitest';
import { address } from '../../../src/core/address/address.ts';
import { newLaunch } from '../../../src/modules/launches/rules/stage.ts';
import type { Market } from '../../../src/modules/market/rules/market.ts';
import type { Order } from '../../../src/modules/orders/rules/order.ts';
import type { OrderDraft } from '../../../src/modules/orders/use/draft.ts';
import { editOrder } from '../../../src/modules/orders/use/edit-order.ts';
import { fireOrder } from '../../../src/modules/orders/use/fire-order.ts';
import { createOrderEvents, type EventDeps } from '../../../src/modules/orders/use/order-events.ts';
import { placeOrders } from '../../../src/modules/orders/use/place-orders.ts';
import type { LandedTransaction } from '../../../src/platform/ports/chain.ts';
import { memoryOrderFeed } from '../../support/fakes/memory-orders.ts';
import { orderPlace, SALE, SOL } from '../../support/order-place.ts';
import { buildPool, TOKEN } from '../trading/build-pool.ts';

const CREATOR = address('9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin');
const STRANGER = address('DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263');
/** A key can sign for it, and for the next one none can. */
const HEIR = addressFromBytes(new Uint8Array(32).fill(98));
const POOL = addressFromBytes(new Uint8Array(32).fill(94));
const HELD = 1_000_000n;
const NOW_SLOT = 100n;

const EVENT: OrderDraft = { ...SALE, trigger: null, request: '' };
const DEV: OrderDraft = { ...EVENT, type: 'DEV_SELLS' };
const LIQUIDITY: OrderDraft = { ...EVENT, type: 'LIQUIDITY_FALLS', fallBps: 5_000, hold: 'normal' };

/** The orders of one person beside a tape, a launch and pools that the test moves. */
async function eventPlace() {
  const place = await orderPlace();
  const world = {
    trades: [] as RecordedTrade[],
    sealedSlot: 0n,
    liveSlot: NOW_SLOT,
    slot: NOW_SLOT,
    gapSince: null as bigint | null,
    followed: true,
    reserve: 1_000n * SOL,
    /** A pool of another kind, as deep as so many SOL. */
    other: 0n,
    reads: [] as bigint[],
    /** Transactions of the creator, final up to this slot, and the questions for them. */
    gifts: [] as LandedTransaction[],
    finalSlot: 10n ** 9n,
    asked: [] as Address[],
  };
  const orderFeed = memoryOrderFeed();
  const market = (id: number): Market => ({
    id,
    address: STRANGER,
    venue: 'test',
    programId: STRANGER,
    baseMint: TOKEN,
    quoteMint: WSOL_MINT,
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
    followed: world.followed,
    primary: true,
    gapSince: world.gapSince,
  });
  const pools = async () => {
    const plain = buildPool({ sol: world.reserve, token: world.reserve, feeBps: 0n, accounts: 1 });
    const { shape: _shape, ...other } = buildPool({
      id: 2,
      sol: world.other,
      token: world.other,
      feeBps: 0n,
    });
    return world.other === 0n ? [plain] : [plain, other];
  };
  const eventDeps: EventDeps = {
    db: place.db,
    chain: {
      accounts: async () => ({ slot: world.slot, accounts: [] }),
      holding: async () => ({ amount: HELD, accounts: [] }) as never,
      token: async () => ({ supply: 10n ** 18n }) as never,
      slotMs: () => 400,
      landed: async (signature) => world.gifts.find((one) => one.signature === signature) ?? null,
    },
    orderFeed,
    clock: place.deps.clock,
    history: {
      signatures: async (owner, { before, limit }) => {
        world.asked.push(owner);
        const all = world.gifts
          .filter(({ slot }) => slot <= world.finalSlot)
          .map(({ signature, slot, err }) => ({ signature, slot, err, memo: null, at: null }))
          .toSorted((a, b) => Number(b.slot - a.slot));
        const from = before === null ? 0 : all.findIndex(({ signature }) => signature === before) + 1;
        return all.slice(from, from + limit);
      },
    },
    tape: {
      cursor: async (marketId) => ({
        marketId,
        liveSlot: world.liveSlot,
        sealedSlot: world.sealedSlot,
        post: null,
      }),
      tradesAfter: async (ids, after, limit, trader) => {
        world.reads.push(after);
        return world.trades
          .filter(
            (one) =>
              ids.includes(one.marketId) && one.id > after && (trader === undefined || one.trader === trader),
          )
          .toSorted((a, b) => Number(a.id - b.id))
          .slice(0, limit);
      },
    },
    markets: { ofMint: async () => [market(1), market(2)] },
    pools,
    depth: (some) => some.reduce((sum, pool) => sum + 2n * pool.quote(TOKEN, 10n ** 30n), 0n),
  };
  const events = createOrderEvents(eventDeps);
  const deps = {
    ...place.deps,
    events,
    get guardRules() {
      return place.deps.guardRules;
    },
  };
  let ordinal = 0n;
  const trade = (more: Partial<RecordedTrade> & { readonly slot?: bigint } = {}): RecordedTrade => {
    const { slot = NOW_SLOT + 1n, ...rest } = more;
    ordinal += 1n;
    return {
      id: firstIdOfSlot(slot) + ordinal,
      marketId: 1,
      at: 1,
      side: 'sell',
      base: HELD / 2n,
      quote: 1n,
      fee: null,
      feeSource: 'unknown',
      trader: CREATOR,
      signature: 's',
      source: 'call',
      price: '1',
      dust: false,
      sealed: false,
      createdAt: 1,
      ...rest,
    };
  };
  const launched = () =>
    place.db.seenLaunches.insert(
      newLaunch(
        {
          kind: 'created',
          mint: TOKEN,
          curve: STRANGER,
          creator: CREATOR,
          signature: 's',
          slot: 1n,
          at: 1,
          quoteMint: WSOL_MINT,
        } as never,
        'test',
        1,
      ),
    );
  const give = (units: bigint, more: Partial<LandedTransaction> & { readonly to?: Address } = {}): void => {
    const { to = HEIR, ...rest } = more;
    const gift = { account: STRANGER, mint: TOKEN };
    world.gifts.push({
      signature: `gift-${world.gifts.length}`,
      slot: NOW_SLOT + 1n,
      blockTime: null,
      err: null,
      feeLamports: 5_000n,
      logs: [],
      balances: [],
      tokenBalances: [
        { ...gift, owner: CREATOR, before: units, after: 0n },
        { ...gift, owner: to, before: 0n, after: units },
      ],
      signatureCount: 1,
      ...rest,
    });
  };
  const put = async (draft: OrderDraft) => {
    const group = await placeOrders(deps, {
      ...place.draft(draft),
      kind: 'OCO',
      units: null,
    });
    const order = group.orders.at(-1);
    if (order === undefined) throw new Error('an order was placed');
    return order;
  };
  const sales = async (order: Awaited<ReturnType<typeof put>>) =>
    (await events.devSales(TOKEN, [order])).length;
  const fire = (orderId: string) => fireOrder(deps, { orderId, slot: 10n ** 9n });
  return { ...place, deps, events, orderFeed, world, trade, launched, give, put, sales, fire };
}

describe('an exit when the creator sells', () => {
  let place: Awaited<ReturnType<typeof eventPlace>>;
  beforeEach(async () => {
    place = await eventPlace();
    await place.launched();
  });
  const refused = (kind: string) => ({ code: 'ORDER_REFUSED', details: { kind } });

  it('remembers what the creator held, the supply and the slot, at any price and without a hold', async () => {
    const { terms, holdMs, trigger } = await place.put(DEV);
    expect(terms.event).toEqual({
      kind: 'dev-sells',
      creator: CREATOR,
      held: HELD,
      supply: 10n ** 18n,
      sinceSlot: NOW_SLOT,
    });
    expect([holdMs, trigger, terms.floor]).toEqual([0, null, { got: 0n, given: 1n }]);
  });

  it('is refused where the creator is unknown', async () => {
    const other = await eventPlace();
    await expect(other.put(DEV)).rejects.toMatchObject(refused('dev-unknown'));
    expect(await other.db.orders.listOpen(other.userId)).toEqual([]);
  });

  it.each<[string, Partial<Awaited<ReturnType<typeof eventPlace>>['world']>]>([
    ['no market of it is followed', { followed: false }],
    ['trades may be missing', { gapSince: 5n }],
    ['the tape is more than five minutes behind', { slot: NOW_SLOT + 751n }],
  ])('is refused where %s', async (_why, change) => {
    Object.assign(place.world, change);
    await expect(place.put(DEV)).rejects.toMatchObject(refused('dev-unfollowed'));
  });

  it('fires exactly once when half is sold, over two markets, however often it is seen', async () => {
    const order = await place.put(DEV);
    place.world.trades.push(place.trade({ base: HELD / 2n - 1n }));
    expect(await place.sales(order)).toBe(0);
    expect(await place.fire(order.id)).toEqual({ kind: 'held-back', code: 'price-back' });
    place.world.trades.push(place.trade({ marketId: 2, base: 1n }));
    expect(await place.sales(order)).toBe(1);
    const fired = await place.fire(order.id);
    expect(fired.kind).toBe('fired');
    expect(await place.fire(order.id)).toEqual({ kind: 'gone' });
    expect(await place.db.orders.fires(order.id, 10)).toMatchObject([{ n: 1, eventSeen: HELD / 2n }]);
  });

  it('does not fire for sales before it, for other wallets, or for a sale that a fork took back', async () => {
    const order = await place.put(DEV);
    place.world.trades.push(place.trade({ slot: NOW_SLOT }), place.trade({ trader: STRANGER }));
    expect(await place.sales(order)).toBe(0);
    place.world.trades.push(place.trade());
    expect(await place.sales(order)).toBe(1);
    place.world.trades.pop();
    expect(await place.sales(order)).toBe(0);
    expect(await place.fire(order.id)).toEqual({ kind: 'held-back', code: 'price-back' });
  });

  it('remembers sealed sales and reads only the end of the tape again', async () => {
    const order = await place.put(DEV);
    place.world.trades.push(place.trade({ base: HELD / 4n }));
    await place.sales(order);
    place.world.sealedSlot = NOW_SLOT + 5n;
    await place.sales(order);
    place.world.reads.length = 0;
    place.world.trades.push(place.trade({ slot: NOW_SLOT + 9n, base: HELD / 4n }));
    expect(await place.sales(order)).toBe(1);
    expect(place.world.reads).toEqual([firstIdOfSlot(NOW_SLOT + 6n) - 1n]);
  });

  it.each([0, 1_000, 1_001, 2_000])('counts %i sales, page by page', async (count) => {
    const order = await place.put(DEV);
    const last = count === 0 ? 0n : HELD / 2n - BigInt(count) + 1n;
    for (let n = 0; n < count; n += 1)
      place.world.trades.push(place.trade({ base: n === count - 1 ? last : 1n }));
    expect(await place.sales(order)).toBe(count === 0 ? 0 : 1);
    place.world.trades.pop();
    expect(await place.sales(order)).toBe(0);
  });

  it('counts for an older order what was sold before a younger one', async () => {
    const old = await place.put(DEV);
    place.world.trades.push(place.trade({ base: HELD / 2n }));
    const young = {
      ...old,
      id: 'young',
      terms: { ...old.terms, event: { ...old.terms.event, sinceSlot: 105n } },
    };
    const found = await place.events.devSales(TOKEN, [young as never, old]);
    expect(found.map(({ order }) => order.id)).toEqual([old.id]);
  });

  it('is one of each kind on a position, and keeps its beginning when it is edited', async () => {
    const order = await place.put(DEV);
    await expect(place.put(DEV)).rejects.toMatchObject({
      details: { kind: 'legs-invalid', reason: 'event-twice' },
    });
    place.world.slot = NOW_SLOT + 50n;
    place.world.liveSlot = NOW_SLOT + 50n;
    const edited = await editOrder(place.deps, {
      userId: place.userId,
      orderId: order.id,
      version: order.version,
      change: { amount: { kind: 'share', bps: 5_000 } },
    });
    expect(edited.order.amount).toEqual({ kind: 'share', bps: 5_000 });
    expect(edited.order.terms.event).toEqual(order.terms.event);
  });
});

describe('an exit when the creator sells from another wallet', () => {
  let place: Awaited<ReturnType<typeof eventPlace>>;
  let order: Awaited<ReturnType<(typeof place)['put']>>;
  beforeEach(async () => {
    place = await eventPlace();
    await place.launched();
    order = await place.put(DEV);
  });
  const look = async (): Promise<number> => {
    place.clock.advance(4_000);
    await place.events.readTransfers([order]);
    return place.sales(order);
  };

  it('counts what a wallet sells that got tokens of the creator, up to what it got', async () => {
    place.world.trades.push(place.trade({ trader: HEIR, base: HELD, slot: NOW_SLOT + 5n }));
    expect(await look()).toBe(0);
    place.give(HELD / 2n - 1n);
    expect(await look()).toBe(0);
    place.give(1n, { slot: NOW_SLOT + 2n });
    expect(await look()).toBe(1);
    expect(await place.events.measure(order)).toEqual({ isThere: true, seen: HELD / 2n });
    expect((await place.fire(order.id)).kind).toBe('fired');
    expect(await place.db.orders.fires(order.id, 10)).toMatchObject([{ n: 1, eventSeen: HELD / 2n }]);
  });

  it('adds up the creator and all such wallets', async () => {
    place.give(HELD / 4n);
    place.give(HELD, { to: STRANGER });
    const part = { base: HELD / 6n, slot: NOW_SLOT + 3n };
    place.world.trades.push(
      place.trade({ ...part, trader: HEIR }),
      place.trade({ ...part, trader: STRANGER }),
    );
    expect(await look()).toBe(0);
    place.world.trades.push(place.trade({ ...part, base: HELD / 6n + 2n }));
    expect(await look()).toBe(1);
  });

  it.each<[string, Parameters<typeof place.give>[1]]>([
    ['before the placing', { slot: NOW_SLOT }],
    ['after its sale', { slot: NOW_SLOT + 6n }],
    ['in a transaction that failed', { err: 'x' }],
    ['to a pool, whose owner no key signs for', { to: POOL }],
    ['to itself', { to: CREATOR }],
  ])('counts nothing for what was given %s', async (_why, more) => {
    place.give(HELD, more);
    const seller = more?.to ?? HEIR;
    if (seller !== CREATOR)
      place.world.trades.push(place.trade({ trader: seller, base: HELD, slot: NOW_SLOT + 5n }));
    expect(await look()).toBe(0);
  });

  it('counts a token account that was given away whole', async () => {
    place.give(0n, {
      tokenBalances: [
        { account: STRANGER, owner: CREATOR, newOwner: HEIR, mint: TOKEN, before: HELD, after: HELD },
      ],
    });
    place.world.trades.push(place.trade({ trader: HEIR, base: HELD, slot: NOW_SLOT + 5n }));
    expect(await look()).toBe(1);
  });

  it('counts no transfer before it is final, and reads each once', async () => {
    place.world.finalSlot = NOW_SLOT;
    place.give(HELD);
    place.world.trades.push(place.trade({ trader: HEIR, base: HELD, slot: NOW_SLOT + 5n }));
    expect(await look()).toBe(0);
    place.world.finalSlot = NOW_SLOT + 1n;
    expect(await look()).toBe(1);
    place.world.gifts.length = 0;
    expect(await look()).toBe(1);
  });

  it('reads on after a hundred transfers, and anew where an earlier order waits', async () => {
    for (let n = 0; n < 100; n += 1) place.give(HELD / 200n, { slot: NOW_SLOT + 1n + BigInt(n) });
    place.world.trades.push(place.trade({ trader: HEIR, base: HELD, slot: NOW_SLOT + 200n }));
    const looks: number[] = [];
    for (let n = 0; n < 6; n += 1) looks.push(await look());
    expect(looks).toEqual([0, 0, 0, 0, 1, 1]);
    place.give(7n, { slot: NOW_SLOT - 5n });
    const old = {
      ...order,
      terms: { ...order.terms, event: { ...order.terms.event, sinceSlot: 50n } },
    } as Order;
    const units = async (one: Order) => (await place.events.transfers(TOKEN, [one]))[0]?.units;
    expect(await units(old)).toBe(HELD / 2n);
    place.clock.advance(4_000);
    await place.events.readTransfers([old]);
    expect(await units(old)).toBe(HELD / 2n + 7n);
    expect(await units(order)).toBe(HELD / 2n);
  });

  it('asks for a creator once in four seconds, and for five creators at once', async () => {
    const others = Array.from({ length: 7 }, (_, n) => ({
      ...order,
      terms: { ...order.terms, event: { ...order.terms.event, creator: `creator-${n}` } },
    })) as unknown as readonly Order[];
    await place.events.readTransfers(others);
    await place.events.readTransfers(others);
    await place.events.readTransfers(others);
    expect(place.world.asked.map(String).toSorted()).toEqual(others.map((_, n) => `creator-${n}`));
  });
});

describe('an exit when liquidity falls', () => {
  let place: Awaited<ReturnType<typeof eventPlace>>;
  beforeEach(async () => {
    place = await eventPlace();
  });

  it('remembers the liquidity, and must be held as long as a stop', async () => {
    const { terms, holdMs } = await place.put(LIQUIDITY);
    expect(terms.event).toEqual({
      kind: 'liquidity-falls',
      fallBps: 5_000,
      liquidity: 1_000n * SOL,
      onCurve: false,
    });
    expect(holdMs).toBe(2_400);
  });

  it('is refused for another share, and where most of the depth is in pools of another kind', async () => {
    await expect(place.put({ ...LIQUIDITY, fallBps: 4_000 })).rejects.toMatchObject({
      details: { kind: 'liquidity-step' },
    });
    place.world.other = 1_000n * SOL;
    await place.put(LIQUIDITY);
    const other = await eventPlace();
    other.world.other = 1_001n * SOL;
    await expect(other.put(LIQUIDITY)).rejects.toMatchObject({ details: { kind: 'liquidity-unknown' } });
  });

  it('is judged again when it fires: a fall that is over sells nothing', async () => {
    const order = await place.put(LIQUIDITY);
    expect(await place.fire(order.id)).toEqual({ kind: 'held-back', code: 'price-back' });
    place.world.reserve /= 2n;
    expect((await place.fire(order.id)).kind).toBe('fired');
    expect(await place.fire(order.id)).toEqual({ kind: 'gone' });
    expect(await place.db.orders.fires(order.id, 10)).toMatchObject([{ eventSeen: expect.any(BigInt) }]);
  });
});
