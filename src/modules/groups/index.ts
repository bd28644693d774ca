import type { Module } from '../../compose/module.ts';
import type { World } from '../../compose/world.ts';
import type { Paper } from '../paper/index.ts';
import { groupsFeature } from './chat/index.ts';
import type { GroupCall } from './rules/group-call.ts';
import { enterSoon } from './use/scan-token.ts';
import { createCallWatch } from './use/watch-calls.ts';

/** Calls of groups, and the watch that values them while it runs. */
export function createGroups(world: World, { paper }: { readonly paper: Paper }) {
  const { db, clock, log, pause, chain } = world;
  const calling = { db, clock, log, pause, slotMs: () => chain.slotMs(), quote: paper.paperQuote };
  return {
    enterSoon: (call: GroupCall) => void enterSoon(calling, call),
    watch: createCallWatch(calling),
  };
}

/** The parts that it plugs in. */
export const groupsModule = {
  name: 'groups',
  features: [groupsFeature],
} satisfies Module;
