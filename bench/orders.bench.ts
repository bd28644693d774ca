/**
 * The book of open orders: 100,000 orders on 1,000 tokens of three pools each. How long an update of one token's pools takes, how
 * much of a core 1,250 updates a second are, what memory the orders hold, and how long it takes to put all of them in again, as
 * after a restart. Beside it, in the same run, the plain way: the router is asked for every order of the token.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Address, WSOL_MINT } from '@tradepost/solana';
import { bps } from '../src/core/amounts/bps.ts';
import { type Book, type BookOrder, createBook, type PriceView } from '../src/modules/orders/rules/book.ts';
import { createPriceView } from '../src/modules/orders/rules/price-view.ts';
import { type Rate, scaleRate } from '../src/modules/orders/rules/rate.ts';
import { sizeClass } from '../src/modules/orders/rules/size-class.ts';
import { isTrue, rateIn } from '../src/modules/orders/rules/trigger.ts';
import { addressOf } from '../test/engine/intents/build.ts';
import { buildPool } from '../test/modules/trading/build-pool.ts';
import { percentile } from './median.ts';
import type { Row } from './run.ts';

export const name = 'orders';

const TOKENS = 1_000;
const ORDERS_PER_TOKEN = 100;
const UPDATES = 25_000;
const PLAIN_UPDATES = 500;
const UPDATES_PER_SECOND = 1_250;
const SOL_USD = { micros: 150_000_000n, lamports: 1_000_000_000n, at: 0 };
const FEE = bps(100);
const SEED = 7;

/** Lamports and units in the larger of a token's pools; the smaller one has a third. */
type Market = { readonly mint: Address; sol: number; units: number; slot: number };
type Kept = { readonly market: Market; readonly book: Book; readonly orders: Map<string, BookOrder> };

export async function run(): Promise<readonly Row[]> {
  const random = randomFrom(SEED);
  const markets = Array.from({ length: TOKENS }, (_, index) => newMarket(index, random));
  const all = markets.map((market, index) =>
    Array.from({ length: ORDERS_PER_TOKEN }, (_, n) => newOrder(`${index}-${n}`, market, random)),
  );
  const before = heapBytes();
  const begun = performance.now();
  const kept = markets.map((market, index) => keep(market, all[index] ?? []));
  const reloadMs = performance.now() - begun;
  const heldBytes = heapBytes() - before;

  const { times, fired, cpuMs } = play(kept, random);
  const plain = playPlainly(kept, random);
  const [p50, p99] = [percentile(times, 50), percentile(times, 99)];
  const coreShare = (cpuMs / UPDATES) * UPDATES_PER_SECOND * 0.1;
  const count = TOKENS * ORDERS_PER_TOKEN;
  return [
    { metric: `update p50 (${count.toLocaleString('en')} orders)`, value: p50, unit: 'ms' },
    { metric: 'update p99', value: p99, unit: 'ms', baseline: 'every order quoted, p99', ratio: plain / p99 },
    { metric: `${UPDATES_PER_SECOND} updates/s, of one core`, value: coreShare, unit: '%' },
    { metric: 'memory of the book', value: heldBytes / 2 ** 20, unit: 'MiB' },
    { metric: 'all orders put in again', value: reloadMs, unit: 'ms' },
    {
      metric: 'conditions that held',
      value: fired,
      unit: '',
      note: `in ${UPDATES.toLocaleString('en')} updates`,
    },
  ];
}

function keep(market: Market, orders: readonly BookOrder[]): Kept {
  const book = createBook();
  for (const order of orders) book.add(order);
  return { market, book, orders: new Map(orders.map((order) => [order.id, order])) };
}

/** Prices walk, a few tokens most of all; what fires makes room for a new order, so that the number stays. */
function play(kept: readonly Kept[], random: () => number) {
  const times: number[] = [];
  let fired = 0;
  const cpu = process.cpuUsage();
  for (let n = 0; n < UPDATES; n++) {
    const one = kept[Math.floor(random() ** 2 * kept.length)];
    if (one === undefined) continue;
    walk(one.market, random);
    const start = performance.now();
    const ids = one.book.update(viewOf(one.market));
    for (const id of ids) one.book.remove(id);
    times.push(performance.now() - start);
    fired += ids.length;
    for (const id of ids) {
      one.orders.delete(id);
      const next = newOrder(`${id}+`, one.market, random);
      one.orders.set(next.id, next);
      one.book.add(next);
    }
  }
  const { user, system } = process.cpuUsage(cpu);
  return { times, fired, cpuMs: (user + system) / 1_000 };
}

/** Milliseconds of the slowest hundredth when each order of the token is quoted and compared. */
function playPlainly(kept: readonly Kept[], random: () => number): number {
  const times: number[] = [];
  let met = 0;
  for (let n = 0; n < PLAIN_UPDATES; n++) {
    const one = kept[Math.floor(random() ** 2 * kept.length)];
    if (one === undefined) continue;
    walk(one.market, random);
    const start = performance.now();
    const view = viewOf(one.market);
    for (const { side, amount, condition } of one.orders.values()) {
      const rate = view.quote(side, amount);
      if (rate !== null && condition.kind === 'price' && isTrue(condition.direction, condition.trigger, rate))
        met++;
    }
    times.push(performance.now() - start);
  }
  if (met < 0) throw new Error('unreachable');
  return percentile(times, 99);
}

function viewOf({ mint, sol, units, slot }: Market): PriceView {
  const at = slot * 400;
  const [reserveSol, reserveUnits] = [BigInt(Math.floor(sol)), BigInt(Math.floor(units))];
  const mints = [mint, WSOL_MINT] as const;
  return createPriceView({
    mint,
    pools: [
      buildPool({ id: 1, mints, sol: reserveSol, token: reserveUnits, feeBps: 25n, accounts: 6 }),
      buildPool({ id: 2, mints, sol: reserveSol / 3n, token: reserveUnits / 3n, feeBps: 30n, accounts: 6 }),
      buildPool({ id: 3, mints, sol: reserveSol / 9n, token: reserveUnits / 9n, feeBps: 100n, accounts: 6 }),
    ],
    slot: BigInt(slot),
    at,
    how: 'followed',
    solUsd: { ...SOL_USD, at },
    feeBps: FEE,
  });
}

function newMarket(index: number, random: () => number): Market {
  const sol = (50 + 950 * random()) * 1e9;
  return { mint: addressOf(1_000 + index), sol, units: sol * (1 + 999 * random()), slot: 1 };
}

/** A trade of up to 0.6 % of the pool, to one side or the other. */
function walk(market: Market, random: () => number): void {
  const by = 1 + (random() - 0.5) * 0.006;
  market.sol *= by;
  market.units /= by;
  market.slot += 1 + Math.floor(random() * 3);
}

function newOrder(id: string, market: Market, random: () => number): BookOrder {
  const { sol, units } = market;
  const kind = random();
  const side = kind < 0.4 ? 'buy' : 'sell';
  const lamports = 5e7 * 400 ** random();
  const price = sol / units;
  const away = 0.02 + 0.5 * random();
  const common = {
    id,
    side,
    unit: random() < 0.1 ? 'USD' : 'SOL',
    amount: BigInt(Math.max(1, Math.floor(side === 'buy' ? lamports : lamports / price))),
  } as const;
  if (kind > 0.8) {
    // Followed for a while: the price stands up to half of its distance below the high.
    const now = viewOf(market).edge(side, sizeClass(common.amount));
    const inUnit = now === null ? null : rateIn(common.unit, side, now, SOL_USD, 0);
    const by = BigInt(10_000 + Math.floor(750 * random()));
    const high = inUnit === null ? null : scaleRate(inUnit, by, 10_000n);
    return { ...common, holdMs: 2_400, condition: { kind: 'trail', trailingBps: 1_500, high } };
  }
  const isStop = side === 'sell' && random() < 0.5;
  const at = price * (side === 'buy' || isStop ? 1 - away : 1 + away);
  const trigger = rateOf(side, common.unit === 'USD' ? at * 0.15 : at);
  const direction = isStop ? 'FALL' : 'RISE';
  return { ...common, holdMs: isStop ? 2_400 : 0, condition: { kind: 'price', direction, trigger } };
}

/** What is got per what is given, from a price of one unit. */
function rateOf(side: 'buy' | 'sell', price: number): Rate {
  const scaled = { got: BigInt(Math.floor(price * 1e15)), given: 10n ** 15n };
  return side === 'sell' ? scaled : { got: scaled.given, given: scaled.got };
}

/** Always the same numbers, so that two runs do the same work. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}
