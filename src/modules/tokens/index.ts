import type { Module } from '../../compose/module.ts';
import type { World } from '../../compose/world.ts';
import { bind } from '../../core/bind.ts';
import { tokensNew } from './api/new-tokens.ts';
import { tokenProfile } from './api/one-token.ts';
import { tokensSearch } from './api/search.ts';
import { tokensList } from './api/token-list.ts';
import { tokensTrending } from './api/trending.ts';
import { searchFeature } from './chat/search.ts';
import { searchPage } from './pages/search.ts';
import { lookUpToken } from './use/look-up-token.ts';
import { suggestTokens } from './use/suggest-tokens.ts';

/** Tokens by name, ticker or address. */
export function createTokens({ chain, venues, catalogue }: World) {
  return {
    lookUpToken: bind(lookUpToken, { chain, venues, catalogue }),
    suggestTokens: bind(suggestTokens, { chain, venues }),
  };
}

/** The parts that it plugs in. */
export const tokensModule = {
  name: 'tokens',
  features: [searchFeature],
  routes: [tokensSearch, tokensTrending, tokensNew, tokensList, tokenProfile],
  pages: [searchPage],
} satisfies Module;
