import { addressBytes } from '@tradepost/solana';
import { type Exchange, searchesByMints } from '../shared/exchange.ts';
import { PUMP_FEES_PROGRAM } from '../shared/pump-fees.ts';
import { tokenVaults } from '../shared/token-vaults.ts';
import { pumpSwapPools } from './derive.ts';
import { POOL, POOL_AT, PUMP_SWAP_PROGRAM } from './layout.ts';
import { decodePumpSwapPool, mintsOfPumpSwapPool, pumpSwapDependencies } from './pool.ts';

/** PumpSwap: where coins trade once their pump.fun curve is complete. Accounts have no one length: versions grew them. */
export const pumpSwap: Exchange = {
  name: 'pump-swap',
  programId: PUMP_SWAP_PROGRAM,
  helpers: [PUMP_FEES_PROGRAM],
  filters: searchesByMints(PUMP_SWAP_PROGRAM, null, [POOL_AT.baseMint, POOL_AT.quoteMint], addressBytes, [
    { kind: 'match', offset: 0, bytes: POOL.discriminator ?? new Uint8Array() },
  ]),
  derived: pumpSwapPools,
  mints: mintsOfPumpSwapPool,
  vaults: tokenVaults(POOL, [POOL_AT.baseVault, POOL_AT.quoteVault]),
  dependencies: pumpSwapDependencies,
  decode: decodePumpSwapPool,
};
