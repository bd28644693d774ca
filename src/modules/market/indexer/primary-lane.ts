import { choosePrimaries } from '../use/choose-primaries.ts';
import type { Lane } from './lane.ts';

const ROUND_MS = 60_000;

/** Which market of a pair its name means. */
export const primaryLane: Lane = {
  name: 'primary',
  hearsWakes: false,
  round: async (deps, state) => {
    state.contenders = await choosePrimaries(deps, state.markets, state.contenders);
    return ROUND_MS;
  },
};
