import { minBigint } from '@tradepost/solana';
import type { AccountView } from '../shared/account-view.ts';
import type { Exchange, ExchangePool, PoolAccounts, PoolFacts } from '../shared/exchange.ts';
import { exchangePool } from '../shared/exchange-pool.ts';
import { scheduledFee, volatilityFee } from '../shared/fee-schedule.ts';
import { checkedView, poolMints } from '../shared/pool-checks.ts';
import { isRefusal, type Refusal, refuse } from '../shared/refusal.ts';
import { fromQ64 } from '../shared/sqrt-price.ts';
import { dbcSwap } from './instruction.ts';
import {
  ACTIVATION_SLOT,
  ACTIVATION_TIMESTAMP,
  COLLECT_IN_QUOTE,
  COLLECT_ON_OUTPUT,
  CONFIG,
  CONFIG_AT,
  CURVE_POINT_BYTES,
  CURVE_POINTS,
  MAX_FEE_NUMERATOR,
  POOL,
  POOL_AT,
} from './layout.ts';
import { type CurvePoint, type DbcState, dbcOut, feeOnInput } from './quote.ts';

/** Only the configuration holds the quote mint. */
export const mintsOfDbcPool: Exchange['mints'] = (accounts) => {
  const view = checkedView(accounts.get(accounts.id), POOL, 'not-a-pool');
  if (isRefusal(view)) return view;
  const config = checkedView(accounts.get(view.address(POOL_AT.config)), CONFIG);
  if (isRefusal(config)) return config;
  return [view.address(POOL_AT.baseMint), config.address(CONFIG_AT.quoteMint)];
};

export const configOfDbcPool: NonNullable<Exchange['mintDependencies']> = (account) => {
  const view = checkedView(account, POOL, 'not-a-pool');
  return isRefusal(view) ? [] : [view.address(POOL_AT.config)];
};

/** A launch curve at one slot. Refused once complete or migrated: from then on the token trades in its DAMM pool. */
export function decodeMeteoraDbcPool(accounts: PoolAccounts, facts: PoolFacts): ExchangePool | Refusal {
  const view = checkedView(accounts.get(accounts.id), POOL, 'not-a-pool');
  if (isRefusal(view)) return view;
  const configId = view.address(POOL_AT.config);
  const config = checkedView(accounts.get(configId), CONFIG);
  if (isRefusal(config)) return config;
  const state = readState(view, config, facts);
  if (isRefusal(state)) return state;
  const mints = poolMints(facts, [view.address(POOL_AT.baseMint), config.address(CONFIG_AT.quoteMint)]);
  if (isRefusal(mints)) return mints;

  const rate = Number(state.feeNumerator);
  const fee = (direction: 0 | 1) =>
    feeOnInput(state.collectFeeMode, direction) ? { in: rate, out: 0 } : { in: 0, out: rate };
  const square = state.sqrtPrice * state.sqrtPrice;

  return exchangePool({
    id: accounts.id,
    venue: 'meteora-dbc',
    label: 'Meteora launch curve',
    slot: facts.slot,
    epoch: facts.epoch,
    mints,
    shape: shapeOf(state),
    feePpb: [fee(0), fee(1)],
    leaving: (direction, arriving) => dbcOut(state, direction, arriving),
    price: (direction) =>
      direction === 0
        ? { numerator: square, denominator: 1n << 128n }
        : { numerator: 1n << 128n, denominator: square },
    instructions: (_direction, order) => [
      dbcSwap(
        {
          config: configId,
          pool: accounts.id,
          baseVault: view.address(POOL_AT.baseVault),
          quoteVault: view.address(POOL_AT.quoteVault),
          base: mints[0],
          quote: mints[1],
        },
        order,
      ),
    ],
  });
}

function readState(view: AccountView, config: AccountView, facts: PoolFacts): DbcState | Refusal {
  if (view.u8(POOL_AT.isMigrated) !== 0) return refuse('not-trading', 'the curve has migrated');
  if (view.u64(POOL_AT.finishCurveTimestamp) !== 0n) return refuse('not-trading', 'the curve is complete');
  const threshold = config.u64(CONFIG_AT.migrationQuoteThreshold);
  if (view.u64(POOL_AT.quoteReserve) >= threshold) return refuse('not-trading', 'the curve is complete');
  const activationType = config.u8(CONFIG_AT.activationType);
  if (activationType !== ACTIVATION_SLOT && activationType !== ACTIVATION_TIMESTAMP)
    return refuse('unmodelled', `activation type ${activationType}, expected 0 or 1`);
  const point = activationType === ACTIVATION_SLOT ? facts.slot : facts.unixSeconds;
  const start = view.u64(POOL_AT.activationPoint);
  if (point < start) return refuse('not-trading', `opens at ${start}, it is ${point}`);
  const collectFeeMode = config.u8(CONFIG_AT.collectFeeMode);
  if (collectFeeMode !== COLLECT_IN_QUOTE && collectFeeMode !== COLLECT_ON_OUTPUT)
    return refuse('unmodelled', `fee collection mode ${collectFeeMode}, expected 0 or 1`);
  const feeNumerator = readFee(view, config, point, start);
  if (isRefusal(feeNumerator)) return feeNumerator;

  const state = {
    sqrtPrice: view.u128(POOL_AT.sqrtPrice),
    sqrtStartPrice: config.u128(CONFIG_AT.sqrtStartPrice),
    sqrtEndPrice: config.u128(CONFIG_AT.migrationSqrtPrice),
    curve: readCurve(config),
    feeNumerator,
    collectFeeMode,
  };
  if (state.curve.length === 0) return refuse('bad-state', 'the curve has no points');
  if (
    state.sqrtStartPrice === 0n ||
    state.sqrtPrice < state.sqrtStartPrice ||
    state.sqrtPrice > state.sqrtEndPrice
  )
    return refuse('bad-state', 'the price is off the curve');
  return state;
}

/** Time schedulers (a fixed fee is one that never changes) and volatility. The rate limiter is not modelled. */
function readFee(view: AccountView, config: AccountView, point: bigint, start: bigint): bigint | Refusal {
  const mode = config.u8(CONFIG_AT.baseFeeMode);
  if (mode > 1) return refuse('unmodelled', `base fee mode ${mode}, expected 0 or 1`);
  const scheduled = scheduledFee(
    {
      kind: mode === 0 ? 'linear' : 'exponential',
      cliffNumerator: config.u64(CONFIG_AT.cliffFeeNumerator),
      periods: BigInt(config.u16(CONFIG_AT.feePeriods)),
      periodLength: config.u64(CONFIG_AT.feePeriodLength),
      reduction: config.u64(CONFIG_AT.feeReduction),
    },
    point,
    start,
  );
  if (scheduled < 0n) return refuse('bad-state', `base fee ${scheduled}`);
  if (config.u8(CONFIG_AT.dynamicFee) === 0) return minBigint(scheduled, MAX_FEE_NUMERATOR);
  const volatile = volatilityFee(
    view.u128(POOL_AT.volatilityAccumulator),
    BigInt(config.u16(CONFIG_AT.binStep)),
    BigInt(config.u32(CONFIG_AT.variableFeeControl)),
  );
  return minBigint(scheduled + volatile, MAX_FEE_NUMERATOR);
}

/** Points up to the first empty one; the rest of the table is padding. */
export function readCurve(config: AccountView): readonly CurvePoint[] {
  const points: CurvePoint[] = [];
  for (let index = 0; index < CURVE_POINTS; index++) {
    const at = CONFIG_AT.curve + index * CURVE_POINT_BYTES;
    const point = { sqrtPrice: config.u128(at), liquidity: config.u128(at + 16) };
    if (point.sqrtPrice === 0n || point.liquidity === 0n) break;
    points.push(point);
  }
  return points;
}

function shapeOf(state: DbcState): ExchangePool['shape'] {
  const ticks: { sqrtPrice: number; liquidityNet: bigint }[] = [];
  let lower = state.sqrtStartPrice;
  let before = 0n;
  let active = 0n;
  for (const { sqrtPrice, liquidity } of state.curve) {
    if (lower >= state.sqrtEndPrice) break;
    const scaled = liquidity >> 64n;
    ticks.push({ sqrtPrice: fromQ64(lower), liquidityNet: scaled - before });
    const upper = minBigint(sqrtPrice, state.sqrtEndPrice);
    if (state.sqrtPrice >= lower && state.sqrtPrice <= upper && active === 0n) active = scaled;
    before = scaled;
    lower = upper;
  }
  ticks.push({ sqrtPrice: fromQ64(lower), liquidityNet: -before });
  return { kind: 'concentrated', sqrtPrice: fromQ64(state.sqrtPrice), liquidity: active, ticks };
}
