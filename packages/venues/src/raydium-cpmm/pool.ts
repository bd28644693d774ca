import type { AccountView } from '../shared/account-view.ts';
import type { Exchange, ExchangePool, PoolAccounts, PoolFacts } from '../shared/exchange.ts';
import { exchangePool } from '../shared/exchange-pool.ts';
import { checkedView, poolMints, vaultBalances } from '../shared/pool-checks.ts';
import { isRefusal, type Refusal, refuse } from '../shared/refusal.ts';
import { cpmmSwap } from './instruction.ts';
import { CONFIG, CONFIG_AT, POOL, POOL_AT, STATUS_SWAP_OFF } from './layout.ts';
import { type CpmmSide, cpmmOut } from './quote.ts';

export const mintsOfRaydiumCpmmPool: Exchange['mints'] = (accounts) => {
  const view = checkedView(accounts.get(accounts.id), POOL, 'not-a-pool');
  return isRefusal(view) ? view : [view.address(POOL_AT.mintA), view.address(POOL_AT.mintB)];
};

export const raydiumCpmmDependencies: Exchange['dependencies'] = (_id, account) => {
  const view = checkedView(account, POOL, 'not-a-pool');
  if (isRefusal(view)) return [];
  return [view.address(POOL_AT.vaultA), view.address(POOL_AT.vaultB), view.address(POOL_AT.config)];
};

/** A CPMM pool at one slot. Refuses swaps switched off, pools not yet open, unknown creator-fee modes, empty sides. */
export function decodeRaydiumCpmmPool(accounts: PoolAccounts, facts: PoolFacts): ExchangePool | Refusal {
  const view = checkedView(accounts.get(accounts.id), POOL, 'not-a-pool');
  if (isRefusal(view)) return view;
  const config = checkedView(accounts.get(view.address(POOL_AT.config)), CONFIG);
  if (isRefusal(config)) return config;
  const mints = poolMints(facts, [view.address(POOL_AT.mintA), view.address(POOL_AT.mintB)]);
  if (isRefusal(mints)) return mints;

  const closed = closedReason(view, facts);
  if (closed !== null) return closed;
  const vaults = [view.address(POOL_AT.vaultA), view.address(POOL_AT.vaultB)] as const;
  const held = vaultBalances(accounts, vaults, mints);
  if (isRefusal(held)) return held;
  const reserves = reservesOf(view, held);
  if (isRefusal(reserves)) return reserves;
  const sides = sidesOf(view, config, reserves);
  if (isRefusal(sides)) return sides;

  return exchangePool({
    id: accounts.id,
    venue: 'raydium-cpmm',
    label: 'Raydium CPMM',
    slot: facts.slot,
    epoch: facts.epoch,
    mints,
    shape: { kind: 'constant-product', reserves },
    feePpb: [feePpb(sides[0]), feePpb(sides[1])],
    leaving: (direction, arriving) => cpmmOut(sides[direction], arriving),
    price: (direction) => ({
      numerator: sides[direction].reserveOut,
      denominator: sides[direction].reserveIn,
    }),
    instructions: (direction, order) => {
      const other = direction === 0 ? 1 : 0;
      return [
        cpmmSwap(
          {
            config: view.address(POOL_AT.config),
            pool: accounts.id,
            vaultIn: vaults[direction],
            vaultOut: vaults[other],
            mintIn: mints[direction],
            mintOut: mints[other],
            observation: view.address(POOL_AT.observation),
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
  if (facts.unixSeconds < openTime) return refuse('not-trading', `opens at ${openTime}`);
  const creatorFeeOn = view.u8(POOL_AT.creatorFeeOn);
  return creatorFeeOn > 2 ? refuse('unmodelled', `creator fee mode ${creatorFeeOn}, expected 0 to 2`) : null;
}

/** The vaults' balances less the fees that wait in them. */
function reservesOf(
  view: AccountView,
  [heldA, heldB]: readonly [bigint, bigint],
): readonly [bigint, bigint] | Refusal {
  const owedA =
    view.u64(POOL_AT.protocolFeesA) + view.u64(POOL_AT.fundFeesA) + view.u64(POOL_AT.creatorFeesA);
  const owedB =
    view.u64(POOL_AT.protocolFeesB) + view.u64(POOL_AT.fundFeesB) + view.u64(POOL_AT.creatorFeesB);
  const reserves = [heldA - owedA, heldB - owedB] as const;
  return reserves[0] <= 0n || reserves[1] <= 0n
    ? refuse('bad-state', `reserves ${reserves.join(' and ')}`)
    : reserves;
}

function sidesOf(
  view: AccountView,
  config: AccountView,
  reserves: readonly [bigint, bigint],
): readonly [CpmmSide, CpmmSide] | Refusal {
  const creatorFeeOn = view.u8(POOL_AT.creatorFeeOn);
  const tradeFeeRate = config.u64(CONFIG_AT.tradeFeeRate);
  const creatorFeeRate = view.u8(POOL_AT.enableCreatorFee) === 0 ? 0n : config.u64(CONFIG_AT.creatorFeeRate);
  if (tradeFeeRate + creatorFeeRate >= 1_000_000n)
    return refuse('bad-state', `fees ${tradeFeeRate} and ${creatorFeeRate}`);
  const side = (direction: 0 | 1): CpmmSide => ({
    reserveIn: reserves[direction],
    reserveOut: reserves[direction === 0 ? 1 : 0],
    tradeFeeRate,
    creatorFeeRate,
    // 0 = on the input token, 1 = always in the first mint, 2 = always in the second.
    creatorFeeOnInput: creatorFeeOn === 0 || creatorFeeOn - 1 === direction,
  });
  return [side(0), side(1)];
}

function feePpb({ tradeFeeRate, creatorFeeRate, creatorFeeOnInput }: CpmmSide) {
  const trade = Number(tradeFeeRate) * 1_000;
  const creator = Number(creatorFeeRate) * 1_000;
  return { in: trade + (creatorFeeOnInput ? creator : 0), out: creatorFeeOnInput ? 0 : creator };
}
