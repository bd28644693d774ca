import { addressBytes } from '@tradepost/solana';
import { type Exchange, searchesByMints } from '../shared/exchange.ts';
import { tokenVaults } from '../shared/token-vaults.ts';
import { dlmmPairs } from './derive.ts';
import { DLMM_PROGRAM, PAIR, PAIR_AT } from './layout.ts';
import { decodeMeteoraDlmmPool, dlmmDependencies, mintsOfDlmmPair } from './pool.ts';

/** Meteora DLMM: liquidity in bins of one price each, fees that rise with the distance a swap moves the price. */
export const meteoraDlmm: Exchange = {
  name: 'meteora-dlmm',
  programId: DLMM_PROGRAM,
  filters: searchesByMints(DLMM_PROGRAM, PAIR.minBytes, [PAIR_AT.mintX, PAIR_AT.mintY], addressBytes),
  derived: dlmmPairs,
  mints: mintsOfDlmmPair,
  vaults: tokenVaults(PAIR, [PAIR_AT.reserveX, PAIR_AT.reserveY]),
  dependencies: dlmmDependencies,
  decode: decodeMeteoraDlmmPool,
};
