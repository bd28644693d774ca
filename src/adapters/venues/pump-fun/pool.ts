import type { Address } from '../../../core/address/address.ts';
import { SYSTEM_PROGRAM, WSOL_MINT } from '../../../core/address/programs.ts';
import type { AccountView } from '../shared/exchange/account-view.ts';
import { associatedTokenAddress } from '../shared/exchange/associated-token.ts';
import type { Exchange, ExchangePool, PoolAccounts, PoolFacts } from '../shared/exchange/exchange.ts';
import { exchangePool } from '../shared/exchange/exchange-pool.ts';
import { mintSupply } from '../shared/exchange/mint-supply.ts';
import { checkedView, poolMints } from '../shared/exchange/pool-checks.ts';
import { pumpFeeConfigAddress, pumpFeesFor, readPumpFeeConfig } from '../shared/exchange/pump-fees.ts';
import { isRefusal, type Refusal, refuse } from '../shared/exchange/refusal.ts';
import { curveBuyInstruction, curveSellInstruction } from './instruction.ts';
import { CURVE, CURVE_AT, curveAddress, GLOBAL, GLOBAL_AT, PUMP_GLOBAL, PUMP_PROGRAM } from './layout.ts';
import { type CurveState, curveBuy, curveSell } from './quote.ts';
import { unwrapSol } from './unwrap.ts';

/** The curve does not name its coin: it stands at an address derived from it. */
export const mintsOfPumpCurve: Exchange['mints'] = (accounts) => {
  const view = checkedView(accounts.get(accounts.id), CURVE, 'not-a-pool');
  if (isRefusal(view)) return view;
  const base = accounts.asked.find((mint) => curveAddress(mint) === accounts.id);
  if (base === undefined) return refuse('not-a-pool', 'the curve belongs to none of the mints asked for');
  const quote = quoteMintOf(view);
  return isRefusal(quote) ? quote : [base, quote];
};

/** The coins lie in the curve's associated account, the SOL in the curve itself. */
export const vaultsOfPumpCurve: Exchange['vaults'] = (id, account, [base]) => {
  const view = checkedView(account, CURVE, 'not-a-pool');
  if (isRefusal(view)) return view;
  return { kind: 'lamports', vaults: [associatedTokenAddress(id, base.mint, base.tokenProgram), id] };
};

export const pumpCurveDependencies: Exchange['dependencies'] = (_id, _account, mints) => [
  PUMP_GLOBAL,
  pumpFeeConfigAddress(PUMP_PROGRAM),
  ...mints.filter((mint) => mint !== WSOL_MINT),
];

/**
 * A pump.fun curve at one slot. Refused once complete (the coin then trades in its PumpSwap pool), for quotes other than
 * SOL, and for the kinds of coin whose trades take further accounts.
 */
export function decodePumpFunPool(accounts: PoolAccounts, facts: PoolFacts): ExchangePool | Refusal {
  const view = checkedView(accounts.get(accounts.id), CURVE, 'not-a-pool');
  if (isRefusal(view)) return view;
  const found = mintsOfPumpCurve(accounts);
  if (isRefusal(found)) return found;
  const global = checkedView(accounts.get(PUMP_GLOBAL), GLOBAL);
  if (isRefusal(global)) return global;
  const creator = addressOr(view, CURVE_AT.creator);
  // Fees follow a market cap of what is left of the coin, so burning lowers it: measured on the program.
  const supply = mintSupply(accounts, found[0]);
  if (isRefusal(supply)) return supply;
  const state = readState(accounts, view, global, { creator, supply });
  if (isRefusal(state)) return state;
  const mints = poolMints(facts, found);
  if (isRefusal(mints)) return mints;

  const feeBps = Number(state.protocolBps + state.creatorBps);
  const swapAccounts = {
    curve: accounts.id,
    base: mints[0],
    creator,
    feeRecipient: global.address(GLOBAL_AT.feeRecipient),
    buybackFeeRecipient: global.address(GLOBAL_AT.buybackFeeRecipients),
  };

  return exchangePool({
    id: accounts.id,
    venue: 'pump-fun',
    label: 'pump.fun',
    slot: facts.slot,
    epoch: facts.epoch,
    mints,
    shape: {
      kind: 'launch-curve',
      virtualReserves: [state.virtualToken, state.virtualQuote],
      realReserves: [state.realToken, state.realQuote],
    },
    feePpb: [
      { in: 0, out: feeBps * 100_000 },
      // Fees are on top of what reaches the curve.
      { in: Math.floor((feeBps * 1_000_000_000) / (10_000 + feeBps)), out: 0 },
    ],
    leaving: (direction, arriving) =>
      direction === 0 ? curveSell(state, arriving) : curveBuy(state, arriving),
    price: (direction) =>
      direction === 0
        ? { numerator: state.virtualQuote, denominator: state.virtualToken }
        : { numerator: state.virtualToken, denominator: state.virtualQuote },
    instructions: (direction, order) =>
      direction === 0
        ? [curveSellInstruction(swapAccounts, order)]
        : [...unwrapSol(order), curveBuyInstruction(swapAccounts, order)],
  });
}

function readState(
  accounts: PoolAccounts,
  view: AccountView,
  global: AccountView,
  coin: { readonly creator: Address; readonly supply: bigint },
): CurveState | Refusal {
  if (view.u8(CURVE_AT.complete) !== 0) return refuse('not-trading', 'the curve is complete');
  if (flag(view, CURVE_AT.isMayhem)) return refuse('unmodelled', 'a mayhem coin');
  if (flag(view, CURVE_AT.isCashback)) return refuse('unmodelled', 'a cashback coin');
  if (flag(view, CURVE_AT.isHolderReward)) return refuse('unmodelled', 'a holder-reward coin');
  const virtualToken = view.u64(CURVE_AT.virtualToken);
  const virtualQuote = view.u64(CURVE_AT.virtualQuote);
  if (virtualToken === 0n || virtualQuote === 0n) return refuse('bad-state', 'the curve has no reserves');
  const config = readPumpFeeConfig(accounts.get(pumpFeeConfigAddress(PUMP_PROGRAM)));
  if (isRefusal(config)) return config;
  const fees = pumpFeesFor(config, WSOL_MINT, (virtualQuote * coin.supply) / virtualToken);
  const own = view.length >= CURVE_AT.creatorFeeBps + 8 ? view.u64(CURVE_AT.creatorFeeBps) : 0n;
  const creatorBps = flag(global, GLOBAL_AT.creatorFeeConfigurable) && own > 0n ? own : fees.creatorBps;
  if (fees.protocolBps + creatorBps >= 10_000n) return refuse('bad-state', 'fees of the whole amount');
  return {
    virtualToken,
    virtualQuote,
    realToken: view.u64(CURVE_AT.realToken),
    realQuote: view.u64(CURVE_AT.realQuote),
    protocolBps: fees.protocolBps,
    // The zero key, which is also the system program's address, means that nobody is paid.
    creatorBps: coin.creator === SYSTEM_PROGRAM ? 0n : creatorBps,
  };
}

function quoteMintOf(view: AccountView): Address | Refusal {
  const stored = addressOr(view, CURVE_AT.quoteMint);
  if (stored === SYSTEM_PROGRAM || stored === WSOL_MINT) return WSOL_MINT;
  return refuse('unmodelled', `quoted in ${stored}, expected SOL`);
}

/** A key of the tail, or the zero key where the account is too short to have it. */
function addressOr(view: AccountView, at: number): Address {
  return view.length >= at + 32 ? view.address(at) : SYSTEM_PROGRAM;
}

function flag(view: AccountView, at: number): boolean {
  return view.length > at && view.u8(at) !== 0;
}
