import type { Lane } from '../lane.ts';
import { followLane } from './follow/index.ts';
import { liveLane } from './live/index.ts';
import { lookLane } from './look/index.ts';
import { primaryLane } from './primary/index.ts';
import { sealLane } from './seal/index.ts';

/** One folder and one line here per lane. */
export const LANES: readonly Lane[] = [followLane, liveLane, sealLane, lookLane, primaryLane];
