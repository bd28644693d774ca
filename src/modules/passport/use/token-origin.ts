import type { Address } from '@tradepost/solana';
import type { CreatedTokenStore } from '../../mint/store/created-token-store-port.ts';
import { countOf } from '../../points/rules/holdings.ts';
import type { ShopStore } from '../../points/store/shop-store-port.ts';
import type { TokenOrigin } from '../rules/passport.ts';

const MAX_OTHERS = 20;

/** This desk's notes from the making of a token; null for one that was made elsewhere. */
export async function tokenOrigin(
  deps: {
    readonly createdTokens: Pick<CreatedTokenStore, 'find' | 'listByCreator'>;
    readonly shop: Pick<ShopStore, 'listByUser'>;
  },
  mint: Address,
): Promise<TokenOrigin | null> {
  const token = await deps.createdTokens.find(mint);
  if (token === null) return null;
  const [others, redemptions] = await Promise.all([
    deps.createdTokens.listByCreator(token.creator, MAX_OTHERS + 1),
    deps.shop.listByUser(token.userId),
  ]);
  return {
    creator: token.creator,
    hasBadge: countOf(redemptions, 'badge') > 0,
    created: { signature: token.signature, at: token.createdAt },
    uri: token.uri,
    metadataHash: token.metadataHash,
    revocations: token.revocations,
    launch: null,
    otherTokens: others
      .filter((other) => other.mint !== mint)
      .slice(0, MAX_OTHERS)
      .map(({ mint: other, spec }) => ({ mint: other, symbol: spec.symbol, name: spec.name })),
  };
}
