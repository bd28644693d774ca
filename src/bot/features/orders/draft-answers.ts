import { SOL_DECIMALS } from '../../../core/amounts/lamports.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import type { OrderType } from '../../../core/orders/order.ts';
import { ownWallet } from '../../../services/wallets/own-wallet.ts';
import type { FeatureDeps } from '../../deps.ts';
import { readAmount } from '../../ui/read-amount.ts';
import type { DraftState, Leg } from './draft-state.ts';
import { tokenOf } from './manage.ts';

/** What was chosen or typed for an order that is made up, as what it means for exactly this draft. Each throws what it refuses. */
export function draftAnswers(deps: FeatureDeps) {
  const { orders } = deps;

  /** A leg at a price that was chosen or typed, resolved now. */
  async function legAt(
    userId: string,
    state: DraftState,
    text: string,
    type: OrderType,
  ): Promise<{ readonly leg: Leg; readonly supply: string }> {
    const wallet = await ownWallet(deps.db.wallets, { userId, walletId: state.walletId });
    const found = await orders.resolvePrice({
      text,
      side: state.side,
      mint: state.mint,
      wallet: wallet.address,
      amount: BigInt(state.amount),
    });
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

  async function unitsTyped(state: DraftState, text: string): Promise<bigint> {
    const token = await tokenOf(deps, state.mint);
    const read = readAmount(text, state.side === 'buy' ? SOL_DECIMALS : token.decimals);
    if (read.kind !== 'exact') throw new AppError('ORDER_REFUSED', { kind: 'amount-invalid' });
    return read.units;
  }

  return { legAt, bandAt, unitsTyped };
}
