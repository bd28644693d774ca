import type { AccountView } from '../shared/account-view.ts';
import type { Ranges, Stop } from '../shared/concentrated.ts';
import { concentratedParts } from '../shared/concentrated-pool.ts';
import type { Exchange, ExchangePool, PoolAccounts, PoolFacts } from '../shared/exchange.ts';
import { exchangePool } from '../shared/exchange-pool.ts';
import { checkedView, poolMints } from '../shared/pool-checks.ts';
import { isRefusal, type Refusal, refuse } from '../shared/refusal.ts';
import { whirlpoolSwap } from './instruction.ts';
import { ORACLE, POOL, POOL_AT, TICKS_PER_ARRAY } from './layout.ts';
import { arrayStarts, oracleAddress, readTickArray, type Tick, tickArrayAddress } from './tick-arrays.ts';
import { MAX_TICK, MIN_TICK, sqrtPriceOfTick } from './tick-price.ts';

export const mintsOfWhirlpool: Exchange['mints'] = (accounts) => {
  const view = checkedView(accounts.get(accounts.id), POOL, 'not-a-pool');
  return isRefusal(view) ? view : [view.address(POOL_AT.mintA), view.address(POOL_AT.mintB)];
};

/** The oracle, and three tick arrays each way. */
export const whirlpoolDependencies: Exchange['dependencies'] = (id, account) => {
  const view = checkedView(account, POOL, 'not-a-pool');
  if (isRefusal(view)) return [];
  const starts = new Set([...startsOf(view, 0), ...startsOf(view, 1)]);
  return [oracleAddress(id), ...[...starts].map((start) => tickArrayAddress(id, start))];
};

/** A Whirlpool at one slot, good as far as its tick arrays were read. Refuses fees that adapt to volatility. */
export function decodeOrcaWhirlpool(accounts: PoolAccounts, facts: PoolFacts): ExchangePool | Refusal {
  const view = checkedView(accounts.get(accounts.id), POOL, 'not-a-pool');
  if (isRefusal(view)) return view;
  const oracle = oracleAddress(accounts.id);
  const adaptive = !isRefusal(checkedView(accounts.get(oracle), ORACLE));
  if (adaptive || view.u16(POOL_AT.feeTierIndex) !== view.u16(POOL_AT.tickSpacing))
    return refuse('unmodelled', 'the fee adapts to volatility');
  const mints = poolMints(facts, [view.address(POOL_AT.mintA), view.address(POOL_AT.mintB)]);
  if (isRefusal(mints)) return mints;
  const down = readSide(accounts, view, 0);
  if (isRefusal(down)) return down;
  const up = readSide(accounts, view, 1);
  if (isRefusal(up)) return up;
  const sides = [down, up] as const;

  const fee = { in: view.u16(POOL_AT.feeRate) * 1_000, out: 0 };

  return exchangePool({
    id: accounts.id,
    venue: 'orca-whirlpool',
    label: 'Orca Whirlpool',
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
      const addresses = sides[direction].starts.map((start) => tickArrayAddress(accounts.id, start));
      // The program wants three; the last one that exists fills the place of those that do not.
      const [first = oracle, second = first, third = second] = addresses;
      return [
        whirlpoolSwap(
          {
            pool: accounts.id,
            vaultA: view.address(POOL_AT.vaultA),
            vaultB: view.address(POOL_AT.vaultB),
            mintA: mints[0],
            mintB: mints[1],
            oracle,
            tickArrays: [first, second, third],
          },
          direction,
          order,
        ),
      ];
    },
  });
}

const startsOf = (view: AccountView, direction: 0 | 1): readonly number[] =>
  arrayStarts(view.i32(POOL_AT.tickCurrent), view.u16(POOL_AT.tickSpacing), direction);

type Side = { readonly ranges: Ranges; readonly starts: readonly number[] };

/** Stops of one direction, from the arrays that exist in a row; the edge of the last one is where knowledge ends. */
function readSide(accounts: PoolAccounts, view: AccountView, direction: 0 | 1): Side | Refusal {
  const spacing = view.u16(POOL_AT.tickSpacing);
  const current = view.i32(POOL_AT.tickCurrent);
  const ticks: Tick[] = [];
  const starts: number[] = [];
  for (const start of startsOf(view, direction)) {
    const account = accounts.get(tickArrayAddress(accounts.id, start));
    if (account === null) break;
    const found = readTickArray(accounts.id, account, start, spacing);
    if (isRefusal(found)) return found;
    const ahead = found.filter((tick) => (direction === 0 ? tick.index <= current : tick.index > current));
    ticks.push(...(direction === 0 ? ahead.toReversed() : ahead));
    starts.push(start);
  }
  const stops: Stop[] = ticks.map((tick) => ({
    sqrtPrice: sqrtPriceOfTick(tick.index),
    liquidityNet: tick.liquidityNet,
  }));
  const last = starts.at(-1);
  if (last !== undefined) {
    const edge = direction === 0 ? last : last + TICKS_PER_ARRAY * spacing - 1;
    const bounded = Math.max(MIN_TICK, Math.min(MAX_TICK, edge));
    if (ticks.at(-1)?.index !== bounded)
      stops.push({ sqrtPrice: sqrtPriceOfTick(bounded), liquidityNet: 0n });
  }
  return {
    starts,
    ranges: {
      sqrtPrice: view.u128(POOL_AT.sqrtPrice),
      liquidity: view.u128(POOL_AT.liquidity),
      stops,
      feeRate: BigInt(view.u16(POOL_AT.feeRate)),
    },
  };
}
