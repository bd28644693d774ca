import { addressBytes } from '@tradepost/solana';
import { type Exchange, searchesByMints } from '../shared/exchange.ts';
import { tokenVaults } from '../shared/token-vaults.ts';
import { launchPools } from './derive.ts';
import { LAUNCHLAB_AUTHORITY, LAUNCHLAB_PROGRAM, POOL, POOL_AT } from './layout.ts';
import { decodeRaydiumLaunchlabPool, launchDependencies, mintsOfLaunchPool } from './pool.ts';

/** Raydium LaunchLab: launch curves of constant product, until the coin migrates to an ordinary pool. */
export const raydiumLaunchlab: Exchange = {
  name: 'raydium-launchlab',
  programId: LAUNCHLAB_PROGRAM,
  vaultAuthority: LAUNCHLAB_AUTHORITY,
  filters: searchesByMints(LAUNCHLAB_PROGRAM, POOL.minBytes, [POOL_AT.mintA, POOL_AT.mintB], addressBytes),
  derived: launchPools,
  mints: mintsOfLaunchPool,
  vaults: tokenVaults(POOL, [POOL_AT.vaultA, POOL_AT.vaultB]),
  dependencies: launchDependencies,
  decode: decodeRaydiumLaunchlabPool,
};
