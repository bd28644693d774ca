import { WSOL_MINT } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import { bps, bpsFloor } from '../../src/core/amounts/bps.ts';
import { AppError } from '../../src/core/errors/app-error.ts';
import type { Doubt } from '../../src/modules/guard/rules/doubt.ts';
import type { Guard } from '../../src/modules/guard/rules/guard.ts';
import { LOCAL_RULES } from '../../src/modules/guard/rules/guard-rules.ts';
import { unlocked } from '../../src/modules/guard/rules/unlock.ts';
import type { Order } from '../../src/modules/orders/rules/order.ts';
import type { Rate } from '../../src/modules/orders/rules/rate.ts';
import type { DraftGroup, OrderDraft } from '../../src/modules/orders/use/draft.ts';
import type { FireQuote } from '../../src/modules/orders/use/fire-market.ts';
import { fireOrder } from '../../src/modules/orders/use/fire-order.ts';
import type { OrderDeps } from '../../src/modules/orders/use/order-deps.ts';
import { priceImpactBps } from '../../src/modules/trading/rules/price-impact.ts';
import type { Venue } from '../../src/platform/ports/venue.ts';
import { buildToken } from '../modules/tokens/build-token.ts';
import { buildPool, TOKEN } from '../modules/trading/build-pool.ts';
import { fakeClock } from './fakes/clock.ts';
import { fakeDatabase } from './fakes/database.ts';
import { fakeIds } from './fakes/ids.ts';
import { NO_EVENTS } from './no-events.ts';
import { PASSED } from './passed.ts';
import { CONFIRMS, testSigner } from './signer.ts';
import { addPerson } from './simulator/people.ts';

export const SOL = 1_000_000_000n;
export const HOUR = 3_600_000;
/** What the person holds of the token: worth 1 SOL at the first price, in a pool of 1,000 SOL. */
export const HELD = 1_000_000_000n;
const RESERVE = 1_000n * SOL;

export const SALE: OrderDraft = {
  side: 'sell',
  type: 'TAKE_PROFIT',
  amount: { kind: 'rest' },
  unit: 'SOL',
  trigger: { got: 12n, given: 10n },
  request: '+20%',
  floor: 'default',
  trailing: null,
  hold: 'fast',
  partial: false,
  schedule: null,
  sellsOnExpiry: false,
};
export const PURCHASE: OrderDraft = {
  ...SALE,
  side: 'buy',
  type: 'LIMIT',
  amount: { kind: 'fixed', units: SOL },
  trigger: { got: 12n, given: 10n },
};

/** One person and one pool whose price the test moves, with the real use cases of orders over stores in memory. */
export async function orderPlace() {
  const db = fakeDatabase({ trusting: true });
  const clock = fakeClock();
  const userId = await addPerson(db, { index: 1, inviterId: null });
  const stranger = await addPerson(db, { index: 2, inviterId: null });
  const [wallet] = await db.wallets.listByUser(userId);
  if (wallet === undefined) throw new Error('the person has a wallet');
  const world = {
    /** Thousandths of the first price. */
    price: 1_000n,
    reserve: RESERVE,
    held: HELD,
    /** In another account of the wallet. */
    elsewhere: 0n,
    doubts: [] as readonly Doubt[],
    usual: null as Rate | null,
    ordersCap: 1_000n * SOL,
    spendCap: 5n * SOL,
    allCap: 50n * SOL,
    doubtedCap: 10n * SOL,
    floorCap: SOL / 20n,
  };
  const pool = (): Pool =>
    buildPool({ sol: world.reserve, token: (world.reserve * 1_000n) / world.price, feeBps: 0n });
  const venue: Venue = { name: 'test', pools: async () => [pool()], counterparts: async () => [] };
  let serial = 0;
  const id = (): string => {
    serial += 1;
    return `id-${String(serial).padStart(6, '0')}`;
  };
  const quote = async (order: Order, _wallet: unknown, units: bigint): Promise<FireQuote> => {
    const mintIn = order.side === 'buy' ? WSOL_MINT : TOKEN;
    const quotedOut = pool().quote(mintIn, units);
    const slippageBps = bps(order.terms.slippageBps);
    return {
      terms: {
        amountIn: units,
        quotedOut,
        minOut: quotedOut - bpsFloor(quotedOut, slippageBps),
        platformFeeLamports: 0n,
        priceImpactBps: priceImpactBps(pool(), mintIn, units, quotedOut),
        slippageBps,
        route: [],
      },
      safety: { level: 'OK', warnings: [] },
    };
  };
  const deps = {
    db,
    clock,
    ids: { ...fakeIds(1), ulid: id, token: id },
    relay: { nudge: () => undefined },
    chain: { slotMs: () => 400 },
    // Fires and placings are judged by the real signer; what a person confirms is confirmed.
    vault: { ...testSigner({ db, clock }), confirm: CONFIRMS.confirm },
    market: {
      sellable: async () => {
        if (world.held > 0n) return { units: world.held, elsewhere: world.elsewhere };
        throw new AppError('INSUFFICIENT_TOKENS', { needed: 1n, available: 0n, decimals: 9 });
      },
      quote,
      parts: async (order: Order) => (units: bigint) =>
        pool().quote(order.side === 'buy' ? WSOL_MINT : TOKEN, units),
      supply: async () => 10n ** 18n,
      depth: async () => null,
    },
    events: NO_EVENTS,
    trade: {
      venues: [venue],
      hubs: [WSOL_MINT],
      clock,
      maxStateAgeMs: 60_000,
      poolQuarantine: { holds: () => false },
      chain: { token: async () => buildToken({ mint: TOKEN, decimals: 9, supply: 10n ** 18n }) },
      platformFee: async () => ({ lamports: 0n, discountBps: bps(0) }),
    },
    solPrice: async () => null,
    get guardRules() {
      return {
        ...LOCAL_RULES,
        spendCapLamports: world.spendCap,
        allSpendingLamports: world.allCap,
        doubtedLamports: world.doubtedCap,
        floorFeesLamports: world.floorCap,
      };
    },
    doubtToken: async () => world.doubts,
    usualPrice: async () => world.usual,
    get autoSpendCapLamports() {
      return world.ordersCap;
    },
    ordersChanged: () => undefined,
    pause: async () => undefined,
    // Of the many that a transaction takes, those that an order asks for.
  } as unknown as OrderDeps;

  const draft = (one: OrderDraft, more: Partial<DraftGroup> = {}): DraftGroup => ({
    userId,
    walletId: wallet.id,
    mint: TOKEN,
    placeKey: id(),
    kind: 'SINGLE',
    units: one.side === 'sell' ? HELD : one.amount.kind === 'fixed' ? one.amount.units : SOL,
    drafts: [one],
    expiresAt: clock.now() + 24 * HOUR * 7,
    slippageBps: 500,
    tier: 'normal',
    accepted: [],
    supply: null,
    parentIntentId: null,
    ...more,
  });
  const guard = async (change: (guard: Guard) => Guard): Promise<void> =>
    db.guards.save(change(await db.guards.find(userId)), PASSED);
  const order = async (orderId: string): Promise<Order> => {
    const found = (await db.orders.find(orderId))?.orders.find((one) => one.id === orderId);
    if (found === undefined) throw new Error(`no order ${orderId}`);
    return found;
  };
  return {
    db,
    deps,
    clock,
    world,
    userId,
    stranger,
    wallet,
    draft,
    guard,
    order,
    pool,
    fire: (orderId: string, high: Rate | null = null) => fireOrder(deps, { orderId, slot: 10n ** 9n, high }),
    /** The PIN is there, and ripe; trades are locked. */
    hasPin: () => guard((one) => ({ ...one, pinHash: 'hash' })),
    unlock: () => guard((one) => unlocked({ ...one, pinHash: 'hash' }, clock.now())),
  };
}

export type OrderPlace = Awaited<ReturnType<typeof orderPlace>>;
