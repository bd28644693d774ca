import { addressBytes } from '@tradepost/solana';
import { type Exchange, searchesByMints } from '../shared/exchange.ts';
import { tokenVaults } from '../shared/token-vaults.ts';
import { clmmPools } from './derive.ts';
import { CLMM_PROGRAM, POOL, POOL_AT } from './layout.ts';
import { clmmDependencies, decodeRaydiumClmmPool, mintsOfClmmPool } from './pool.ts';

/** Raydium CLMM: liquidity in ranges, a fee per configuration. Not yet executed: simulate before every send. */
export const raydiumClmm: Exchange = {
  name: 'raydium-clmm',
  programId: CLMM_PROGRAM,
  filters: searchesByMints(CLMM_PROGRAM, POOL.minBytes, [POOL_AT.mintA, POOL_AT.mintB], addressBytes),
  derived: clmmPools,
  mints: mintsOfClmmPool,
  vaults: tokenVaults(POOL, [POOL_AT.vaultA, POOL_AT.vaultB]),
  dependencies: clmmDependencies,
  decode: decodeRaydiumClmmPool,
};
