import type { TapeTransaction } from '../transaction.ts';
import { type Call, isWithin } from './calls.ts';
import type { DecodableMarket } from './decode-trades.ts';
import type { Leg, VaultChange } from './legs.ts';
import { type PumpTrade, pumpTrades, sweptFees } from './pump-events.ts';
import { reconcile, type SettledLeg } from './reconcile.ts';

type Quote = {
  /** The vault's legs as instructions state them. */
  readonly legs: readonly Leg[];
  readonly calls: readonly Call[];
  readonly change: VaultChange;
};

type ToldCall = { readonly call: Call; readonly trades: readonly PumpTrade[]; readonly swept: bigint };

/**
 * The legs of the quote vault, or null where they do not explain its change. Where pump.fun or PumpSwap logs a trade, the trade's own
 * amount counts: fees that wait in the vault are none of it.
 */
export function settleQuote(
  transaction: TapeTransaction,
  market: DecodableMarket,
  { legs, calls, change }: Quote,
): readonly SettledLeg[] | null {
  const told = calls
    .map((call) => ({
      call,
      trades: pumpTrades(transaction, market, call),
      swept: market.kind === 'lamports' ? sweptFees(transaction, market, call) : 0n,
    }))
    .filter(({ trades, swept }) => trades.length > 0 || swept > 0n);
  if (market.kind === 'lamports') return settleLamports(legs, change, told);
  const settled = reconcile(legs, change, calls, market.transferFees.quote);
  return settled === null ? null : [...settled, ...told.flatMap((one) => waiting(settled, one))];
}

/**
 * The part that trades leave in the vault beside their own amounts. It is a fee, so it is taken out again. Nothing where more remains than
 * the trades kept.
 */
function waiting(settled: readonly SettledLeg[], { call, trades }: ToldCall): readonly SettledLeg[] {
  const moved = sum(settled.filter(({ at }) => isWithin(call, at)));
  const beside = moved - sum(tradedLegs({ call, trades }));
  const most = trades.reduce((total, { kept }) => total + kept, 0n);
  return beside > 0n && beside <= most ? [{ side: 'quote', at: call.ordinal, amount: -beside }] : [];
}

/**
 * A launch curve keeps lamports in itself. Incoming lamports are a transfer; outgoing ones are written by the program alone and reported by
 * its event. So within a call that has an event the event counts, elsewhere the transfers. Two more amounts may remain beside them: a
 * transfer for the rent of a curve that grows, and fees that wait.
 */
function settleLamports(
  legs: readonly Leg[],
  change: VaultChange,
  told: readonly ToldCall[],
): readonly SettledLeg[] | null {
  const outside = legs.filter(({ at }) => !told.some(({ call }) => isWithin(call, at)));
  const traded = told.flatMap(tradedLegs);
  const swept = told.reduce((total, one) => total + one.swept, 0n);
  const beside = change.after - change.before - sum(outside) - sum(traded) + swept;
  const most = told.reduce((total, one) => total + mostBeside(legs, one), 0n);
  return beside < 0n || beside > most ? null : [...outside, ...traded];
}

function mostBeside(legs: readonly Leg[], { call, trades }: ToldCall): bigint {
  const stated = sum(legs.filter(({ at, amount }) => isWithin(call, at) && amount > 0n));
  const bought = sum(tradedLegs({ call, trades }).filter(({ amount }) => amount > 0n));
  const surplus = stated > bought ? stated - bought : 0n;
  return trades.reduce((total, { kept }) => total + kept, surplus);
}

function tradedLegs({ call, trades }: Pick<ToldCall, 'call' | 'trades'>): readonly SettledLeg[] {
  return trades.map(({ isBuy, quote }) => ({
    side: 'quote',
    at: call.ordinal,
    amount: isBuy ? quote : -quote,
  }));
}

function sum(legs: readonly { readonly amount: bigint }[]): bigint {
  return legs.reduce((total, { amount }) => total + amount, 0n);
}
