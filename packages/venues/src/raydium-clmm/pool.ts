import type { AccountView } from '../shared/account-view.ts';
import type { Ranges } from '../shared/concentrated.ts';
import { concentratedParts } from '../shared/concentrated-pool.ts';
import type { Exchange, ExchangePool, PoolAccounts, PoolFacts } from '../shared/exchange.ts';
import { exchangePool } from '../shared/exchange-pool.ts';
import { checkedView, poolMints } from '../shared/pool-checks.ts';
import { isRefusal, type Refusal, refuse } from '../shared/refusal.ts';
import { clmmSwap } from './instruction.ts';
import {
  CONFIG,
  CONFIG_AT,
  DYNAMIC_FEE_BYTES,
  FEE_ON_INPUT,
  POOL,
  POOL_AT,
  STATUS_SWAP_OFF,
} from './layout.ts';
import {
  bitmapExtensionAddress,
  nextArrays,
  readTickArray,
  type Tick,
  tickArrayAddress,
} from './tick-arrays.ts';
import { sqrtPriceOfTick } from './tick-price.ts';

export const mintsOfClmmPool: Exchange['mints'] = (accounts) => {
  const view = checkedView(accounts.get(accounts.id), POOL, 'not-a-pool');
  return isRefusal(view) ? view : [view.address(POOL_AT.mintA), view.address(POOL_AT.mintB)];
};

/** The configuration, the bitmap extension, and the arrays with ticks around the price. */
export const clmmDependencies: Exchange['dependencies'] = (id, account) => {
  const view = checkedView(account, POOL, 'not-a-pool');
  if (isRefusal(view)) return [];
  const starts = new Set([...nextArrays(view, 0), ...nextArrays(view, 1)]);
  const arrays = [...starts].map((start) => tickArrayAddress(id, start));
  return [view.address(POOL_AT.config), bitmapExtensionAddress(id), ...arrays];
};

/**
 * A CLMM pool at one slot, good as far as its tick arrays were read. Refuses fees on the output, fees that follow
 * volatility, and limit orders: none of them has been compared with the program.
 */
export function decodeRaydiumClmmPool(accounts: PoolAccounts, facts: PoolFacts): ExchangePool | Refusal {
  const view = checkedView(accounts.get(accounts.id), POOL, 'not-a-pool');
  if (isRefusal(view)) return view;
  const closed = closedReason(view, facts);
  if (closed !== null) return closed;
  const config = checkedView(accounts.get(view.address(POOL_AT.config)), CONFIG);
  if (isRefusal(config)) return config;
  const mints = poolMints(facts, [view.address(POOL_AT.mintA), view.address(POOL_AT.mintB)]);
  if (isRefusal(mints)) return mints;
  const feeRate = config.u32(CONFIG_AT.tradeFeeRate);
  if (feeRate >= 1_000_000) return refuse('bad-state', `a fee of ${feeRate} parts of a million`);
  const down = readSide(accounts, view, feeRate, 0);
  if (isRefusal(down)) return down;
  const up = readSide(accounts, view, feeRate, 1);
  if (isRefusal(up)) return up;
  const sides = [down, up] as const;

  const fee = { in: feeRate * 1_000, out: 0 };
  const vaults = [view.address(POOL_AT.vaultA), view.address(POOL_AT.vaultB)] as const;
  const extension = bitmapExtensionAddress(accounts.id);
  const extensions = accounts.get(extension) === null ? [] : [extension];

  return exchangePool({
    id: accounts.id,
    venue: 'raydium-clmm',
    label: 'Raydium CLMM',
    slot: facts.slot,
    epoch: facts.epoch,
    mints,
    ...concentratedParts({
      sqrtPrice: view.u128(POOL_AT.sqrtPrice),
      liquidity: view.u128(POOL_AT.liquidity),
      sides,
    }),
    feePpb: [fee, fee],
    instructions: (direction, order) => {
      const other = direction === 0 ? 1 : 0;
      const arrays = sides[direction].starts.map((start) => tickArrayAddress(accounts.id, start));
      return [
        clmmSwap(
          {
            config: view.address(POOL_AT.config),
            pool: accounts.id,
            vaultIn: vaults[direction],
            vaultOut: vaults[other],
            mintIn: mints[direction],
            mintOut: mints[other],
            observation: view.address(POOL_AT.observation),
            further: [...extensions, ...arrays],
          },
          order,
        ),
      ];
    },
  });
}

function closedReason(view: AccountView, facts: PoolFacts): Refusal | null {
  if ((view.u8(POOL_AT.status) & STATUS_SWAP_OFF) !== 0)
    return refuse('not-trading', 'swaps are switched off');
  const openTime = view.u64(POOL_AT.openTime);
  if (facts.unixSeconds <= openTime) return refuse('not-trading', `opens after ${openTime}`);
  const feeOn = view.u8(POOL_AT.feeOn);
  if (feeOn !== FEE_ON_INPUT) return refuse('unmodelled', `fee mode ${feeOn}, expected 0`);
  if (view.bytes(POOL_AT.dynamicFee, DYNAMIC_FEE_BYTES).some((byte) => byte !== 0))
    return refuse('unmodelled', 'the fee follows volatility');
  return null;
}

type Side = { readonly ranges: Ranges; readonly starts: readonly number[] };

/** Stops of one direction, from the marked arrays up to the first that was not read. */
function readSide(
  accounts: PoolAccounts,
  view: AccountView,
  feeRate: number,
  direction: 0 | 1,
): Side | Refusal {
  const current = view.i32(POOL_AT.tickCurrent);
  const ticks: Tick[] = [];
  const starts: number[] = [];
  for (const start of nextArrays(view, direction)) {
    const account = accounts.get(tickArrayAddress(accounts.id, start));
    if (account === null) break;
    const found = readTickArray(accounts.id, account, start);
    if (isRefusal(found)) return found;
    const ahead = found.filter((tick) => (direction === 0 ? tick.index <= current : tick.index > current));
    ticks.push(...(direction === 0 ? ahead.toReversed() : ahead));
    starts.push(start);
  }
  return {
    starts,
    ranges: {
      sqrtPrice: view.u128(POOL_AT.sqrtPrice),
      liquidity: view.u128(POOL_AT.liquidity),
      stops: ticks.map((tick) => ({
        sqrtPrice: sqrtPriceOfTick(tick.index),
        liquidityNet: tick.liquidityNet,
      })),
      feeRate: BigInt(feeRate),
    },
  };
}
