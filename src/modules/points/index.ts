import type { Module } from '../../compose/module.ts';
import type { World } from '../../compose/world.ts';
import { pointsFeature } from './chat/index.ts';
import { pointsSettle } from './jobs.ts';
import { createFeeDiscount } from './use/fee-discount.ts';

/** Points that people earn, and the discounts that they buy with them. */
export function createPoints(world: World) {
  return { discountBps: createFeeDiscount(world) };
}

export type Points = ReturnType<typeof createPoints>;

/** The parts that it plugs in. */
export const pointsModule = {
  name: 'points',
  features: [pointsFeature],
  jobs: { 'points.settle': pointsSettle },
} satisfies Module;
