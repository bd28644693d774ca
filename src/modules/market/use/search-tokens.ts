import { type Address, readTokenAccount, WSOL_MINT } from '@tradepost/solana';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { WellKnownToken } from '../../tokens/rules/safety.ts';
import type { FoundToken, IndexedToken, TokenIndex } from '../../tokens/store-port.ts';
import { searchKey } from '../rules/search-key.ts';
import { rankTokens } from '../rules/search-rank.ts';
import { readTokenQuery } from '../rules/token-query.ts';
import type { MarketStore } from '../store/market-store-port.ts';
import type { MarketData } from './market-data.ts';
import { isVerified, type TokenSummary, tokenSummary } from './token-summary.ts';

export type SearchTokensDeps = {
  readonly tokenIndex: TokenIndex;
  readonly chain: Pick<Chain, 'token' | 'accounts' | 'holdings'>;
  readonly market: Pick<MarketData, 'snapshot' | 'lookNow'>;
  readonly markets: Pick<MarketStore, 'find'>;
  /** Verified tokens: the well-known ones and those that the operator vouches for. */
  readonly wellKnown: readonly WellKnownToken[];
  readonly clock: Clock;
};

export type TokenSearch = {
  readonly text: string;
  /** The tokens of this wallet come first; absent: no wallet's. */
  readonly wallet?: Address;
  /** At most 50. */
  readonly limit?: number;
};

export type TokenHit = TokenSummary & {
  /** By the wallet that asks. */
  readonly held: boolean;
};

const SOL_NAME = 'Solana';
const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 50;
/** Looked through for each answer: the best of them depends on more than the name. */
const CANDIDATES = 200;
/** Of the asker's tokens, the largest amounts first. */
const MAX_HELD = 100;

/**
 * Tokens that a text means, the best first: an address of a mint, of a market or of an account that holds tokens, alone or in a link;
 * `$PUP`, `PUP`, `puppy`. See `rankTokens` for the order. Look-alikes of a better one say so and come below it. Empty for a text that means
 * nothing. Symbols prove nothing: the mint decides. Throws DATABASE_UNREACHABLE, and CHAIN_UNREACHABLE where an address is to be read.
 */
export async function searchTokens(
  deps: SearchTokensDeps,
  search: TokenSearch,
): Promise<readonly TokenHit[]> {
  const query = readTokenQuery(search.text);
  if (query === null) return [];
  const limit = Math.min(search.limit ?? DEFAULT_LIMIT, MAX_LIMIT);
  const held = await heldMints(deps, search.wallet);
  const found =
    query.kind === 'addresses'
      ? await byAddress(deps, query.addresses)
      : await byName(deps, query.key, held, limit);
  await lookAtUnpriced(
    deps,
    found.map(({ token }) => token),
  );
  const snapshot = await deps.market.snapshot();
  return found.map(({ token: read, imitates }) => {
    const token = named(read, deps.wellKnown);
    const summary = tokenSummary(snapshot, token, deps.wellKnown);
    return { ...summary, imitates: summary.imitates ?? imitates, held: held.has(token.mint) };
  });
}

/** A token that was made here a moment ago has a price before anybody follows its pool. */
export async function lookAtUnpriced(
  { market }: Pick<SearchTokensDeps, 'market'>,
  tokens: readonly IndexedToken[],
): Promise<void> {
  const { shown } = await market.snapshot();
  const unpriced = tokens.filter(({ mint, madeHere }) => madeHere && shown.get(mint) === undefined);
  await Promise.all(unpriced.map((token) => market.lookNow(token, { unfollowed: true })));
}

type Found = { readonly token: IndexedToken; readonly imitates: Address | null };

/** Nothing where the node is away: a search without one's own tokens is better than none. */
async function heldMints(
  { chain }: Pick<SearchTokensDeps, 'chain'>,
  wallet: Address | undefined,
): Promise<ReadonlySet<Address>> {
  if (wallet === undefined) return new Set();
  const holdings = await chain.holdings(wallet).catch(() => []);
  const mints = holdings.filter(({ amount }) => amount > 0n).map(({ mint }) => mint);
  return new Set(mints.slice(0, MAX_HELD));
}

/** SOL has no record of its name on the chain, and other well-known mints may lack one: their ticker is the one they are known by. */
function named<T extends IndexedToken>(token: T, wellKnown: readonly WellKnownToken[]): T {
  const known = wellKnown.find(({ mint }) => mint === token.mint);
  if (known === undefined || token.symbol !== null) return token;
  const name = token.mint === WSOL_MINT ? SOL_NAME : known.symbol;
  const { symbol } = known;
  return { ...token, symbol, name, symbolKey: searchKey(symbol), nameKey: searchKey(name) };
}

/** Well-known tokens that a key may mean, read from the chain where no index has them. A token that cannot be read now is left out. */
async function wellKnownNear(deps: SearchTokensDeps, key: string): Promise<readonly IndexedToken[]> {
  const means = ({ symbol, mint }: WellKnownToken): boolean =>
    searchKey(symbol).startsWith(key) || (mint === WSOL_MINT && searchKey(SOL_NAME).startsWith(key));
  const mints = new Set(deps.wellKnown.filter(means).map(({ mint }) => mint));
  const read = await Promise.all([...mints].map((mint) => indexedToken(deps, mint).catch(() => null)));
  return read.flatMap((token) => (token === null ? [] : [named(token, deps.wellKnown)]));
}

async function byName(
  deps: SearchTokensDeps,
  key: string,
  held: ReadonlySet<Address>,
  limit: number,
): Promise<readonly Found[]> {
  const { tokenIndex, market, wellKnown } = deps;
  // A flood of tokens of one name must not push out those that rank above all of them.
  const [near, known, own, snapshot] = await Promise.all([
    tokenIndex.search(key, CANDIDATES),
    wellKnownNear(deps, key),
    tokenIndex.find([...held]),
    market.snapshot(),
  ]);
  const isNear = ({ symbolKey, nameKey }: IndexedToken) => symbolKey.includes(key) || nameKey.includes(key);
  const all = new Map<Address, FoundToken>([
    ...own.filter(isNear).map((token) => [token.mint, { ...token, similarity: 1 }] as const),
    ...near.map((token) => [token.mint, token] as const),
    ...known.map((token) => [token.mint, { ...token, similarity: 1 }] as const),
  ]);
  const ranked = rankTokens(
    [...all.values()].map((token) => ({
      mint: token.mint,
      symbolKey: token.symbolKey,
      nameKey: token.nameKey,
      bare: token.bare,
      madeHere: token.madeHere,
      similarity: token.similarity,
      verified: isVerified(token.mint, wellKnown),
      held: held.has(token.mint),
      liquidityUsd: snapshot.usd.get(token.mint)?.liquidityUsd ?? 0,
      token,
    })),
    key,
  );
  return ranked.slice(0, limit).map(({ token, imitates }) => ({ token, imitates }));
}

async function byAddress(deps: SearchTokensDeps, addresses: readonly Address[]): Promise<readonly Found[]> {
  const tokens = await Promise.all(addresses.map((address) => tokenAt(deps, address)));
  const unique = new Map(tokens.flatMap((token) => (token === null ? [] : [[token.mint, token] as const])));
  return [...unique.values()].map((token) => ({ token, imitates: null }));
}

/** The token of a mint, of a market or of an account that holds one; null for any other address. */
async function tokenAt(deps: SearchTokensDeps, address: Address): Promise<IndexedToken | null> {
  const own = await indexedToken(deps, address);
  if (own !== null) return own;
  const market = await deps.markets.find(address);
  if (market !== null) return await indexedToken(deps, market.baseMint);
  const [account = null] = (await deps.chain.accounts([address])).accounts;
  const held = account === null ? null : readTokenAccount(account);
  return held === null ? null : await indexedToken(deps, held.mint);
}

/**
 * A token as it is known, or else as the chain has it, which is then known. Null for an address that is no mint. Throws CHAIN_UNREACHABLE.
 */
export async function indexedToken(
  {
    tokenIndex,
    chain,
    clock,
  }: Pick<SearchTokensDeps, 'tokenIndex' | 'clock'> & { readonly chain: Pick<Chain, 'token'> },
  mint: Address,
): Promise<IndexedToken | null> {
  const [known] = await tokenIndex.find([mint]);
  if (known !== undefined) return known;
  const token = await chain.token(mint);
  if (token === null) return null;
  await tokenIndex.save([token], clock.now());
  return (await tokenIndex.find([mint]))[0] ?? null;
}
