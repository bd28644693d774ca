import {
  type ChainPlugin,
  type LocalChainOptions,
  type RunningChain,
  startLocalChain,
} from '@tradepost/local-chain';
import { createPools } from './create-pools.ts';
import { createLaunchBook } from './launches.ts';
import type { DeskPool } from './pool.ts';
import { createDeskRoutes } from './routes.ts';

/** The desk's addition to the chain's world. */
export type DeskWorld = { readonly pools: readonly DeskPool[] };

/** The demonstration exchange as a plug-in of the local chain: pools from genesis on, a co-signer and launch curves. */
export const DESK: ChainPlugin<DeskWorld> = {
  name: 'desk',
  genesis: (genesis) => ({ pools: createPools(genesis) }),
  open: ({ chain, seed, dir, world }) => {
    const launches = createLaunchBook({ seed, dir, account: chain.account });
    return createDeskRoutes({ chain, seed, launches, pools: () => [...world.pools, ...launches.pools()] });
  },
};

/** `GET {deskUrl}/pools`, `POST {deskUrl}/cosign`, `GET` and `POST {deskUrl}/launch`. */
export type DeskChain = RunningChain<DeskWorld> & { readonly deskUrl: string };

/** Starts a local chain with the desk on it. */
export async function startDeskChain(options: Omit<LocalChainOptions, 'plugin'> = {}): Promise<DeskChain> {
  const chain = await startLocalChain({ ...options, plugin: DESK });
  return { ...chain, deskUrl: `${chain.rpcUrl}/${DESK.name}` };
}
