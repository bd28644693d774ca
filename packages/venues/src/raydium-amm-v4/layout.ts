import { type Address, known } from '@tradepost/solana';
import type { Layout } from '../shared/pool-checks.ts';
import { raydiumAmmV4 } from './forms.ts';

export const RAYDIUM_AMM_V4_PROGRAM: Address = raydiumAmmV4.program;
/** PDA of "amm authority": owns every vault. */
export const RAYDIUM_AMM_V4_AUTHORITY: Address = known('5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1');

/** Written without a discriminator: owner and length are all there is. Source of truth: raydium-amm program/src/state.rs. */
export const POOL: Layout = {
  what: 'AmmInfo',
  programId: RAYDIUM_AMM_V4_PROGRAM,
  discriminator: null,
  minBytes: 752,
  maxBytes: 752,
};

export const POOL_AT = {
  status: 0,
  swapFeeNumerator: 176,
  swapFeeDenominator: 184,
  needTakePnlCoin: 192,
  needTakePnlPc: 200,
  openTime: 224,
  coinVault: 336,
  pcVault: 368,
  coinMint: 400,
  pcMint: 432,
  openOrders: 496,
  market: 528,
  marketProgram: 560,
  targetOrders: 592,
} as const;

/** Swaps work and no order book is consulted. */
export const STATUS_SWAP_ONLY = 6n;
/** Becomes SwapOnly with the first swap after the opening time. */
export const STATUS_WAITING_TRADE = 7n;

/** The order-book market that a pool was made for. Source of truth: serum-dex dex/src/state.rs `MarketState`. */
export const MARKET_BYTES = 388;
export const MARKET_AT = {
  vaultSignerNonce: 45,
  baseVault: 117,
  quoteVault: 165,
  eventQueue: 253,
  bids: 285,
  asks: 317,
} as const;
