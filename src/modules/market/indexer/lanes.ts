import { followLane } from './follow-lane.ts';
import type { Lane } from './lane.ts';
import { liveLane } from './live-lane.ts';
import { lookLane } from './look-lane.ts';
import { primaryLane } from './primary-lane.ts';
import { sealLane } from './seal-lane.ts';

/** One folder and one line here per lane. */
export const LANES: readonly Lane[] = [followLane, liveLane, sealLane, lookLane, primaryLane];
