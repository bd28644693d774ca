import { type Address, known } from '@tradepost/solana';
import type { WellKnownToken } from './safety.ts';

/** Identifies mainnet-beta. */
export const MAINNET_GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';

const token = (symbol: string, mint: string): WellKnownToken => ({ symbol, mint: known(mint) });

/**
 * Tickers that look-alikes borrow on mainnet, with the mint that really has them. A short list on purpose: it says "same
 * ticker as a well-known token", it does not vouch for anything. Literals, checked for shape by a test.
 */
export const MAINNET_WELL_KNOWN: readonly WellKnownToken[] = [
  token('SOL', 'So11111111111111111111111111111111111111112'),
  token('WSOL', 'So11111111111111111111111111111111111111112'),
  token('USDC', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'),
  token('USDT', 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'),
  token('JUP', 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN'),
  token('RAY', '4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R'),
  token('BONK', 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263'),
  token('WIF', 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm'),
  token('PYTH', 'HZ1JovNiVvGrGNiiYvEozEVgZ58xaU3RKwX8eACQBCt3'),
  token('mSOL', 'mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So'),
  token('JitoSOL', 'J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn'),
];

/** On any other cluster only native SOL and the configured dollar token have a claim to their tickers. */
export function wellKnownTokens(mainnet: boolean, usdMint: Address | null): readonly WellKnownToken[] {
  if (mainnet) return MAINNET_WELL_KNOWN;
  const sol = MAINNET_WELL_KNOWN.slice(0, 2);
  return usdMint === null ? sol : [...sol, { symbol: 'USDC', mint: usdMint }];
}

/** Tokens that most pools are against, in the order in which routes try them: SOL, then the dollar tokens. */
export function hubMints(mainnet: boolean, usdMint: Address | null): readonly Address[] {
  const tickers = mainnet ? ['SOL', 'USDC', 'USDT'] : ['SOL'];
  const known = MAINNET_WELL_KNOWN.filter(({ symbol }) => tickers.includes(symbol)).map(({ mint }) => mint);
  return [...new Set([...known, ...(usdMint === null ? [] : [usdMint])])];
}
