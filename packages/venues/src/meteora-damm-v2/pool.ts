import type { AccountView } from '../shared/account-view.ts';
import type { Exchange, ExchangePool, PoolAccounts, PoolFacts } from '../shared/exchange.ts';
import { exchangePool } from '../shared/exchange-pool.ts';
import { type FeeSchedule, scheduledFee, volatilityFee } from '../shared/fee-schedule.ts';
import { checkedView, poolMints } from '../shared/pool-checks.ts';
import { isRefusal, type Refusal, refuse } from '../shared/refusal.ts';
import { fromQ64 } from '../shared/sqrt-price.ts';
import { dammSwap } from './instruction.ts';
import {
  ACTIVATION_SLOT,
  ACTIVATION_TIMESTAMP,
  COLLECT_IN_B,
  COLLECT_ON_OUTPUT,
  POOL,
  POOL_AT,
} from './layout.ts';
import { cappedFee, type DammState, dammOut, feeOnInput } from './quote.ts';

export const mintsOfDammV2Pool: Exchange['mints'] = (accounts) => {
  const view = checkedView(accounts.get(accounts.id), POOL, 'not-a-pool');
  return isRefusal(view) ? view : [view.address(POOL_AT.mintA), view.address(POOL_AT.mintB)];
};

/** A DAMM v2 pool at one slot. The pool account alone says all: liquidity and price, not vault balances, set the terms. */
export function decodeMeteoraDammV2Pool(accounts: PoolAccounts, facts: PoolFacts): ExchangePool | Refusal {
  const view = checkedView(accounts.get(accounts.id), POOL, 'not-a-pool');
  if (isRefusal(view)) return view;
  const state = readState(view, facts);
  if (isRefusal(state)) return state;
  const mints = poolMints(facts, [view.address(POOL_AT.mintA), view.address(POOL_AT.mintB)]);
  if (isRefusal(mints)) return mints;

  const fee = (direction: 0 | 1) => {
    const rate = Number(state.feeNumerator);
    return feeOnInput(state.collectFeeMode, direction) ? { in: rate, out: 0 } : { in: 0, out: rate };
  };
  const square = state.sqrtPrice * state.sqrtPrice;
  const liquidity = state.liquidity >> 64n;

  return exchangePool({
    id: accounts.id,
    venue: 'meteora-damm-v2',
    label: 'Meteora DAMM v2',
    slot: facts.slot,
    epoch: facts.epoch,
    mints,
    shape: {
      kind: 'concentrated',
      sqrtPrice: fromQ64(state.sqrtPrice),
      liquidity,
      ticks: [
        { sqrtPrice: fromQ64(state.sqrtMinPrice), liquidityNet: liquidity },
        { sqrtPrice: fromQ64(state.sqrtMaxPrice), liquidityNet: -liquidity },
      ],
    },
    feePpb: [fee(0), fee(1)],
    leaving: (direction, arriving) => dammOut(state, direction, arriving),
    price: (direction) =>
      direction === 0
        ? { numerator: square, denominator: 1n << 128n }
        : { numerator: 1n << 128n, denominator: square },
    instructions: (_direction, order) => [
      dammSwap(
        {
          pool: accounts.id,
          vaultA: view.address(POOL_AT.vaultA),
          vaultB: view.address(POOL_AT.vaultB),
          mintA: mints[0],
          mintB: mints[1],
        },
        order,
      ),
    ],
  });
}

function readState(view: AccountView, facts: PoolFacts): DammState | Refusal {
  if (view.u8(POOL_AT.status) !== 0) return refuse('not-trading', 'the pool is disabled');
  const activationType = view.u8(POOL_AT.activationType);
  if (activationType !== ACTIVATION_SLOT && activationType !== ACTIVATION_TIMESTAMP)
    return refuse('unmodelled', `activation type ${activationType}, expected 0 or 1`);
  const point = activationType === ACTIVATION_SLOT ? facts.slot : facts.unixSeconds;
  const start = view.u64(POOL_AT.activationPoint);
  if (point < start) return refuse('not-trading', `opens at ${start}, it is ${point}`);
  const collectFeeMode = view.u8(POOL_AT.collectFeeMode);
  if (collectFeeMode !== COLLECT_ON_OUTPUT && collectFeeMode !== COLLECT_IN_B)
    return refuse('unmodelled', `fee collection mode ${collectFeeMode}, expected 0 or 1`);
  const feeVersion = view.u8(POOL_AT.feeVersion);
  if (feeVersion !== 0 && feeVersion !== 1)
    return refuse('unmodelled', `fee version ${feeVersion}, expected 0 or 1`);
  const schedule = readSchedule(view);
  if (isRefusal(schedule)) return schedule;

  const volatility =
    view.u8(POOL_AT.dynamicFee) === 0
      ? 0n
      : volatilityFee(
          view.u128(POOL_AT.volatilityAccumulator),
          BigInt(view.u16(POOL_AT.binStep)),
          BigInt(view.u32(POOL_AT.variableFeeControl)),
        );
  const scheduled = scheduledFee(schedule, point, start);
  if (scheduled < 0n) return refuse('bad-state', `base fee ${scheduled}`);
  const state = {
    sqrtPrice: view.u128(POOL_AT.sqrtPrice),
    sqrtMinPrice: view.u128(POOL_AT.sqrtMinPrice),
    sqrtMaxPrice: view.u128(POOL_AT.sqrtMaxPrice),
    liquidity: view.u128(POOL_AT.liquidity),
    feeNumerator: cappedFee(scheduled, volatility, feeVersion),
    collectFeeMode,
  };
  if (state.liquidity === 0n) return refuse('bad-state', 'no liquidity');
  if (
    state.sqrtMinPrice === 0n ||
    state.sqrtPrice < state.sqrtMinPrice ||
    state.sqrtPrice > state.sqrtMaxPrice
  )
    return refuse('bad-state', 'the price is outside its range');
  return state;
}

/** Time schedulers (a fixed fee is one that never changes). The rate limiter and market-cap modes are not modelled. */
function readSchedule(view: AccountView): FeeSchedule | Refusal {
  const mode = view.u8(POOL_AT.baseFeeMode);
  if (mode > 1) return refuse('unmodelled', `base fee mode ${mode}, expected 0 or 1`);
  return {
    kind: mode === 0 ? 'linear' : 'exponential',
    cliffNumerator: view.u64(POOL_AT.cliffFeeNumerator),
    periods: BigInt(view.u16(POOL_AT.feePeriods)),
    periodLength: view.u64(POOL_AT.feePeriodLength),
    reduction: view.u64(POOL_AT.feeReduction),
  };
}
