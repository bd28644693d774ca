import { AppError } from '../../../core/errors/app-error.ts';
import { type ExitSet, exitRequest, isExitSet } from '../../settings/rules/exit-set.ts';
import { readPrice } from '../rules/placement.ts';
import { eventLeg, type Leg } from './draft-state.ts';

const WHOLE = 10_000n;

/**
 * The exits of a form, as those that go with each purchase. Throws ORDER_REFUSED for a price that was named, which is of one token alone,
 * for a trail that starts later, and for more exits than a purchase can carry.
 */
export function defaultOf(legs: readonly Leg[]): ExitSet {
  const refuse = (): never => {
    throw new AppError('ORDER_REFUSED', { kind: 'no-default' });
  };
  const moveOf = (leg: Leg): number => {
    const move = moveBps(leg.request);
    return move === null ? refuse() : move;
  };
  const stop = legs.find(({ type }) => type === 'STOP_LOSS');
  const trail = legs.find(({ type }) => type === 'TRAILING_STOP');
  const fall = legs.find(({ type }) => type === 'LIQUIDITY_FALLS');
  if (trail !== undefined && trail.got !== '0') refuse();
  const set: ExitSet = {
    takes: legs
      .filter(({ type }) => type === 'TAKE_PROFIT')
      .map((leg) => ({ atBps: moveOf(leg), shareBps: leg.shareBps })),
    stopBps: stop === undefined ? null : -moveOf(stop),
    trailBps: trail?.trailBps ?? null,
    ...(legs.some(({ type }) => type === 'DEV_SELLS') ? { devSells: true } : {}),
    ...(fall === undefined ? {} : { liquidityBps: fall.trailBps }),
  };
  return isExitSet(set) ? set : refuse();
}

/** A percentage or a multiple as its distance from the entry, in bps; null for any other price, and for parts of a bps. */
function moveBps(text: string): number | null {
  const request = readPrice(text);
  if (!('digits' in request) || (request.kind !== 'percent' && request.kind !== 'multiple')) return null;
  const one = 10n ** BigInt(request.scale);
  const scaled = request.kind === 'percent' ? request.digits * 100n : request.digits * WHOLE;
  if (scaled % one !== 0n) return null;
  return Number(scaled / one - (request.kind === 'percent' ? 0n : WHOLE));
}

/** The person's exits as legs of a limit buy; `resolveExits` finds their prices. */
export function legsOf({ takes, stopBps, trailBps, devSells, liquidityBps }: ExitSet): readonly Leg[] {
  const plain = { unit: 'SOL', got: '0', given: '1', trailBps: 0 } as const;
  return [
    ...takes.map(
      ({ atBps, shareBps }): Leg => ({
        ...plain,
        type: 'TAKE_PROFIT',
        request: exitRequest(atBps),
        shareBps,
      }),
    ),
    ...(stopBps === null
      ? []
      : [{ ...plain, type: 'STOP_LOSS', request: exitRequest(-stopBps), shareBps: 0 } as const]),
    ...(trailBps === null
      ? []
      : [{ ...plain, type: 'TRAILING_STOP', request: '', shareBps: 0, trailBps } as const]),
    ...(devSells === true ? [eventLeg('DEV_SELLS')] : []),
    ...(liquidityBps === undefined ? [] : [eventLeg('LIQUIDITY_FALLS', liquidityBps)]),
  ];
}
