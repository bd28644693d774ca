import type { Module } from '../../compose/module.ts';
import type { World } from '../../compose/world.ts';
import { statusFacts } from './api/status.ts';
import { buildsWatch, retentionRun } from './jobs.ts';
import { statusPage } from './pages/index.ts';
import { clearAway } from './use/clear-away.ts';
import { watchBuilds } from './use/watch-builds.ts';

/** Upkeep of the service itself. */
export function createOperations(world: World) {
  return { clearAway: () => clearAway(world), watchBuilds: () => watchBuilds(world) };
}

/** The parts that it plugs in. */
export const operationsModule = {
  name: 'operations',
  routes: [statusFacts],
  pages: [statusPage],
  jobs: { 'builds.watch': buildsWatch, 'retention.run': retentionRun },
} satisfies Module;
