import type { Module } from '../../compose/module.ts';
import { launchesFeature } from './chat/index.ts';

/** The parts that it plugs in. */
export const launchesModule = {
  name: 'launches',
  features: [launchesFeature],
} satisfies Module;
