import type { Module } from '../../compose/module.ts';
import type { World } from '../../compose/world.ts';
import { autoBuyFeature } from './chat/index.ts';
import { boughtLately } from './use.ts';

/** Purchases without a tap, for a token that is pasted. */
export function createAutoBuy({ db, clock, autoSpendCapLamports }: World) {
  return {
    lately: async (input: Parameters<typeof boughtLately>[1]) => ({
      ...(await boughtLately({ db, clock }, input)),
      capUnasked: autoSpendCapLamports,
    }),
  };
}

/** The parts that it plugs in. */
export const autoBuyModule = {
  name: 'auto-buy',
  features: [autoBuyFeature],
} satisfies Module;
