import type { Address } from '@tradepost/solana';
import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { nextLiquidity } from '../../settings/rules/exit-set.ts';
import { isEventType } from '../rules/event-trigger.ts';
import { isStop } from '../rules/join-position.ts';
import type { OrderType } from '../rules/order.ts';
import { priceOf } from '../rules/placement.ts';
import { type DraftState, eventLeg, type Leg } from './draft-state.ts';

/** The sales that a limit buy can bring along, as its form offers them. */
export const EXIT_STEPS = {
  TAKE_PROFIT: ['+50%', '+100%'],
  STOP_LOSS: ['-20%', '-30%'],
} as const satisfies Partial<Record<OrderType, readonly string[]>>;
export type ExitType = keyof typeof EXIT_STEPS;

/** Whether the draft can have sales that wait for its purchase. */
export function hasExits({ tab, side, legs }: Pick<DraftState, 'tab' | 'side' | 'legs'>): boolean {
  return tab === 'limit' && side === 'buy' && legs.length === 1;
}

/** One take-profit and one stop at most; tapped again, it is gone. Their prices follow in `resolveExits`. */
export function toggledExit(exits: readonly Leg[], type: ExitType, index: number): readonly Leg[] {
  const request = EXIT_STEPS[type][index];
  if (request === undefined) throw new AppError('BUTTON_STALE', {});
  // One stop: the other kind of it goes as well.
  const others = exits.filter((one) => (type === 'TAKE_PROFIT' ? one.type !== type : !isStop(one)));
  const isOn = exits.some((one) => one.type === type && one.request === request);
  return isOn
    ? others
    : [...others, { type, request, unit: 'SOL', got: '0', given: '1', shareBps: shareOf(type), trailBps: 0 }];
}

/** A take-profit sells all of it; a stop sells the rest, which is all while no take-profit has sold. */
function shareOf(type: ExitType): number {
  return type === 'TAKE_PROFIT' ? 10_000 : 0;
}

/** The exits with the sale at the creator's own; tapped again, without it. */
export function withDevLeg(state: DraftState): DraftState {
  const others = state.legs.filter(({ type }) => type !== 'DEV_SELLS');
  return { ...state, legs: others.length < state.legs.length ? others : [...others, eventLeg('DEV_SELLS')] };
}

/** The exits with the next fall of liquidity; after the last one, without it. */
export function withNextFall(state: DraftState): DraftState {
  const before = state.legs.find(({ type }) => type === 'LIQUIDITY_FALLS');
  const others = state.legs.filter((leg) => leg !== before);
  const fallBps = nextLiquidity(before?.trailBps ?? null);
  return {
    ...state,
    legs: fallBps === null ? others : [...others, eventLeg('LIQUIDITY_FALLS', fallBps)],
  };
}

/** Their prices are relative to the purchase's price, not to the present one. Throws the errors of `resolvePrice`. */
export async function resolveExits(
  { orders }: Pick<FeatureDeps, 'orders'>,
  { legs, exits, mint, amount }: Pick<DraftState, 'legs' | 'exits' | 'mint' | 'amount'>,
  wallet: Address,
): Promise<readonly Leg[]> {
  const [entry] = legs;
  if (entry === undefined) return [];
  const price = priceOf('buy', { got: BigInt(entry.got), given: BigInt(entry.given) });
  return Promise.all(
    exits.map(async (exit) => {
      // It trails, or is measured, from the purchase on, at any purchase price.
      if (exit.type === 'TRAILING_STOP' || isEventType(exit.type)) return exit;
      const { unit, trigger } = await orders.resolvePrice({
        text: exit.request,
        side: 'sell',
        mint,
        wallet,
        amount: BigInt(amount),
        reference: { unit: entry.unit, price },
      });
      return { ...exit, unit, got: trigger.got.toString(), given: trigger.given.toString() };
    }),
  );
}
