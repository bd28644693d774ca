import { type Address, SYSTEM_PROGRAM } from '@tradepost/solana';
import type { AccountView } from '../shared/account-view.ts';
import type { Exchange, ExchangePool, PoolAccounts, PoolFacts } from '../shared/exchange.ts';
import { exchangePool } from '../shared/exchange-pool.ts';
import { mintSupply } from '../shared/mint-supply.ts';
import { checkedView, poolMints, vaultBalances } from '../shared/pool-checks.ts';
import { type PumpFees, pumpFeeConfigAddress, pumpFeesFor, readPumpFeeConfig } from '../shared/pump-fees.ts';
import { isRefusal, type Refusal, refuse } from '../shared/refusal.ts';
import { pumpSwapInstruction } from './instruction.ts';
import {
  canonicalCreator,
  DISABLE_BUY,
  DISABLE_SELL,
  GLOBAL_CONFIG,
  GLOBAL_CONFIG_AT,
  MAYHEM_SUPPLY,
  POOL,
  POOL_AT,
  PUMP_SWAP_GLOBAL_CONFIG,
  PUMP_SWAP_PROGRAM,
} from './layout.ts';
import { type PumpSwapState, pumpSwapBuy, pumpSwapSell } from './quote.ts';

export const mintsOfPumpSwapPool: Exchange['mints'] = (accounts) => {
  const view = checkedView(accounts.get(accounts.id), POOL, 'not-a-pool');
  return isRefusal(view) ? view : [view.address(POOL_AT.baseMint), view.address(POOL_AT.quoteMint)];
};

/** Vaults, configuration, fee schedules, and the base mint, whose supply sets the fee tier. */
export const pumpSwapDependencies: Exchange['dependencies'] = (_id, account) => {
  const view = checkedView(account, POOL, 'not-a-pool');
  if (isRefusal(view)) return [];
  return [
    view.address(POOL_AT.baseVault),
    view.address(POOL_AT.quoteVault),
    view.address(POOL_AT.baseMint),
    PUMP_SWAP_GLOBAL_CONFIG,
    pumpFeeConfigAddress(PUMP_SWAP_PROGRAM),
  ];
};

/** A PumpSwap pool at one slot. Refused while the program has either side switched off. */
export function decodePumpSwapPool(accounts: PoolAccounts, facts: PoolFacts): ExchangePool | Refusal {
  const view = checkedView(accounts.get(accounts.id), POOL, 'not-a-pool');
  if (isRefusal(view)) return view;
  const global = checkedView(accounts.get(PUMP_SWAP_GLOBAL_CONFIG), GLOBAL_CONFIG);
  if (isRefusal(global)) return global;
  if ((global.u8(GLOBAL_CONFIG_AT.disableFlags) & (DISABLE_BUY | DISABLE_SELL)) !== 0)
    return refuse('not-trading', 'swaps are switched off');
  const mints = poolMints(facts, [view.address(POOL_AT.baseMint), view.address(POOL_AT.quoteMint)]);
  if (isRefusal(mints)) return mints;
  const vaults = [view.address(POOL_AT.baseVault), view.address(POOL_AT.quoteVault)] as const;
  const held = vaultBalances(accounts, vaults, mints);
  if (isRefusal(held)) return held;
  const coinCreator = view.length >= POOL_AT.isMayhem ? view.address(POOL_AT.coinCreator) : SYSTEM_PROGRAM;
  const state = readState(accounts, view, global, { held, coinCreator });
  if (isRefusal(state)) return state;
  const { baseReserve, quoteReserve, fees } = state;
  const feeBps = Number(fees.lpBps + fees.protocolBps + fees.creatorBps);
  if (feeBps >= 10_000) return refuse('bad-state', 'fees of the whole amount');

  return exchangePool({
    id: accounts.id,
    venue: 'pump-swap',
    label: 'PumpSwap',
    slot: facts.slot,
    epoch: facts.epoch,
    mints,
    shape: shapeOf(state),
    feePpb: feePpbOf(feeBps),
    leaving: (direction, arriving) =>
      direction === 0 ? pumpSwapSell(state, arriving) : pumpSwapBuy(state, arriving),
    price: (direction) =>
      direction === 0
        ? { numerator: quoteReserve, denominator: baseReserve }
        : { numerator: baseReserve, denominator: quoteReserve },
    instructions: (direction, order) => [
      pumpSwapInstruction(
        {
          pool: accounts.id,
          base: mints[0],
          quote: mints[1],
          baseVault: vaults[0],
          quoteVault: vaults[1],
          coinCreator,
          protocolFeeRecipient: global.address(
            flag(view, POOL_AT.isMayhem)
              ? GLOBAL_CONFIG_AT.reservedFeeRecipient
              : GLOBAL_CONFIG_AT.protocolFeeRecipients,
          ),
          buybackFeeRecipient: global.address(GLOBAL_CONFIG_AT.buybackFeeRecipients),
          isCashback: flag(view, POOL_AT.isCashback),
        },
        direction,
        order,
      ),
    ],
  });
}

/** Reserves and rates; some pools count lamports that were never put in beside those in the vault. */
function readState(
  accounts: PoolAccounts,
  view: AccountView,
  global: AccountView,
  { held, coinCreator }: { readonly held: readonly [bigint, bigint]; readonly coinCreator: Address },
): PumpSwapState | Refusal {
  const [baseReserve, realQuote] = held;
  const virtual = view.length >= POOL_AT.creatorFeeBps ? view.i128(POOL_AT.virtualQuoteReserves) : 0n;
  const quoteReserve = realQuote + virtual;
  if (baseReserve === 0n || realQuote === 0n || quoteReserve <= 0n)
    return refuse('bad-state', `reserves ${baseReserve} and ${quoteReserve}`);
  const fees = readFees(accounts, view, global, { baseReserve, quoteReserve, coinCreator });
  return isRefusal(fees) ? fees : { baseReserve, realQuote, quoteReserve, fees };
}

/** Of a sale, then of a purchase: there the fees are on top of the amount that reaches the curve. */
function feePpbOf(feeBps: number): Parameters<typeof exchangePool>[0]['feePpb'] {
  return [
    { in: 0, out: feeBps * 100_000 },
    { in: Math.floor((feeBps * 1_000_000_000) / (10_000 + feeBps)), out: 0 },
  ];
}

function shapeOf({ baseReserve, realQuote, quoteReserve }: PumpSwapState): ExchangePool['shape'] {
  const reserves = [baseReserve, quoteReserve] as const;
  return realQuote === quoteReserve
    ? { kind: 'constant-product', reserves }
    : { kind: 'launch-curve', virtualReserves: reserves, realReserves: [baseReserve, realQuote] };
}

/** The pool's rates: by tier where the pool came out of a pump.fun curve, flat otherwise. */
function readFees(
  accounts: PoolAccounts,
  view: AccountView,
  global: AccountView,
  pool: { readonly baseReserve: bigint; readonly quoteReserve: bigint; readonly coinCreator: Address },
): PumpFees | Refusal {
  const config = readPumpFeeConfig(accounts.get(pumpFeeConfigAddress(PUMP_SWAP_PROGRAM)));
  if (isRefusal(config)) return config;
  const baseMint = view.address(POOL_AT.baseMint);
  const supply = flag(view, POOL_AT.isMayhem) ? MAYHEM_SUPPLY : mintSupply(accounts, baseMint);
  if (isRefusal(supply)) return supply;
  const marketCap = (pool.quoteReserve * supply) / pool.baseReserve;
  const canonical = view.address(POOL_AT.creator) === canonicalCreator(baseMint);
  const fees = canonical ? pumpFeesFor(config, view.address(POOL_AT.quoteMint), marketCap) : config.flat;
  if (pool.coinCreator === SYSTEM_PROGRAM) return { ...fees, creatorBps: 0n };
  const own = view.length >= POOL_AT.creatorFeeBps + 8 ? view.u64(POOL_AT.creatorFeeBps) : 0n;
  return flag(global, GLOBAL_CONFIG_AT.creatorFeeConfigurable) && own > 0n
    ? { ...fees, creatorBps: own }
    : fees;
}

function flag(view: AccountView, at: number): boolean {
  return view.length > at && view.u8(at) !== 0;
}
