import { addressBytes } from '@tradepost/solana';
import { type Exchange, searchesByMints } from '../shared/exchange.ts';
import { tokenVaults } from '../shared/token-vaults.ts';
import { cpmmPools } from './derive.ts';
import { POOL, POOL_AT, RAYDIUM_CPMM_AUTHORITY, RAYDIUM_CPMM_PROGRAM } from './layout.ts';
import { decodeRaydiumCpmmPool, mintsOfRaydiumCpmmPool, raydiumCpmmDependencies } from './pool.ts';

/** Raydium CPMM: constant product, fees per configuration, Token-2022 on either side. */
export const raydiumCpmm: Exchange = {
  name: 'raydium-cpmm',
  programId: RAYDIUM_CPMM_PROGRAM,
  vaultAuthority: RAYDIUM_CPMM_AUTHORITY,
  filters: searchesByMints(RAYDIUM_CPMM_PROGRAM, POOL.minBytes, [POOL_AT.mintA, POOL_AT.mintB], addressBytes),
  derived: cpmmPools,
  mints: mintsOfRaydiumCpmmPool,
  vaults: tokenVaults(POOL, [POOL_AT.vaultA, POOL_AT.vaultB]),
  dependencies: raydiumCpmmDependencies,
  decode: decodeRaydiumCpmmPool,
};
