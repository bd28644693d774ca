import type { TokenData } from '../../../src/modules/market/use/token-data.ts';

/** A desk that has seen no token, but for what a test tells it. */
export function fakeTokenData(changes: Partial<TokenData> = {}): TokenData {
  return {
    search: async () => [],
    profile: async () => null,
    trending: async () => ({ computedAt: null, tokens: [] }),
    newest: async () => [],
    list: async () => null,
    table: async () => null,
    prices: async (mints) => new Map(mints.map((mint) => [mint, null])),
    values: async () => new Map(),
    lookNow: async () => undefined,
    sparkLines: async () => new Map(),
    ...changes,
  };
}
