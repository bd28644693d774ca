import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { readSol } from '../../../platform/telegram/ui/read-amount.ts';
import { readTokenAmount } from '../../../platform/telegram/ui/token-amounts.ts';
import { ownWallet } from '../../wallets/use/own-wallet.ts';
import type { OrderType } from '../rules/order.ts';
import { readRhythm } from '../rules/schedule.ts';
import type { PriceReference, ResolvedPrice } from '../use/resolve-price.ts';
import { type DraftState, type Leg, withRounds } from './draft-state.ts';
import { tokenOf } from './manage.ts';

/** The answers to a form of a new order, chosen or typed, read for exactly this draft. Each throws its refusals. */
export function draftAnswers(deps: FeatureDeps) {
  const { orders } = deps;

  /** The draft with a trailing stop that starts at a price that was typed, instead of at once. */
  async function trailFrom(userId: string, state: DraftState, text: string): Promise<DraftState> {
    const { request, unit, trigger } = await priceAt(deps, userId, state, text);
    const [got, given] = [trigger.got.toString(), trigger.given.toString()];
    const legs = state.legs.map((leg) =>
      leg.type === 'TRAILING_STOP' ? { ...leg, request, unit, got, given } : leg,
    );
    return { ...state, legs };
  }

  /** A leg at a price that was chosen or typed, resolved now. */
  async function legAt(
    userId: string,
    state: DraftState,
    text: string,
    type: OrderType,
  ): Promise<{ readonly leg: Leg; readonly supply: string }> {
    const found = await priceAt(deps, userId, state, text);
    const { unit, trigger, request } = found;
    const takes = state.legs.filter((leg) => leg.type === 'TAKE_PROFIT').length;
    const leg = {
      type,
      request,
      unit,
      got: trigger.got.toString(),
      given: trigger.given.toString(),
      shareBps: type === 'TAKE_PROFIT' ? (takes === 0 ? 5_000 : Math.floor(5_000 / takes)) : 0,
      trailBps: 0,
    };
    return { leg, supply: found.supply?.toString() ?? state.supply };
  }

  /** The worst price of a round: the highest of a purchase, the lowest of a sale. */
  async function bandAt(userId: string, state: DraftState, text: string): Promise<DraftState> {
    const { address: wallet } = await ownWallet(deps.db.wallets, { userId, walletId: state.walletId });
    const amount = BigInt(state.amount) / BigInt(state.rounds);
    const asked = { side: state.side, mint: state.mint, wallet, amount };
    const ends = state.side === 'buy' ? { low: null, high: text } : { low: text, high: null };
    const { least } = await orders.resolveBand({ ...asked, ...ends });
    const band =
      least === null
        ? null
        : { request: text.trim(), got: least.got.toString(), given: least.given.toString() };
    return { ...state, band };
  }

  return { legAt, bandAt, trailFrom };
}

/** A price as it was chosen or typed. A percentage of a sale counts from the price paid, and is refused where that is not known. */
async function priceAt(
  { db, orders }: FeatureDeps,
  userId: string,
  { side, mint, walletId, amount }: DraftState,
  text: string,
): Promise<ResolvedPrice> {
  const { address: wallet } = await ownWallet(db.wallets, { userId, walletId });
  const reference = side === 'sell' ? { reference: await paidFor(orders, { userId, walletId, mint }) } : {};
  return orders.resolvePrice({ text, side, mint, wallet, amount: BigInt(amount), ...reference });
}

/** The price that a percentage of a sale counts from: the average paid, every fee in. Null where no cost is known. */
export async function paidFor(
  orders: FeatureDeps['orders'],
  asked: Parameters<FeatureDeps['orders']['entryPrice']>[0],
): Promise<PriceReference | null> {
  const price = await orders.entryPrice(asked);
  return price === null ? null : { unit: 'SOL', price };
}

/** The draft with rounds and an interval that were typed. Throws ORDER_REFUSED for a text that is neither; the form says their limits. */
export function withRhythm(state: DraftState, text: string): DraftState {
  const read = readRhythm(text);
  if (read === null) throw new AppError('ORDER_REFUSED', { kind: 'rhythm-invalid' });
  return { ...withRounds(state, read.rounds), everyMinutes: read.intervalMs / 60_000 };
}

/** An amount that was typed: SOL of a purchase, tokens of a sale. Throws ORDER_REFUSED for a text that is no number. */
export async function unitsTyped(deps: FeatureDeps, state: DraftState, text: string): Promise<bigint> {
  const token = await tokenOf(deps, state.mint);
  const read = state.side === 'buy' ? readSol(text) : readTokenAmount(text, token);
  if (read.kind !== 'exact') throw new AppError('ORDER_REFUSED', { kind: 'amount-invalid' });
  return read.units;
}
