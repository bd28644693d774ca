import type { Address } from '@tradepost/solana';
import {
  createMeteoraDbcLaunchpad,
  createPumpFunLaunchpad,
  createRaydiumLaunchlabLaunchpad,
  type Launchpad,
} from '@tradepost/venues';
import type { Chain } from '../ports/chain.ts';
import type { Programs } from '../ports/programs.ts';
import { createDeskLaunchpad } from './desk/launchpad.ts';

export type LaunchpadDeps = {
  readonly chain: Pick<Chain, 'accounts' | 'rentExemption'>;
  readonly programs: Programs;
  /** The demonstration desk of the local chain; null on every real cluster. */
  readonly deskUrl: string | null;
  /** The operator's choices; a pad that needs one and has none is not offered. */
  readonly pads: PadOptions;
};

export type PadOptions = {
  /** The configuration that tokens are launched under on Meteora's curve. */
  readonly meteoraDbcConfig: Address | null;
  /** The platform that tokens are launched under at Raydium LaunchLab, which has a share of their fees. */
  readonly launchlabPlatform: Address | null;
};

/** The launchpads that this process offers: those whose program the cluster has. Throws CHAIN_UNREACHABLE. */
export async function openLaunchpads(deps: LaunchpadDeps): Promise<readonly Launchpad[]> {
  const { deskUrl } = deps;
  const { meteoraDbcConfig, launchlabPlatform } = deps.pads;
  const pads: readonly Launchpad[] = [
    ...(deskUrl === null ? [] : [createDeskLaunchpad({ ...deps, deskUrl })]),
    createPumpFunLaunchpad(deps),
    ...(launchlabPlatform === null
      ? []
      : [createRaydiumLaunchlabLaunchpad({ ...deps, platform: launchlabPlatform })]),
    ...(meteoraDbcConfig === null ? [] : [createMeteoraDbcLaunchpad({ ...deps, config: meteoraDbcConfig })]),
  ];
  const programs = pads.flatMap(({ program }) => program ?? []);
  const { accounts } = programs.length === 0 ? { accounts: [] } : await deps.chain.accounts(programs);
  const isThere = (program: string): boolean =>
    programs.some((known, index) => known === program && accounts[index]?.executable === true);
  return pads.filter(({ program }) => program === null || isThere(program));
}
