import type { Module } from '../../compose/module.ts';
import type { World } from '../../compose/world.ts';
import { bind } from '../../core/bind.ts';
import type { Relay } from '../../engine/transactions/use/relay-outbox.ts';
import { convertFeature } from './chat/index.ts';
import { advanceConvert } from './use/advance-convert.ts';
import { convertOverview } from './use/convert-overview.ts';
import { enterConvert } from './use/enter-convert.ts';

/** Periods in which points become SOL. */
export function createConvert({ db, clock, ids }: World, { relay }: { readonly relay: Relay }) {
  return {
    overview: bind(convertOverview, { db, clock }),
    enter: bind(enterConvert, { db, clock, ids }),
    /** Carries every period on. */
    advance: () => advanceConvert({ db, clock, ids, nudge: () => relay.nudge() }),
  };
}

/** The parts that it plugs in. */
export const convertModule = {
  name: 'convert',
  features: [convertFeature],
} satisfies Module;
