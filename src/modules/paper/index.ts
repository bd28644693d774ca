import type { Module } from '../../compose/module.ts';
import type { World } from '../../compose/world.ts';
import { bind } from '../../core/bind.ts';
import type { Pricing } from '../trading/index.ts';
import { paperFeature } from './chat/index.ts';
import { paperQuote } from './use/paper-quote.ts';

/** Trades with play money, at real prices. */
export function createPaper({ fees }: World, { pricing }: { readonly pricing: Pricing }) {
  return { paperQuote: bind(paperQuote, { ...pricing.trade, fees }) };
}

export type Paper = ReturnType<typeof createPaper>;

/** The parts that it plugs in. */
export const paperModule = {
  name: 'paper',
  features: [paperFeature],
} satisfies Module;
