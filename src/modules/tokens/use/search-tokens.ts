import { WSOL_MINT } from '@tradepost/solana';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Venue } from '../../../platform/ports/venue.ts';
import type { PoolCatalogue } from '../../market/store/pool-catalogue-port.ts';
import { displayName } from '../rules/display-name.ts';
import type { Token } from '../rules/token.ts';

/** Beyond this many known tokens, asking the chain for each name would cost more than it finds. */
const MAX_KNOWN = 200;
/** The catalogue's best, so that a popular word leaves room for the venues' own lists. */
const MAX_NAMED = 50;
const MAX_RESULTS = 10;

export type SearchTokensDeps = {
  readonly chain: Pick<Chain, 'token'>;
  readonly venues: readonly Venue[];
  readonly catalogue: Pick<PoolCatalogue, 'findNames'>;
};

/**
 * Tokens traded on our venues, against SOL or any other mint in the catalogue, whose symbol or name contains the text, exact symbols first.
 * Case and invisible characters do not count. At most ten; empty text finds nothing. Symbols prove nothing: the mint decides.
 */
export async function searchTokens(deps: SearchTokensDeps, text: string): Promise<readonly Token[]> {
  const wanted = foldName(text.replace(/^\$/, ''));
  if (wanted === null) return [];
  // Of a venue with a catalogue everything would be a counterpart of SOL; its tokens are found by name.
  const listing = deps.venues.filter(({ upkeep }) => upkeep === undefined);
  const answers = await Promise.allSettled([
    deps.catalogue.findNames(wanted, MAX_NAMED),
    ...listing.map((venue) => venue.counterparts(WSOL_MINT)),
  ]);
  const mints = new Set(answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])));
  const tokens = await Promise.allSettled(
    [...mints].slice(0, MAX_KNOWN).map((mint) => deps.chain.token(mint)),
  );
  return tokens
    .flatMap((answer) => {
      const token = answer.status === 'fulfilled' ? answer.value : null;
      const rank = token === null ? null : rankOf(token, wanted);
      return token === null || rank === null ? [] : [{ token, rank }];
    })
    .sort((a, b) => a.rank - b.rank || (a.token.mint < b.token.mint ? -1 : 1))
    .slice(0, MAX_RESULTS)
    .map(({ token }) => token);
}

/** 0 exact symbol, 1 symbol begins so, 2 exact name, 3 contained in either, null not at all. */
function rankOf(token: Token, wanted: string): number | null {
  const symbol = foldName(token.symbol) ?? '';
  const name = foldName(token.name) ?? '';
  if (symbol === wanted) return 0;
  if (symbol.startsWith(wanted)) return 1;
  if (name === wanted) return 2;
  return symbol.includes(wanted) || name.includes(wanted) ? 3 : null;
}

/** How names are compared and kept: as they are shown, in small letters. Null for one that shows nothing. */
export function foldName(text: string | null): string | null {
  return displayName(text)?.toLowerCase() ?? null;
}
