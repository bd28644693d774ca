import { type Address, type Instruction, SYSTEM_PROGRAM, WSOL_MINT } from '@tradepost/solana';
import type { MintFacts, PoolSwap } from '../pool.ts';
import type { AccountView } from '../shared/account-view.ts';
import { associatedTokenAddress } from '../shared/associated-token.ts';
import type { Exchange, ExchangePool, PoolAccounts, PoolFacts } from '../shared/exchange.ts';
import { exchangePool } from '../shared/exchange-pool.ts';
import { mintSupply } from '../shared/mint-supply.ts';
import { checkedView, poolMints } from '../shared/pool-checks.ts';
import { pumpFeeConfigAddress, pumpFeesFor, readPumpFeeConfig } from '../shared/pump-fees.ts';
import { isRefusal, type Refusal, refuse } from '../shared/refusal.ts';
import { curveBuyInstruction, curveSellInstruction } from './instruction.ts';
import { type CurveSwapAccountsV2, curveBuyV2Instruction, curveSellV2Instruction } from './instruction-v2.ts';
import { CURVE, CURVE_AT, curveAddress, GLOBAL, GLOBAL_AT, PUMP_GLOBAL, PUMP_PROGRAM } from './layout.ts';
import { type CurveState, curveBuy, curveSell } from './quote.ts';
import { unwrapSol } from './unwrap.ts';

/** The curve does not name its coin: its address is derived from the coin. */
export const mintsOfPumpCurve: Exchange['mints'] = (accounts) => {
  const view = checkedView(accounts.get(accounts.id), CURVE, 'not-a-pool');
  if (isRefusal(view)) return view;
  const base = accounts.asked.find((mint) => curveAddress(mint) === accounts.id);
  if (base === undefined) return refuse('not-a-pool', 'the curve belongs to none of the mints asked for');
  return [base, quoteMintOf(view)];
};

/** The coins lie in the curve's associated account, and so does a quote that is a token; SOL lies in the curve itself. */
export const vaultsOfPumpCurve: Exchange['vaults'] = (id, account, [base, quote]) => {
  const view = checkedView(account, CURVE, 'not-a-pool');
  if (isRefusal(view)) return view;
  const accountOf = ({ mint, tokenProgram }: MintFacts): Address =>
    associatedTokenAddress(id, mint, tokenProgram);
  return quoteMintOf(view) === WSOL_MINT
    ? { kind: 'lamports', vaults: [accountOf(base), id] }
    : { kind: 'tokens', vaults: [accountOf(base), accountOf(quote)] };
};

/** The first mint is the coin, whose supply sets the fee tier. */
export const pumpCurveDependencies: Exchange['dependencies'] = (_id, _account, mints) => [
  PUMP_GLOBAL,
  pumpFeeConfigAddress(PUMP_PROGRAM),
  ...mints.slice(0, 1),
];

/**
 * A pump.fun curve at one slot, quoted in SOL or in a token. Refused once complete (the coin then trades in its PumpSwap pool), and
 * for quotes of which a transfer withholds a part.
 */
export function decodePumpFunPool(accounts: PoolAccounts, facts: PoolFacts): ExchangePool | Refusal {
  const view = checkedView(accounts.get(accounts.id), CURVE, 'not-a-pool');
  if (isRefusal(view)) return view;
  const found = mintsOfPumpCurve(accounts);
  if (isRefusal(found)) return found;
  const global = checkedView(accounts.get(PUMP_GLOBAL), GLOBAL);
  if (isRefusal(global)) return global;
  const creator = addressOr(view, CURVE_AT.creator);
  // Fees follow a market cap of the coin's remaining supply, so burning lowers it: measured on the program.
  const supply = mintSupply(accounts, found[0]);
  if (isRefusal(supply)) return supply;
  const state = readState(accounts, view, global, { creator, supply, quoteMint: found[1] });
  if (isRefusal(state)) return state;
  const mints = poolMints(facts, found);
  if (isRefusal(mints)) return mints;
  if (mints[1].extensions.transferFee !== null)
    return refuse('unmodelled', `a transfer of the quote ${found[1]} withholds a part`);

  const feeBps = Number(state.protocolBps + state.creatorBps);
  const swapAccounts = {
    curve: accounts.id,
    base: mints[0],
    quote: mints[1],
    creator,
    feeRecipient: global.address(
      flag(view, CURVE_AT.isMayhem) ? GLOBAL_AT.reservedFeeRecipient : GLOBAL_AT.feeRecipient,
    ),
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
      // Fees are on top of the amount that reaches the curve.
      { in: Math.floor((feeBps * 1_000_000_000) / (10_000 + feeBps)), out: 0 },
    ],
    leaving: (direction, arriving) =>
      direction === 0 ? curveSell(state, arriving) : curveBuy(state, arriving),
    price: (direction) =>
      direction === 0
        ? { numerator: state.virtualQuote, denominator: state.virtualToken }
        : { numerator: state.virtualToken, denominator: state.virtualQuote },
    instructions: swapInstructions(swapAccounts, isPlain(view)),
  });
}

/** A plain coin keeps the first form, which has nine accounts fewer. A purchase with SOL unwraps the amount that it spends. */
function swapInstructions(
  accounts: CurveSwapAccountsV2,
  plain: boolean,
): (direction: 0 | 1, order: PoolSwap) => readonly Instruction[] {
  const [sell, buy] = plain
    ? [curveSellInstruction, curveBuyInstruction]
    : [curveSellV2Instruction, curveBuyV2Instruction];
  return (direction, order) => {
    if (direction === 0) return [sell(accounts, order)];
    const paid = accounts.quote.mint === WSOL_MINT ? unwrapSol(order) : [];
    return [...paid, buy(accounts, order)];
  };
}

function readState(
  accounts: PoolAccounts,
  view: AccountView,
  global: AccountView,
  coin: { readonly creator: Address; readonly supply: bigint; readonly quoteMint: Address },
): CurveState | Refusal {
  if (view.u8(CURVE_AT.complete) !== 0) return refuse('not-trading', 'the curve is complete');
  const virtualToken = view.u64(CURVE_AT.virtualToken);
  const virtualQuote = view.u64(CURVE_AT.virtualQuote);
  if (virtualToken === 0n || virtualQuote === 0n) return refuse('bad-state', 'the curve has no reserves');
  const config = readPumpFeeConfig(accounts.get(pumpFeeConfigAddress(PUMP_PROGRAM)));
  if (isRefusal(config)) return config;
  const fees = pumpFeesFor(config, coin.quoteMint, (virtualQuote * coin.supply) / virtualToken);
  const own = view.length >= CURVE_AT.creatorFeeBps + 8 ? view.u64(CURVE_AT.creatorFeeBps) : 0n;
  const creatorBps = flag(global, GLOBAL_AT.creatorFeeConfigurable) && own > 0n ? own : fees.creatorBps;
  if (fees.protocolBps + creatorBps >= 10_000n) return refuse('bad-state', 'fees of the whole amount');
  return {
    virtualToken,
    virtualQuote,
    realToken: view.u64(CURVE_AT.realToken),
    realQuote: view.u64(CURVE_AT.realQuote),
    protocolBps: fees.protocolBps,
    // The zero key, which is also the system program's address, means that there is no creator to pay.
    creatorBps: coin.creator === SYSTEM_PROGRAM ? 0n : creatorBps,
  };
}

/** The zero key, and an account too short to name a quote, mean SOL. */
function quoteMintOf(view: AccountView): Address {
  const stored = addressOr(view, CURVE_AT.quoteMint);
  return stored === SYSTEM_PROGRAM ? WSOL_MINT : stored;
}

/** Neither quoted in a token nor of a kind whose trades take more accounts than the first form names. */
function isPlain(view: AccountView): boolean {
  return (
    quoteMintOf(view) === WSOL_MINT &&
    !flag(view, CURVE_AT.isMayhem) &&
    !flag(view, CURVE_AT.isCashback) &&
    !flag(view, CURVE_AT.isHolderReward)
  );
}

/** A key of the tail, or the zero key where the account is too short to have it. */
function addressOr(view: AccountView, at: number): Address {
  return view.length >= at + 32 ? view.address(at) : SYSTEM_PROGRAM;
}

function flag(view: AccountView, at: number): boolean {
  return view.length > at && view.u8(at) !== 0;
}
