import { addressBytes } from '@tradepost/solana';
import { type Exchange, searchesByMints } from '../shared/exchange.ts';
import { tokenVaults } from '../shared/token-vaults.ts';
import type { AmmV4SwapForm } from './instruction.ts';
import { POOL, POOL_AT, RAYDIUM_AMM_V4_AUTHORITY, RAYDIUM_AMM_V4_PROGRAM } from './layout.ts';
import { decodeRaydiumAmmV4Pool, mintsOfRaydiumAmmV4Pool, raydiumAmmV4Dependencies } from './pool.ts';

/** Raydium's first pools: constant product, once with an order book behind them. */
export function raydiumAmmV4(form: AmmV4SwapForm): Exchange {
  return {
    name: 'raydium-amm-v4',
    programId: RAYDIUM_AMM_V4_PROGRAM,
    vaultAuthority: RAYDIUM_AMM_V4_AUTHORITY,
    filters: searchesByMints(
      RAYDIUM_AMM_V4_PROGRAM,
      POOL.minBytes,
      [POOL_AT.coinMint, POOL_AT.pcMint],
      addressBytes,
    ),
    mints: mintsOfRaydiumAmmV4Pool,
    vaults: tokenVaults(POOL, [POOL_AT.coinVault, POOL_AT.pcVault]),
    dependencies: raydiumAmmV4Dependencies,
    decode: (accounts, facts) => decodeRaydiumAmmV4Pool(form, accounts, facts),
  };
}
