import type { Address } from '@tradepost/solana';
import type { MarketKeys, VaultPost } from '@tradepost/tape';
import type { PoolVaults } from '@tradepost/venues';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { TapeStore } from '../../../platform/ports/tape-store.ts';
import type { PoolKeeper, Venue } from '../../../platform/ports/venue.ts';
import { imitatedToken } from '../../tokens/rules/look-alike.ts';
import type { WellKnownToken } from '../../tokens/rules/safety.ts';
import type { Market, NewMarket } from '../rules/market.ts';
import { baseAndQuote } from '../rules/market-name.ts';
import type { MarketStore, NameClaim } from '../store/market-store-port.ts';
import type { FoundPool, PoolCatalogue } from '../store/pool-catalogue-port.ts';

export type FollowMarketsDeps = {
  readonly venues: readonly Venue[];
  readonly catalogue: Pick<PoolCatalogue, 'duePools'>;
  readonly markets: Pick<MarketStore, 'nameMints' | 'record'>;
  readonly tape: Pick<TapeStore, 'startCursor'>;
  readonly chain: Pick<Chain, 'token'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  readonly wellKnown: readonly WellKnownToken[];
  /** Mints that a market counts in where it holds one, the first of them first. */
  readonly quoteMints: readonly Address[];
  /** Markets that are followed at most. */
  readonly limit: number;
};

/**
 * The slot after which each market is read, and the balances of its vaults then. No trade of the market that counts lies before that slot.
 */
export type Starts = (
  markets: readonly MarketKeys[],
) => Promise<readonly { readonly slot: bigint; readonly post: VaultPost }[]>;

/** A pool without a request in this time is not taken up. */
const ASKED_WITHIN_MS = 7 * 86_400_000;

/**
 * Takes up the pools that should be followed and are not yet: every pool of a venue that has a list, else those that people
 * ask about, and that are not among `known`. Names their mints, and starts their cursors where `starts` says. A venue that does not answer is left out of this
 * round. Returns how many were new.
 */
export async function followMarkets(
  deps: FollowMarketsDeps,
  known: readonly Pick<Market, 'address' | 'followed'>[],
  starts: Starts,
): Promise<number> {
  const addresses = new Set(known.map(({ address }) => address));
  const followed = known.filter((market) => market.followed).length;
  let room = Math.max(0, deps.limit - followed);
  let added = 0;
  for (const venue of deps.venues) {
    if (venue.markets === undefined || room === 0) continue;
    try {
      const pools = await poolsOf(deps, venue);
      const fresh = pools.filter(({ id }) => !addresses.has(id)).slice(0, room);
      if (fresh.length === 0) continue;
      const taken = await takeUp(deps, venue, fresh, starts);
      added += taken;
      room -= taken;
    } catch (err) {
      deps.log.warn({ venue: venue.name, err }, 'the markets of a venue could not be read');
    }
  }
  return added;
}

/**
 * Starts markets that a process left behind when it ended between a market's row and its cursor. A known market is not taken up again, and
 * without a cursor it is never read. It begins where it would have begun.
 */
export async function startForgotten(
  { tape }: { readonly tape: Pick<TapeStore, 'startCursor' | 'cursors'> },
  known: readonly Pick<Market, 'id' | 'followed' | 'createdSlot'>[],
): Promise<void> {
  const started = new Set((await tape.cursors()).map(({ marketId }) => marketId));
  for (const { id, followed, createdSlot } of known)
    if (followed && !started.has(id)) await tape.startCursor({ marketId: id, slot: createdSlot, post: null });
}

async function poolsOf(
  { catalogue, clock, limit }: FollowMarketsDeps,
  venue: Venue,
): Promise<readonly FoundPool[]> {
  if (venue.markets?.list !== undefined) return venue.markets.list();
  const now = clock.now();
  return catalogue.duePools({
    venue: venue.name,
    askedSince: now - ASKED_WITHIN_MS,
    seenBefore: now + 1,
    limit,
  });
}

async function takeUp(
  deps: FollowMarketsDeps,
  venue: Venue,
  pools: readonly FoundPool[],
  starts: Starts,
): Promise<number> {
  const described = (await venue.markets?.describe(pools)) ?? [];
  const keys = pools.flatMap(({ id }, index) => {
    const pool = described[index] ?? null;
    return pool === null ? [] : [marketOf(id, venue.name, pool, deps.quoteMints)];
  });
  if (keys.length === 0) return 0;
  const began = await starts(keys);
  const markets = keys.map((key, index) => ({ ...key, createdSlot: began[index]?.slot ?? 0n }));
  await deps.markets.nameMints(await claimsOf(deps, markets));
  const rows = await deps.markets.record(markets);
  for (const [index, { id }] of rows.entries()) {
    const start = began[index];
    if (start !== undefined) await deps.tape.startCursor({ marketId: id, ...start });
  }
  return rows.length;
}

function marketOf(
  address: Address,
  venue: string,
  { kind, programId, mints, vaults }: PoolVaults & PoolKeeper,
  quoteMints: readonly Address[],
): Omit<NewMarket, 'createdSlot'> {
  const [first, second] = mints;
  // A book has sides of its own, and so does a curve: the token that it is sold for is its quote.
  const { quoteMint } =
    kind === 'tokens' ? baseAndQuote([first.mint, second.mint], quoteMints) : { quoteMint: second.mint };
  const isTurned = quoteMint === first.mint;
  const [base, quote] = isTurned ? [second, first] : [first, second];
  const [baseVault, quoteVault] = isTurned ? [vaults[1], vaults[0]] : vaults;
  return {
    address,
    venue,
    programId,
    kind,
    baseMint: base.mint,
    quoteMint: quote.mint,
    baseDecimals: base.decimals,
    quoteDecimals: quote.decimals,
    baseVault,
    quoteVault,
  };
}

/** Well-known mints first: a bare ticker is theirs, whichever others are met in the same round. */
async function claimsOf(
  { chain, wellKnown }: Pick<FollowMarketsDeps, 'chain' | 'wellKnown'>,
  markets: readonly NewMarket[],
): Promise<readonly NameClaim[]> {
  const mints = [...new Set(markets.flatMap(({ baseMint, quoteMint }) => [baseMint, quoteMint]))];
  const claims = await Promise.all(
    mints.map(async (mint) => {
      const known = wellKnown.find((one) => one.mint === mint);
      const symbol = known?.symbol ?? (await chain.token(mint))?.symbol ?? null;
      const imitates = imitatedToken({ mint, symbol }, wellKnown) !== null;
      return { mint, symbol, verified: known !== undefined, imitates };
    }),
  );
  return claims.toSorted((a, b) => Number(b.verified) - Number(a.verified));
}
