import type { Module } from '../../compose/module.ts';
import type { World } from '../../compose/world.ts';
import type { Relay } from '../../engine/transactions/use/relay-outbox.ts';
import type { Positions } from '../positions/index.ts';
import { depositFeature } from './chat/deposit.ts';
import { createAgreement } from './use/agree.ts';
import { createDepositWatch } from './use/watch-deposits.ts';

/** Deposits of people, which its watch reports while it runs. */
export function createDeposits(
  world: World,
  {
    relay,
    positions: { positions },
    owns,
  }: {
    readonly relay: Relay;
    readonly positions: Positions;
    /** Whether this process looks after a wallet. */
    readonly owns: (walletId: string) => boolean;
  },
) {
  const { chain, pause, seededMints, walletFeed } = world;
  return {
    watch: createDepositWatch({
      ...world,
      feed: walletFeed,
      // The local chain's own node is the chain: no second node exists, and it cannot be wrong.
      agree: createAgreement({ chain, pause, nodeIsChain: seededMints.length > 0 }),
      owns,
      worthOf: positions.worthOf,
      nudge: () => relay.nudge(),
    }),
  };
}

/** The parts that it plugs in. */
export const depositsModule = {
  name: 'deposits',
  features: [depositFeature],
} satisfies Module;
