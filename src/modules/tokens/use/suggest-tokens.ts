import { type Address, WSOL_MINT } from '@tradepost/solana';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Venue } from '../../../platform/ports/venue.ts';
import type { Token } from '../rules/token.ts';

const MAX_SUGGESTIONS = 8;

/**
 * Tokens to offer to a person who named none: those in the wallet, largest amount first, then those that venues feature. At most eight;
 * mints that cannot be read are left out. Never throws: without suggestions a person still types an address.
 */
export async function suggestTokens(
  deps: { readonly chain: Pick<Chain, 'token' | 'holdings'>; readonly venues: readonly Venue[] },
  wallet: Address,
): Promise<readonly Token[]> {
  const [holdings, ...featured] = await Promise.allSettled([
    deps.chain.holdings(wallet),
    ...deps.venues.map((venue) => venue.featured?.() ?? []),
  ]);
  const held =
    holdings.status === 'fulfilled'
      ? holdings.value.filter(({ amount }) => amount > 0n).map(({ mint }) => mint)
      : [];
  const offered = featured.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const mints = [...new Set([...held, ...offered])].filter((mint) => mint !== WSOL_MINT);
  const tokens = await Promise.allSettled(
    mints.slice(0, MAX_SUGGESTIONS).map((mint) => deps.chain.token(mint)),
  );
  return tokens.flatMap((answer) =>
    answer.status === 'fulfilled' && answer.value !== null ? [answer.value] : [],
  );
}
