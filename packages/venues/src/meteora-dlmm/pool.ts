import type { Address } from '@tradepost/solana';
import type { AccountView } from '../shared/account-view.ts';
import type { Exchange, ExchangePool, PoolAccounts, PoolFacts } from '../shared/exchange.ts';
import { exchangePool, type Ratio } from '../shared/exchange-pool.ts';
import { checkedView, poolMints } from '../shared/pool-checks.ts';
import { isRefusal, type Refusal, refuse } from '../shared/refusal.ts';
import { fromQ64 } from '../shared/sqrt-price.ts';
import { binArrayAddress, nextArrays } from './bin-arrays.ts';
import { dlmmSwap } from './instruction.ts';
import {
  BIN_ARRAY,
  BIN_ARRAY_AT,
  BIN_AT,
  BIN_BYTES,
  BINS_PER_ARRAY,
  COLLECT_IN_Y,
  COLLECT_ON_INPUT,
  FUNCTION_LIMIT_ORDERS,
  FUNCTION_UNDETERMINED,
  PAIR,
  PAIR_AT,
  REWARD_MINTS_AT,
} from './layout.ts';
import {
  type Bin,
  type BinRun,
  type Direction,
  type DlmmFees,
  dlmmWalk,
  feeOnInput,
  feeRateAt,
  layersOf,
  priceOfBin,
  type Walk,
} from './quote.ts';

export const mintsOfDlmmPair: Exchange['mints'] = (accounts) => {
  const view = checkedView(accounts.get(accounts.id), PAIR, 'not-a-pool');
  return isRefusal(view) ? view : [view.address(PAIR_AT.mintX), view.address(PAIR_AT.mintY)];
};

/** The bin arrays with liquidity around the active bin. */
export const dlmmDependencies: Exchange['dependencies'] = (id, account) => {
  const view = checkedView(account, PAIR, 'not-a-pool');
  if (isRefusal(view)) return [];
  const indexes = new Set([...nextArrays(view, 0), ...nextArrays(view, 1)]);
  return [...indexes].map((index) => binArrayAddress(id, index));
};

/**
 * A DLMM pair at one slot, good as far as the bin arrays that were read. Refuses disabled and unopened pairs and unknown
 * modes.
 */
export function decodeMeteoraDlmmPool(accounts: PoolAccounts, facts: PoolFacts): ExchangePool | Refusal {
  const view = checkedView(accounts.get(accounts.id), PAIR, 'not-a-pool');
  if (isRefusal(view)) return view;
  const closed = closedReason(view, facts);
  if (closed !== null) return closed;
  const mints = poolMints(facts, [view.address(PAIR_AT.mintX), view.address(PAIR_AT.mintY)]);
  if (isRefusal(mints)) return mints;
  const fees = readFees(view, facts.unixSeconds);
  const down = readWalk(accounts, view, 0);
  if (isRefusal(down)) return down;
  const up = readWalk(accounts, view, 1);
  if (isRefusal(up)) return up;
  const walks = [down, up] as const;

  const firsts = [firstBin(down, 0), firstBin(up, 1)] as const;
  const fee = (direction: Direction) => {
    const first = firsts[direction];
    const rate = first === null ? 0 : Number(feeRateAt(fees, first.id));
    return feeOnInput(fees.collectFeeMode, direction) ? { in: rate, out: 0 } : { in: 0, out: rate };
  };

  return exchangePool({
    id: accounts.id,
    venue: 'meteora-dlmm',
    label: 'Meteora DLMM',
    slot: facts.slot,
    epoch: facts.epoch,
    mints,
    shape: shapeOf(walks, view.i32(PAIR_AT.activeId)),
    feePpb: [fee(0), fee(1)],
    leaving: (direction, arriving) => dlmmWalk(fees, walks[direction], direction, arriving).out,
    price: (direction) => priceFrom(firsts[direction], direction),
    instructions: (direction, order) => {
      const { runs } = walks[direction];
      const { entered } = dlmmWalk(fees, walks[direction], direction, order.amountIn);
      // One array beyond the last that is entered, where known: the price may move before the swap lands.
      const binArrays = runs.slice(0, entered + 1).map((run) => binArrayAddress(accounts.id, run.index));
      return [
        dlmmSwap(
          {
            pair: accounts.id,
            reserveX: view.address(PAIR_AT.reserveX),
            reserveY: view.address(PAIR_AT.reserveY),
            mintX: mints[0],
            mintY: mints[1],
            oracle: view.address(PAIR_AT.oracle),
            binArrays,
          },
          order,
        ),
      ];
    },
  });
}

/** The price of the first bin in the way; of none, nothing is given. */
function priceFrom(first: ReturnType<typeof firstBin>, direction: Direction): Ratio {
  if (first === null) return { numerator: 0n, denominator: 1n };
  return direction === 0
    ? { numerator: first.price, denominator: 1n << 64n }
    : { numerator: 1n << 64n, denominator: first.price };
}

function closedReason(view: AccountView, facts: PoolFacts): Refusal | null {
  if (view.u8(PAIR_AT.status) !== 0) return refuse('not-trading', 'the pair is disabled');
  const activationType = view.u8(PAIR_AT.activationType);
  if (activationType > 1) return refuse('unmodelled', `activation type ${activationType}, expected 0 or 1`);
  const point = activationType === 0 ? facts.slot : facts.unixSeconds;
  const start = view.u64(PAIR_AT.activationPoint);
  if (point < start) return refuse('not-trading', `opens at ${start}, it is ${point}`);
  const type = view.u8(PAIR_AT.functionType);
  if (type > FUNCTION_LIMIT_ORDERS) return refuse('unmodelled', `function type ${type}, expected 0 to 2`);
  const mode = view.u8(PAIR_AT.collectFeeMode);
  if (mode !== COLLECT_ON_INPUT && mode !== COLLECT_IN_Y)
    return refuse('unmodelled', `fee collection mode ${mode}, expected 0 or 1`);
  return null;
}

/** Fees with the references as the program sets them at the start of a swap at `swapAt`. */
function readFees(view: AccountView, swapAt: bigint): DlmmFees {
  const elapsed = swapAt - view.i64(PAIR_AT.lastUpdateTimestamp);
  const renewed = elapsed >= BigInt(view.u16(PAIR_AT.filterPeriod));
  const decaying = elapsed < BigInt(view.u16(PAIR_AT.decayPeriod));
  const accumulator = BigInt(view.u32(PAIR_AT.volatilityAccumulator));
  const decayed = decaying ? (accumulator * BigInt(view.u16(PAIR_AT.reductionFactor))) / 10_000n : 0n;
  const binStep = BigInt(view.u16(PAIR_AT.binStep));
  const power = 10n ** BigInt(view.u8(PAIR_AT.baseFeePowerFactor));
  return {
    binStep,
    baseRate: BigInt(view.u16(PAIR_AT.baseFactor)) * binStep * 10n * power,
    variableFeeControl: BigInt(view.u32(PAIR_AT.variableFeeControl)),
    maxVolatility: BigInt(view.u32(PAIR_AT.maxVolatilityAccumulator)),
    volatilityReference: renewed ? decayed : BigInt(view.u32(PAIR_AT.volatilityReference)),
    indexReference: view.i32(renewed ? PAIR_AT.activeId : PAIR_AT.indexReference),
    collectFeeMode: view.u8(PAIR_AT.collectFeeMode),
  };
}

/** Runs of bins in walking order, up to the first array that is marked but was not read. */
function readWalk(accounts: PoolAccounts, pair: AccountView, direction: Direction): Walk | Refusal {
  const activeId = pair.i32(PAIR_AT.activeId);
  const runs: BinRun[] = [];
  for (const index of nextArrays(pair, direction)) {
    const account = accounts.get(binArrayAddress(accounts.id, index));
    // The price moved on since the pool was listed: liquidity beyond is simply not for sale here.
    if (account === null) break;
    const view = checkedView(account, BIN_ARRAY);
    if (isRefusal(view)) return view;
    const run = readRun(accounts.id, view, index, {
      binStep: pair.u16(PAIR_AT.binStep),
      orders: hasOrders(pair),
    });
    if (isRefusal(run)) return run;
    const reachable = run.filter((bin) => (direction === 0 ? bin.id <= activeId : bin.id >= activeId));
    runs.push({ index, bins: direction === 0 ? reachable.toReversed() : reachable });
  }
  return { runs };
}

/**
 * Whether bins may hold limit orders. In pairs made before there were any, the same bytes count something else; such pairs
 * pay rewards or are marked. Source of truth: MeteoraAg/dlmm-sdk commons extensions/lb_pair.rs `is_support_limit_order`.
 */
function hasOrders(pair: AccountView): boolean {
  const type = pair.u8(PAIR_AT.functionType);
  if (type !== FUNCTION_UNDETERMINED) return type === FUNCTION_LIMIT_ORDERS;
  return REWARD_MINTS_AT.every((at) => pair.bytes(at, 32).every((byte) => byte === 0));
}

/** Bins that hold anything, ascending. */
function readRun(
  id: Address,
  view: AccountView,
  index: number,
  pair: { readonly binStep: number; readonly orders: boolean },
): Bin[] | Refusal {
  if (view.i64(BIN_ARRAY_AT.index) !== BigInt(index) || view.address(BIN_ARRAY_AT.pair) !== id)
    return refuse('bad-state', `bin array ${index} belongs elsewhere`);
  const bins: Bin[] = [];
  for (let offset = 0; offset < BINS_PER_ARRAY; offset++) {
    const at = BIN_ARRAY_AT.bins + offset * BIN_BYTES;
    const orders = pair.orders
      ? [view.u64(at + BIN_AT.processedOrders), view.u64(at + BIN_AT.openOrders)]
      : [];
    const asks = view.u8(at + BIN_AT.ordersAskSide) !== 0;
    const layers = (makers: bigint, mine: boolean) =>
      [makers, ...(mine ? orders : [])].filter((amount) => amount > 0n);
    const layersX = layers(view.u64(at + BIN_AT.amountX), asks);
    const layersY = layers(view.u64(at + BIN_AT.amountY), !asks);
    if (layersX.length + layersY.length === 0) continue;
    const binId = index * BINS_PER_ARRAY + offset;
    const stored = view.u128(at + BIN_AT.price);
    const price = stored === 0n ? priceOfBin(binId, pair.binStep) : stored;
    if (price === 0n) return refuse('bad-state', `bin ${binId} has no price`);
    bins.push({ id: binId, price, layersX, layersY });
  }
  return bins;
}

function firstBin(walk: Walk, direction: Direction): Bin | null {
  for (const run of walk.runs) {
    const found = run.bins.find((bin) => layersOf(bin, direction).length > 0);
    if (found !== undefined) return found;
  }
  return null;
}

const total = (layers: readonly bigint[]): bigint => layers.reduce((sum, amount) => sum + amount, 0n);

function shapeOf(walks: readonly [Walk, Walk], activeId: number): ExchangePool['shape'] {
  const byId = new Map(
    walks.flatMap((walk) => walk.runs.flatMap((run) => run.bins)).map((bin) => [bin.id, bin]),
  );
  const bins = [...byId.values()].sort((a, b) => a.id - b.id);
  const activeBin = bins.findLastIndex((bin) => bin.id <= activeId);
  return {
    kind: 'bins',
    bins: bins.map((bin) => ({
      price: fromQ64(bin.price),
      reserves: [total(bin.layersX), total(bin.layersY)],
    })),
    activeBin,
    activeIsExact: bins[activeBin]?.id === activeId,
  };
}
