import { type Address, MAX_U64, WSOL_MINT } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import { bps, minimumOut } from '../../../src/core/amounts/bps.ts';
import { AppError } from '../../../src/core/errors/app-error.ts';
import { createNews } from '../../../src/engine/watch/use/news.ts';
import { LOCAL_RULES } from '../../../src/modules/guard/rules/guard-rules.ts';
import type { Order } from '../../../src/modules/orders/rules/order.ts';
import { createPriceView } from '../../../src/modules/orders/rules/price-view.ts';
import { newGroup } from '../../../src/modules/orders/use/draft.ts';
import type { FireMarket } from '../../../src/modules/orders/use/fire-market.ts';
import { settleOrder } from '../../../src/modules/orders/use/settle-order.ts';
import { createOrderWatch, type OrderWatchDeps } from '../../../src/modules/orders/use/watch-orders.ts';
import type { PoolsOfToken } from '../../../src/platform/ports/pool-feed.ts';
import { buildPool, TOKEN } from '../../modules/trading/build-pool.ts';
import { fakeDatabase } from '../fakes/database.ts';
import { memoryOrderFeed } from '../fakes/memory-orders.ts';
import { PASSED } from '../passed.ts';
import { CONFIRMS } from '../signer.ts';
import { addPerson } from '../simulator/people.ts';
import { type Frame, PathError } from './read-path.ts';
import { standingOrders } from './standing-orders.ts';

const SLOT_MS = 400;
const START = 1_700_000_000_000;
const DAY_MS = 86_400_000;
const SOL = 1_000_000_000n;
const FEE = bps(100);
/** Turns of the event loop in which a fire surely has its end: nothing here waits for a clock. */
const TURNS = 40;

/** One firing: units of what is given, and the least that its transaction would have had to bring. */
export type ReplayedFire = {
  readonly slot: number;
  readonly order: string;
  readonly units: bigint;
  readonly minOut: bigint;
};

export type Replayed = {
  readonly fires: readonly ReplayedFire[];
  /** How each order ended, and why the open ones did not fire where they have a reason. */
  readonly ends: readonly {
    readonly order: string;
    readonly status: Order['status'];
    readonly why: string | null;
  }[];
};

/**
 * Plays a path through the evaluator and the firing of orders as they are in the product, on a clock of its own. What fires is
 * done: the chain is not part of this. Always the same for the same path.
 */
export async function replayPath(frames: readonly Frame[]): Promise<Replayed> {
  const stage = await openStage(frames);
  const fires: ReplayedFire[] = [];
  for (const frame of frames) {
    await stage.show(frame);
    for (let turn = 0; turn < TURNS; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      fires.push(...(await stage.settle(frame.slot)));
    }
  }
  await stage.stop();
  return { fires, ends: await stage.ends() };
}

async function openStage(frames: readonly Frame[]) {
  const db = fakeDatabase({ trusting: true });
  const userId = await addPerson(db, { index: 1, inviterId: null });
  let pools = poolsOf(firstOf(frames));
  let now = START + firstOf(frames).slot * SLOT_MS;
  let made = 0;
  // Ids grow with time, as those of the product do.
  const id = (): string => {
    made += 1;
    return `id-${String(made).padStart(6, '0')}`;
  };
  const clock = { now: () => now };
  const names = await placeAll();
  const orderFeed = memoryOrderFeed();
  let tell: (told: PoolsOfToken) => void = () => undefined;
  const deps = {
    db,
    clock,
    ids: { ulid: id, token: id, code: id },
    market: marketOf(() => pools),
    solPrice: async () => null,
    guardRules: {
      ...LOCAL_RULES,
      delayMs: 0,
      dailyCapLamports: 1_000n * SOL,
      spendCapLamports: 1_000n * SOL,
    },
    doubtToken: async () => [],
    usualPrice: async () => null,
    autoSpendCapLamports: 1_000n * SOL,
    vault: CONFIRMS,
    relay: { nudge: () => undefined },
    orderFeed,
    ordersChanged: () => news.changed(),
    owner: 'replay',
    log: { info: () => undefined, warn: () => undefined },
    tradeFeeBps: () => FEE,
    pause: async () => undefined,
    feed: {
      watch: () => undefined,
      onPools: (listener: typeof tell) => {
        tell = listener;
      },
      stop: async () => undefined,
    },
  };
  const news = createNews();
  const watch = createOrderWatch({ ...deps, news } as unknown as OrderWatchDeps);

  async function placeAll(): Promise<ReadonlyMap<string, string>> {
    const view = viewOf(pools, firstOf(frames).slot);
    const drafts = standingOrders((side, amount) => {
      const rate = view.quote(side, amount);
      if (rate === null)
        throw new PathError('the pools of the first slot do not trade a thousandth of themselves');
      return rate;
    });
    const placed = new Map<string, string>();
    for (const [name, draft] of Object.entries(drafts)) {
      const common = {
        userId,
        walletId: `wallet-${userId}`,
        mint: TOKEN,
        placeKey: id(),
        kind: 'SINGLE',
      } as const;
      const units = draft.amount.kind === 'fixed' ? draft.amount.units : null;
      const terms = {
        slippageBps: 100,
        tier: 'normal',
        accepted: [],
        supply: null,
        parentIntentId: null,
      } as const;
      const group = newGroup(
        { ...common, ...terms, units, drafts: [draft], expiresAt: now + DAY_MS },
        { id, now, depthLamports: null },
      );
      await db.orders.insert(PASSED, group);
      placed.set(group.orders[0]?.id ?? '', name);
    }
    return placed;
  }

  return {
    show: async (frame: Frame): Promise<void> => {
      now = START + frame.slot * SLOT_MS;
      pools = poolsOf(frame);
      await watch.round();
      tell({ mint: TOKEN, pools, slot: BigInt(frame.slot), at: now, how: 'followed' });
    },
    /** What fired lands at once with what it had to bring at least. */
    settle: async (slot: number): Promise<readonly ReplayedFire[]> => {
      const done: ReplayedFire[] = [];
      for (const [orderId, order] of names) {
        for (const { intentId, units, end } of await db.orders.fires(orderId, 100)) {
          const intent = end === null ? await db.intents.find(intentId) : null;
          if (intent === null || !('terms' in intent.params)) continue;
          const { terms } = intent.params;
          await db.transact((stores) =>
            settleOrder({ clock, ids: deps.ids }, stores, intent, { terms }, null),
          );
          done.push({ slot, order, units, minOut: terms?.minOut ?? 0n });
        }
      }
      if (done.length > 0) news.changed();
      return done;
    },
    ends: async (): Promise<Replayed['ends']> => {
      const found = await Promise.all([...names].map(([orderId]) => db.orders.find(orderId)));
      return found.flatMap((group) => {
        const [one] = group?.orders ?? [];
        if (one === undefined) return [];
        return [{ order: names.get(one.id) ?? '', status: one.status, why: one.progress.note?.code ?? null }];
      });
    },
    stop: () => watch.stop(),
  };
}

function firstOf(frames: readonly Frame[]): Frame {
  const [first] = frames;
  if (first === undefined) throw new PathError('the path is empty');
  return first;
}

function poolsOf({ pools, slot }: Frame): readonly Pool[] {
  return [...pools.values()].map(({ sol, token }, index) =>
    buildPool({ id: index + 1, sol, token, accounts: 6, slot: BigInt(slot) }),
  );
}

function viewOf(pools: readonly Pool[], slot: number) {
  const at = START + slot * SLOT_MS;
  return createPriceView({
    mint: TOKEN,
    pools,
    slot: BigInt(slot),
    at,
    how: 'followed',
    solUsd: null,
    feeBps: FEE,
  });
}

/** What the router finds in the pools of now. */
function marketOf(pools: () => readonly Pool[]): FireMarket {
  const quoted = ({ side }: Pick<Order, 'side'>, units: bigint): bigint =>
    viewOf(pools(), 0).quote(side, units)?.got ?? 0n;
  return {
    sellable: async () => ({ units: MAX_U64, elsewhere: 0n }),
    quote: async (order, _wallet: Address, units) => {
      const quotedOut = quoted(order, units);
      if (quotedOut <= 0n) throw new AppError('NO_ROUTE', { mintIn: WSOL_MINT, mintOut: order.mint });
      const slippageBps = bps(order.terms.slippageBps);
      const minOut = minimumOut(quotedOut, slippageBps);
      const terms = {
        amountIn: units,
        quotedOut,
        minOut,
        platformFeeLamports: 0n,
        priceImpactBps: 0,
        slippageBps,
        route: [],
      };
      return { terms, safety: { level: 'OK', warnings: [] } };
    },
    parts: async (order) => (units) => quoted(order, units),
    supply: async () => 0n,
    depth: async () => null,
  };
}
