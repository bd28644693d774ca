import { addressBytes } from '@tradepost/solana';
import { type Exchange, searchesByMints } from '../shared/exchange.ts';
import { tokenVaults } from '../shared/token-vaults.ts';
import { dammV2Pools } from './derive.ts';
import { DAMM_V2_AUTHORITY, DAMM_V2_PROGRAM, POOL, POOL_AT } from './layout.ts';
import { decodeMeteoraDammV2Pool, mintsOfDammV2Pool } from './pool.ts';

/** Meteora DAMM v2: one price range per pool, fees that may fall with time and rise with volatility. */
export const meteoraDammV2: Exchange = {
  name: 'meteora-damm-v2',
  programId: DAMM_V2_PROGRAM,
  vaultAuthority: DAMM_V2_AUTHORITY,
  filters: searchesByMints(DAMM_V2_PROGRAM, POOL.minBytes, [POOL_AT.mintA, POOL_AT.mintB], addressBytes, [
    { kind: 'match', offset: 0, bytes: POOL.discriminator ?? new Uint8Array() },
  ]),
  derived: dammV2Pools,
  mints: mintsOfDammV2Pool,
  vaults: tokenVaults(POOL, [POOL_AT.vaultA, POOL_AT.vaultB]),
  dependencies: () => [],
  decode: decodeMeteoraDammV2Pool,
};
