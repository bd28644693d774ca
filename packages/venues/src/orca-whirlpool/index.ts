import { addressBytes } from '@tradepost/solana';
import { type Exchange, searchesByMints } from '../shared/exchange.ts';
import { tokenVaults } from '../shared/token-vaults.ts';
import { whirlpools } from './derive.ts';
import { POOL, POOL_AT, WHIRLPOOL_PROGRAM } from './layout.ts';
import { decodeOrcaWhirlpool, mintsOfWhirlpool, whirlpoolDependencies } from './pool.ts';

/** Orca Whirlpools: liquidity in ranges, a fixed fee per pool. */
export const orcaWhirlpool: Exchange = {
  name: 'orca-whirlpool',
  programId: WHIRLPOOL_PROGRAM,
  filters: searchesByMints(WHIRLPOOL_PROGRAM, POOL.minBytes, [POOL_AT.mintA, POOL_AT.mintB], addressBytes),
  derived: whirlpools,
  mints: mintsOfWhirlpool,
  vaults: tokenVaults(POOL, [POOL_AT.vaultA, POOL_AT.vaultB]),
  dependencies: whirlpoolDependencies,
  decode: decodeOrcaWhirlpool,
};
