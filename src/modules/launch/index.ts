import type { Module } from '../../compose/module.ts';
import type { World } from '../../compose/world.ts';
import { bind } from '../../core/bind.ts';
import type { ReceivableFee } from '../../engine/fees/use/platform-fee.ts';
import type { Rehearse } from '../../engine/transactions/use/rehearse-plan.ts';
import type { Relay } from '../../engine/transactions/use/relay-outbox.ts';
import { launchWatch } from './jobs.ts';
import { launchProgress, watchLaunches } from './use/launch-progress.ts';
import { quoteLaunch } from './use/quote-launch.ts';

/** New tokens on a launchpad. */
export function createLaunch(
  world: World,
  {
    relay,
    receivableFee,
    rehearse,
  }: { readonly relay: Relay; readonly receivableFee: ReceivableFee; readonly rehearse: Rehearse },
) {
  const { clock, fees } = world;
  const launch = {
    ...world,
    treasury: world.treasury.address,
    receivableFee,
    rehearse,
    launchFeeLamports: () => fees(clock.now()).launchLamports,
  };
  return {
    /** For the plan of its kind of intent. */
    plans: launch,
    watchLaunches: () => watchLaunches({ ...world, relay }),
    verbs: {
      /** The launchpads of this cluster; empty where there is none. */
      launchpads: world.launchpads.map(({ name, label, limits }) => ({ name, label, limits })),
      quoteLaunch: bind(quoteLaunch, launch),
      launchProgress: bind(launchProgress, world),
    },
  };
}

/** The parts that it plugs in. */
export const launchModule = {
  name: 'launch',
  jobs: { 'launch.watch': launchWatch },
} satisfies Module;
