import type { Address } from '@tradepost/solana';
import { isDevSale, isLiquidityFall } from '../../../src/modules/orders/rules/event-trigger.ts';
import { reduceOrders } from '../../../src/modules/orders/rules/machine.ts';
import {
  NO_PROGRESS,
  type Order,
  type OrderGroup,
  unitsToGive,
} from '../../../src/modules/orders/rules/order.ts';
import type { OrderEvent, OrderTransition } from '../../../src/modules/orders/rules/transition.ts';

/** The subject of the exploration: the product's own rules of exits by an event, unless a fault is planted in them. */
export type ExitEngine = {
  readonly isDevSale: typeof isDevSale;
  readonly isLiquidityFall: typeof isLiquidityFall;
  readonly reduce: (group: OrderGroup, event: OrderEvent) => OrderTransition;
  /** Whether a fire's commit judges the rows of now, under the lock, and not those that the worker remembers. */
  readonly locks: boolean;
  /** Whether a sale may be called dead while its bytes may still land. */
  readonly guessesDeath: boolean;
};

export const EXIT_ENGINE: ExitEngine = {
  isDevSale,
  isLiquidityFall,
  reduce: reduceOrders,
  locks: true,
  guessesDeath: false,
};

export type ExitBudget = { readonly crashes: number; readonly forks: number; readonly deaths: number };

/** A sale that an intent wants. `fate`: of its bytes. */
type Sale = {
  readonly intentId: string;
  readonly orderId: string;
  readonly units: bigint;
  readonly fate: 'none' | 'air' | 'landed' | 'expired';
  /** As its row has it. */
  readonly end: 'open' | 'settled' | 'voided';
};

type Worker =
  | { readonly at: 'idle' }
  /** Measured the event of an order, and remembers the rows as they were. */
  | { readonly at: 'saw'; readonly orderId: string; readonly group: OrderGroup }
  /** Read how the bytes of a sale ended, and has not committed it. */
  | { readonly at: 'ending'; readonly intentId: string; readonly to: 'settled' | 'voided' };

/** Rows, chain and the workers' memories at one moment. */
export type ExitWorld = {
  readonly group: OrderGroup;
  readonly sales: readonly Sale[];
  /** Units that the creator has sold, and whether no fork can take that back. */
  readonly dev: { readonly sold: bigint; readonly isFinal: boolean };
  readonly liquidity: bigint;
  /** What some block once showed. */
  readonly was: { readonly dev: boolean; readonly low: boolean };
  readonly workers: readonly Worker[];
  readonly left: ExitBudget;
};

export type ExitsExplored = {
  readonly states: number;
  /** Every state was seen. */
  readonly isWhole: boolean;
  /** Worlds at rest in which a sale landed, and in which none had to. */
  readonly rest: { readonly sold: number; readonly open: number };
  /** The shortest way to the first violation. */
  readonly violation: { readonly what: string; readonly path: readonly string[] } | null;
};

const UNITS = 100n;
const SUPPLY = 10_000n;
const LIQUIDITY = 1_000n;
/** What 1 % of the supply is, and less than that. */
const SALES = { small: 20n, all: 100n } as const;
const EVENTS = {
  dev: { supply: SUPPLY, held: 0n },
  low: { fallBps: 5_000, liquidity: LIQUIDITY, onCurve: false },
} as const;

/** Breadth first through every interleaving of the workers with the creator, the makers, forks, deaths of bytes and crashes. */
export function exploreExits(given: {
  readonly budget: ExitBudget;
  readonly workers?: number;
  readonly engine?: ExitEngine;
  readonly mostStates?: number;
}): ExitsExplored {
  const { engine = EXIT_ENGINE, mostStates = Number.POSITIVE_INFINITY } = given;
  const first = newWorld(given.budget, given.workers ?? 2);
  const seen = new Map<string, { readonly from: string | null; readonly label: string }>();
  const rest = { sold: 0, open: 0 };
  const key = keyOf(first);
  seen.set(key, { from: null, label: 'two exits are placed' });
  let frontier: { readonly key: string; readonly world: ExitWorld }[] = [{ key, world: first }];
  const found = (what: string, end: string, last: readonly string[] = []): ExitsExplored => {
    const path: string[] = [...last];
    for (let at: string | null = end; at !== null; at = seen.get(at)?.from ?? null)
      path.unshift(seen.get(at)?.label ?? '');
    return { states: seen.size, isWhole: false, rest, violation: { what, path } };
  };
  while (frontier.length > 0) {
    const next: typeof frontier = [];
    for (const { key: from, world } of frontier) {
      const steps = stepsOf(world, engine);
      const isAtRest = steps.every(({ byWeather }) => byWeather);
      if (isAtRest) {
        const forgotten = forgottenIn(world);
        if (forgotten !== null) return found(forgotten, from);
        rest[landed(world) > 0n ? 'sold' : 'open'] += 1;
      }
      for (const { label, world: after } of steps) {
        const id = keyOf(after);
        if (seen.has(id)) continue;
        seen.set(id, { from, label });
        const what = violationOf(after);
        if (what !== null) return found(what, id);
        next.push({ key: id, world: after });
      }
      if (seen.size >= mostStates) return { states: seen.size, isWhole: false, rest, violation: null };
    }
    frontier = next;
  }
  return { states: seen.size, isWhole: true, rest, violation: null };
}

/** Units in blocks. */
const landed = ({ sales }: Pick<ExitWorld, 'sales'>): bigint =>
  sales.reduce((sum, { fate, units }) => (fate === 'landed' ? sum + units : sum), 0n);

/** Judged from the blocks: what landed, and what may. */
function violationOf(world: ExitWorld): string | null {
  const { sales, was, group } = world;
  const inBlocks = sales.filter(({ fate }) => fate === 'landed');
  if (inBlocks.length > 1) return 'two sales of one position stand in blocks';
  const mayLand = sales.filter(({ fate, end }) => fate === 'air' || (fate === 'none' && end === 'open'));
  if (landed(world) + mayLand.reduce((sum, { units }) => sum + units, 0n) > UNITS)
    return 'more may land than was held';
  for (const { orderId } of sales)
    if (orderId === 'dev' ? !was.dev : !was.low) return `${orderId} fired without its event in any block`;
  if (group.sold > landed(world)) return 'the books have more than the blocks';
  return sales.every(({ end }) => end !== 'open') && group.sold !== landed(world)
    ? 'a sale in a block was not booked'
    : null;
}

/** No process has anything to do, and an event that is final sold nothing. */
function forgottenIn(world: ExitWorld): string | null {
  const isDue =
    isDevSale(EVENTS.dev, world.dev.sold) ||
    isLiquidityFall(EVENTS.low, { liquidity: world.liquidity, onCurve: false });
  return isDue && landed(world) === 0n ? 'an event stands and nothing was sold' : null;
}

type Step = { readonly label: string; readonly world: ExitWorld; readonly byWeather: boolean };

function stepsOf(world: ExitWorld, engine: ExitEngine): readonly Step[] {
  return [
    ...weatherOf(world),
    ...bytesOf(world),
    ...world.workers.flatMap((_, n) => workerOf(world, engine, n)),
  ];
}

/** The creator, the makers of the pool and forks: none of it has to happen. */
function weatherOf(world: ExitWorld): readonly Step[] {
  const { dev, left } = world;
  const steps: Step[] = [];
  const add = (label: string, change: Partial<ExitWorld>): void => {
    const after = { ...world, ...change };
    const was = {
      dev: world.was.dev || isDevSale(EVENTS.dev, after.dev.sold),
      low: world.was.low || isLiquidityFall(EVENTS.low, { liquidity: after.liquidity, onCurve: false }),
    };
    steps.push({ label, world: { ...after, was }, byWeather: true });
  };
  if (dev.sold === 0n) add('the creator sells a little', { dev: { sold: SALES.small, isFinal: true } });
  if (dev.sold < SALES.all) add('the creator sells 1 %', { dev: { sold: SALES.all, isFinal: false } });
  if (dev.sold === SALES.all && !dev.isFinal) {
    add('that sale is final', { dev: { ...dev, isFinal: true } });
    if (left.forks > 0)
      add('a fork takes the sale back', {
        dev: { sold: 0n, isFinal: true },
        left: { ...left, forks: left.forks - 1 },
      });
  }
  if (world.liquidity === LIQUIDITY) add('the makers take half out', { liquidity: LIQUIDITY / 2n });
  return steps;
}

/** Bytes in the air land, or die within the rest of the deaths. */
function bytesOf(world: ExitWorld): readonly Step[] {
  return world.sales.flatMap((sale): readonly Step[] => {
    if (sale.fate !== 'air') return [];
    const become = (fate: Sale['fate'], left = world.left): ExitWorld => ({
      ...world,
      left,
      sales: world.sales.map((one) => (one === sale ? { ...one, fate } : one)),
    });
    const { deaths } = world.left;
    const isHeld = landed(world) + sale.units <= UNITS;
    return [
      ...(isHeld
        ? [{ label: `the sale of ${sale.intentId} lands`, world: become('landed'), byWeather: false }]
        : []),
      ...(deaths > 0 || !isHeld
        ? [
            {
              label: `the sale of ${sale.intentId} expires`,
              world: become('expired', { ...world.left, deaths: Math.max(0, deaths - 1) }),
              byWeather: isHeld,
            },
          ]
        : []),
    ];
  });
}

function workerOf(world: ExitWorld, engine: ExitEngine, n: number): readonly Step[] {
  const worker = world.workers[n] ?? { at: 'idle' };
  const to = (next: Worker, change: Partial<ExitWorld> = {}): ExitWorld => ({
    ...world,
    ...change,
    workers: world.workers.map((one, index) => (index === n ? next : one)),
  });
  const idle: Worker = { at: 'idle' };
  if (worker.at === 'idle')
    return looksOf(world, engine, (label, next, change) => ({
      label: `worker ${n} ${label}`,
      world: to(next, change),
      byWeather: false,
    }));
  const crash: readonly Step[] =
    world.left.crashes === 0
      ? []
      : [
          {
            label: `worker ${n} is killed`,
            world: to(idle, { left: { ...world.left, crashes: world.left.crashes - 1 } }),
            byWeather: true,
          },
        ];
  const label =
    worker.at === 'saw' ? `commits the fire of ${worker.orderId}` : `commits the end of ${worker.intentId}`;
  const after = worker.at === 'saw' ? commitFire(world, engine, worker) : commitEnd(world, engine, worker);
  return [...crash, { label: `worker ${n} ${label}`, world: to(idle, after), byWeather: false }];
}

type Look = (label: string, next: Worker, change?: Partial<ExitWorld>) => Step;

/** What an idle worker may take up: an event that is there, bytes to send, and the end of bytes. */
function looksOf(world: ExitWorld, engine: ExitEngine, step: Look): readonly Step[] {
  const { group, sales } = world;
  const isThere = (id: string): boolean =>
    id === 'dev'
      ? engine.isDevSale(EVENTS.dev, world.dev.sold)
      : engine.isLiquidityFall(EVENTS.low, { liquidity: world.liquidity, onCurve: false });
  const fires = group.orders
    .filter(({ id, status }) => status === 'OPEN' && isThere(id))
    .map(({ id }) => step(`sees the event of ${id}`, { at: 'saw', orderId: id, group }));
  const sends = sales
    .filter(({ fate, end }) => fate === 'none' && end === 'open')
    .map((sale) =>
      step(
        `sends ${sale.intentId}`,
        { at: 'idle' },
        {
          sales: sales.map((one) => (one === sale ? { ...one, fate: 'air' as const } : one)),
        },
      ),
    );
  const ends = sales.flatMap(({ intentId, fate, end }) => {
    if (end !== 'open') return [];
    const took = (to: 'settled' | 'voided'): Step =>
      step(`reads that ${intentId} is ${to}`, { at: 'ending', intentId, to });
    if (fate === 'landed') return [took('settled')];
    return fate === 'expired' || (fate === 'air' && engine.guessesDeath) ? [took('voided')] : [];
  });
  return [...fires, ...sends, ...ends];
}

function commitFire(
  world: ExitWorld,
  engine: ExitEngine,
  { orderId, group: remembered }: Extract<Worker, { at: 'saw' }>,
): Partial<ExitWorld> {
  const group = engine.locks ? world.group : remembered;
  const order = group.orders.find(({ id }) => id === orderId);
  const asked = remembered.orders.find(({ id }) => id === orderId);
  // The commit expects the version that was judged.
  if (order === undefined || (engine.locks && order.version !== asked?.version)) return {};
  const held = UNITS - landed(world);
  const units = unitsToGive(group, order, held);
  const intentId = `intent ${world.sales.length + 1}`;
  const fired = engine.reduce(group, {
    kind: 'fired',
    orderId,
    intentId,
    units,
    slot: 1n,
    held,
    quoted: 1n,
    at: 0,
  });
  const isMade = fired.effects.some(({ kind }) => kind === 'create-intent');
  if (!isMade) return {};
  return {
    group: fired.group,
    sales: [...world.sales, { intentId, orderId, units, fate: 'none', end: 'open' }],
  };
}

function commitEnd(
  world: ExitWorld,
  engine: ExitEngine,
  { intentId, to }: Extract<Worker, { at: 'ending' }>,
): Partial<ExitWorld> {
  const sale = world.sales.find((one) => one.intentId === intentId);
  // Another worker was faster.
  if (sale?.end !== 'open') return {};
  const common = { intentId, at: 0, progress: NO_PROGRESS } as const;
  const { group } = engine.reduce(
    world.group,
    to === 'settled'
      ? { kind: 'settled', ...common, given: sale.units, got: 1n, isWhole: true }
      : { kind: 'voided', ...common, burntLamports: 0n, notBeforeSlot: null, pause: null, reason: null },
  );
  return { group, sales: world.sales.map((one) => (one === sale ? { ...one, end: to } : one)) };
}

function newWorld(left: ExitBudget, workers: number): ExitWorld {
  return {
    group: {
      id: 'group',
      userId: 'user',
      walletId: 'wallet',
      mint: MINT,
      placeKey: 'key',
      parentIntentId: null,
      createdAt: 0,
      kind: 'OCO',
      units: UNITS,
      sold: 0n,
      orders: [exit('dev', 'DEV_SELLS'), exit('low', 'LIQUIDITY_FALLS')],
      liveFires: [],
    },
    sales: [],
    dev: { sold: 0n, isFinal: true },
    liquidity: LIQUIDITY,
    was: { dev: false, low: false },
    workers: Array.from({ length: workers }, () => ({ at: 'idle' as const })),
    left,
  };
}

const MINT = 'So11111111111111111111111111111111111111112' as Address;

const exit = (id: string, type: Order['type']): Order => ({
  id,
  groupId: 'group',
  userId: 'user',
  number: 1,
  walletId: 'wallet',
  mint: MINT,
  side: 'sell',
  type,
  status: 'OPEN',
  reason: null,
  version: 1,
  amount: { kind: 'rest' },
  filled: 0n,
  received: 0n,
  unit: 'SOL',
  trigger: null,
  holdMs: 0,
  partial: false,
  fires: 0,
  burntLamports: 0n,
  certificate: null,
  notBeforeSlot: null,
  afterwards: null,
  terms: {
    request: '',
    toleranceBps: 0,
    slippageBps: 500,
    tier: 'normal',
    floor: null,
    trailing: null,
    schedule: null,
    sellsOnExpiry: false,
    accepted: [],
    supply: null,
    depthLamports: null,
  },
  progress: NO_PROGRESS,
  expiresAt: 1,
  createdAt: 0,
});

/** A world as text; rows without what never changes here. */
function keyOf(world: ExitWorld): string {
  const rows = (group: OrderGroup): unknown => [
    group.sold,
    group.liveFires,
    group.orders.map(({ id, status, version, fires, filled }) => [id, status, version, fires, filled]),
  ];
  return JSON.stringify(
    [
      rows(world.group),
      world.sales,
      world.dev,
      world.liquidity,
      world.was,
      world.workers.map((worker) => (worker.at === 'saw' ? [worker.orderId, rows(worker.group)] : worker)),
      world.left,
    ],
    (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
  );
}
