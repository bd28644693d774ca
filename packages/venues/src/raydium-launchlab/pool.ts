import type { AccountView } from '../shared/account-view.ts';
import type { Exchange, ExchangePool, PoolAccounts, PoolFacts } from '../shared/exchange.ts';
import { exchangePool } from '../shared/exchange-pool.ts';
import { checkedView, poolMints } from '../shared/pool-checks.ts';
import { isRefusal, type Refusal, refuse } from '../shared/refusal.ts';
import { launchSwap } from './instruction.ts';
import {
  CONFIG,
  CONFIG_AT,
  CURVE_CONSTANT_PRODUCT,
  FEE_DENOMINATOR,
  PLATFORM,
  PLATFORM_AT,
  POOL,
  POOL_AT,
  STATUS_TRADING,
} from './layout.ts';
import { type LaunchState, launchBuy, launchSell } from './quote.ts';

export const mintsOfLaunchPool: Exchange['mints'] = (accounts) => {
  const view = checkedView(accounts.get(accounts.id), POOL, 'not-a-pool');
  return isRefusal(view) ? view : [view.address(POOL_AT.mintA), view.address(POOL_AT.mintB)];
};

export const launchDependencies: Exchange['dependencies'] = (_id, account) => {
  const view = checkedView(account, POOL, 'not-a-pool');
  return isRefusal(view) ? [] : [view.address(POOL_AT.config), view.address(POOL_AT.platform)];
};

/** A launch at one slot. Refused unless its coins are for sale on a constant-product curve. */
export function decodeRaydiumLaunchlabPool(accounts: PoolAccounts, facts: PoolFacts): ExchangePool | Refusal {
  const view = checkedView(accounts.get(accounts.id), POOL, 'not-a-pool');
  if (isRefusal(view)) return view;
  const config = checkedView(accounts.get(view.address(POOL_AT.config)), CONFIG);
  if (isRefusal(config)) return config;
  const platform = checkedView(accounts.get(view.address(POOL_AT.platform)), PLATFORM);
  if (isRefusal(platform)) return platform;
  const state = readState(view, config, platform);
  if (isRefusal(state)) return state;
  const mints = poolMints(facts, [view.address(POOL_AT.mintA), view.address(POOL_AT.mintB)]);
  if (isRefusal(mints)) return mints;
  const fee = Number(state.feeRate) * 1_000;

  return exchangePool({
    id: accounts.id,
    venue: 'raydium-launchlab',
    label: 'Raydium LaunchLab',
    slot: facts.slot,
    epoch: facts.epoch,
    mints,
    shape: {
      kind: 'launch-curve',
      virtualReserves: [state.reserveA, state.reserveB],
      realReserves: [state.leftA, state.raisedB],
    },
    feePpb: [
      { in: 0, out: fee },
      { in: fee, out: 0 },
    ],
    leaving: (direction, arriving) =>
      direction === 0 ? launchSell(state, arriving) : launchBuy(state, arriving),
    price: (direction) =>
      direction === 0
        ? { numerator: state.reserveB, denominator: state.reserveA }
        : { numerator: state.reserveA, denominator: state.reserveB },
    instructions: (direction, order) => [
      launchSwap(
        {
          pool: accounts.id,
          config: view.address(POOL_AT.config),
          platform: view.address(POOL_AT.platform),
          creator: view.address(POOL_AT.creator),
          vaultA: view.address(POOL_AT.vaultA),
          vaultB: view.address(POOL_AT.vaultB),
          mintA: mints[0],
          mintB: mints[1],
        },
        direction,
        order,
      ),
    ],
  });
}

function readState(view: AccountView, config: AccountView, platform: AccountView): LaunchState | Refusal {
  const status = view.u8(POOL_AT.status);
  if (status !== STATUS_TRADING) return refuse('not-trading', `status ${status}: the launch is over`);
  const curveType = config.u8(CONFIG_AT.curveType);
  if (curveType !== CURVE_CONSTANT_PRODUCT)
    return refuse('unmodelled', `curve type ${curveType}, expected 0`);
  const feeRate =
    config.u64(CONFIG_AT.tradeFeeRate) +
    platform.u64(PLATFORM_AT.feeRate) +
    platform.u64(PLATFORM_AT.creatorFeeRate);
  if (feeRate >= FEE_DENOMINATOR) return refuse('bad-state', `fees of ${feeRate} parts of a million`);
  const realA = view.u64(POOL_AT.realA);
  const realB = view.u64(POOL_AT.realB);
  const state = {
    reserveA: view.u64(POOL_AT.virtualA) - realA,
    reserveB: view.u64(POOL_AT.virtualB) + realB,
    leftA: view.u64(POOL_AT.totalSellA) - realA,
    raisedB: realB,
    feeRate,
  };
  if (state.reserveA <= 0n || state.reserveB <= 0n || state.leftA < 0n)
    return refuse('bad-state', `reserves ${state.reserveA} and ${state.reserveB}, ${state.leftA} left`);
  return state;
}
