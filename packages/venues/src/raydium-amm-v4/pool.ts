import { type Address, TOKEN_PROGRAM } from '@tradepost/solana';
import type { MintFacts } from '../pool.ts';
import type { AccountView } from '../shared/account-view.ts';
import type { Exchange, ExchangePool, PoolAccounts, PoolFacts } from '../shared/exchange.ts';
import { exchangePool } from '../shared/exchange-pool.ts';
import { checkedView, poolMints, vaultBalances } from '../shared/pool-checks.ts';
import { isRefusal, type Refusal, refuse } from '../shared/refusal.ts';
import { type AmmV4SwapForm, ammV4Swap } from './instruction.ts';
import { POOL, POOL_AT, STATUS_SWAP_ONLY, STATUS_WAITING_TRADE } from './layout.ts';
import { marketOf } from './market.ts';
import { type AmmV4Side, ammV4Out } from './quote.ts';

export const mintsOfRaydiumAmmV4Pool: Exchange['mints'] = (accounts) => {
  const view = checkedView(accounts.get(accounts.id), POOL, 'not-a-pool');
  return isRefusal(view) ? view : [view.address(POOL_AT.coinMint), view.address(POOL_AT.pcMint)];
};

export const raydiumAmmV4Dependencies: Exchange['dependencies'] = (_id, account) => {
  const view = checkedView(account, POOL, 'not-a-pool');
  if (isRefusal(view)) return [];
  return [view.address(POOL_AT.coinVault), view.address(POOL_AT.pcVault), view.address(POOL_AT.market)];
};

/**
 * An AMM v4 pool at one slot. Only the states in which the vaults are the whole reserve are priced: in the others part of the funds is in
 * an order book.
 */
export function decodeRaydiumAmmV4Pool(
  form: AmmV4SwapForm,
  accounts: PoolAccounts,
  facts: PoolFacts,
): ExchangePool | Refusal {
  const state = readState(accounts, facts);
  if (isRefusal(state)) return state;
  const { view, mints, vaults, reserves, feeNumerator, feeDenominator } = state;
  const side = (direction: 0 | 1): AmmV4Side => ({
    reserveIn: reserves[direction],
    reserveOut: reserves[direction === 0 ? 1 : 0],
    feeNumerator,
    feeDenominator,
  });
  const sides = [side(0), side(1)] as const;
  const fee = { in: Number((feeNumerator * 1_000_000_000n) / feeDenominator), out: 0 };
  const market = marketOf(accounts, view.address(POOL_AT.market), view.address(POOL_AT.marketProgram));

  return exchangePool({
    id: accounts.id,
    venue: 'raydium-amm-v4',
    label: 'Raydium',
    slot: facts.slot,
    epoch: facts.epoch,
    mints,
    shape: { kind: 'constant-product', reserves },
    feePpb: [fee, fee],
    leaving: (direction, arriving) => ammV4Out(sides[direction], arriving),
    price: (direction) => ({
      numerator: sides[direction].reserveOut,
      denominator: sides[direction].reserveIn,
    }),
    instructions: (_direction, order) => [
      ammV4Swap(
        form,
        {
          pool: accounts.id,
          openOrders: view.address(POOL_AT.openOrders),
          coinVault: vaults[0],
          pcVault: vaults[1],
          market,
        },
        order,
      ),
    ],
  });
}

type AmmV4State = {
  readonly view: AccountView;
  readonly mints: readonly [MintFacts, MintFacts];
  readonly vaults: readonly [Address, Address];
  readonly reserves: readonly [bigint, bigint];
  readonly feeNumerator: bigint;
  readonly feeDenominator: bigint;
};

function readState(accounts: PoolAccounts, facts: PoolFacts): AmmV4State | Refusal {
  const view = checkedView(accounts.get(accounts.id), POOL, 'not-a-pool');
  if (isRefusal(view)) return view;
  const closed = closedReason(view, facts);
  if (closed !== null) return closed;
  const mints = poolMints(facts, [view.address(POOL_AT.coinMint), view.address(POOL_AT.pcMint)]);
  if (isRefusal(mints)) return mints;
  if (mints.some((mint) => mint.tokenProgram !== TOKEN_PROGRAM))
    return refuse('mint', 'the program moves tokens of the first token program only');
  const vaults = [view.address(POOL_AT.coinVault), view.address(POOL_AT.pcVault)] as const;
  const held = vaultBalances(accounts, vaults, mints);
  if (isRefusal(held)) return held;
  const reserves = [
    held[0] - view.u64(POOL_AT.needTakePnlCoin),
    held[1] - view.u64(POOL_AT.needTakePnlPc),
  ] as const;
  if (reserves[0] <= 0n || reserves[1] <= 0n)
    return refuse('bad-state', `reserves ${reserves.join(' and ')}`);
  const feeNumerator = view.u64(POOL_AT.swapFeeNumerator);
  const feeDenominator = view.u64(POOL_AT.swapFeeDenominator);
  if (feeNumerator >= feeDenominator) return refuse('bad-state', `fee ${feeNumerator}/${feeDenominator}`);
  return { view, mints, vaults, reserves, feeNumerator, feeDenominator };
}

function closedReason(view: AccountView, facts: PoolFacts): Refusal | null {
  const status = view.u64(POOL_AT.status);
  const openTime = view.u64(POOL_AT.openTime);
  if (status === STATUS_WAITING_TRADE && facts.unixSeconds < openTime)
    return refuse('not-trading', `opens at ${openTime}`);
  return status !== STATUS_SWAP_ONLY && status !== STATUS_WAITING_TRADE
    ? refuse('unmodelled', `status ${status}, expected ${STATUS_SWAP_ONLY} or ${STATUS_WAITING_TRADE}`)
    : null;
}
