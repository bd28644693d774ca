import { type ExitSet, exitRequest } from '../../settings/rules/exit-set.ts';
import { relativePrice, triggerOf } from '../rules/placement.ts';
import type { Rate } from '../rules/rate.ts';
import type { OrderDraft } from './draft.ts';

const SALE = {
  side: 'sell',
  unit: 'SOL',
  floor: 'default',
  trailing: null,
  hold: 'normal',
  partial: false,
  schedule: null,
  sellsOnExpiry: false,
} as const;

/**
 * The sales that wait for a purchase at this price: the profits sell of the units that arrive; the stop, and those that wait for an event,
 * sell the rest.
 */
export function exitDrafts(
  { takes, stopBps, trailBps, devSells, liquidityBps }: ExitSet,
  price: Rate,
): readonly OrderDraft[] {
  const rest = { kind: 'rest' } as const;
  return [
    ...takes.map(
      ({ atBps, shareBps }): OrderDraft => ({
        ...SALE,
        type: 'TAKE_PROFIT',
        amount: { kind: 'share', bps: shareBps },
        trigger: ofEntry(price, atBps),
        request: exitRequest(atBps),
      }),
    ),
    ...(stopBps === null
      ? []
      : [
          {
            ...SALE,
            type: 'STOP_LOSS',
            amount: rest,
            trigger: ofEntry(price, -stopBps),
            request: exitRequest(-stopBps),
          } as const,
        ]),
    ...(trailBps === null
      ? []
      : [
          {
            ...SALE,
            type: 'TRAILING_STOP',
            amount: rest,
            trigger: null,
            trailing: { bps: trailBps, activation: null },
            request: '',
          } as const,
        ]),
    ...(devSells === true
      ? [{ ...SALE, type: 'DEV_SELLS', amount: rest, trigger: null, request: '' } as const]
      : []),
    ...(liquidityBps === undefined
      ? []
      : [
          {
            ...SALE,
            type: 'LIQUIDITY_FALLS',
            amount: rest,
            trigger: null,
            fallBps: liquidityBps,
            request: '',
          } as const,
        ]),
  ];
}

function ofEntry(price: Rate, moveBps: number): Rate {
  return triggerOf('sell', relativePrice(price, { kind: 'percent', digits: BigInt(moveBps), scale: 2 }));
}
