import { minBigint } from '@tradepost/solana';
import { linkBalances, slotOfTrade, type VaultPost } from '@tradepost/tape';
import type { Logger } from '../../../platform/ports/logger.ts';
import type {
  MarketCursor,
  SealBatch,
  SealResult,
  SourceCursor,
  TapeFault,
  TapeStore,
} from '../../../platform/ports/tape-store.ts';
import type { HeldAt } from '../../../platform/ports/transaction-source.ts';
import type { Market } from '../rules/market.ts';
import { decodable, type ProvenRead, type ReadMarketDeps, readProven } from './read-market.ts';

export type SealMarketsDeps = ReadMarketDeps & {
  readonly tape: Pick<TapeStore, 'seal' | 'recordFaults' | 'markGap' | 'clearGap'>;
  readonly log: Pick<Logger, 'warn' | 'error'>;
};

export type Sealable = { readonly market: Market; readonly cursor: MarketCursor };

/** Slots of one commit, where whole blocks are read: a source that lists signatures begins at the newest anyway. */
export const MAX_SEAL_SLOTS = 200n;

type Sealed = {
  readonly trades: SealBatch['trades'];
  readonly ranges: SealBatch['ranges'];
  readonly faults: readonly TapeFault[];
  readonly times: NonNullable<SealBatch['slotTimes']>;
};
const NOTHING: Sealed = { trades: [], ranges: [], faults: [], times: [] };

/**
 * Reads these markets at `finalized` from where each is sealed, and writes down the proved part in one commit: trades, trades that a fork
 * took back, balances, cursors. A transaction that cannot be decoded to the unit ends its market's range before it; a hole marks the
 * market. Returns the changes, and whether any market has more to seal.
 */
export async function sealMarkets(
  deps: SealMarketsDeps,
  wanted: readonly Sealable[],
  horizon: bigint,
  sourceCursor: () => SourceCursor | null,
): Promise<SealResult & { readonly more: boolean }> {
  const due = wanted.filter(({ cursor }) => cursor.sealedSlot < horizon);
  const held = await deps.source.held(due.map(({ market }) => market));
  const sealed = withOwnNumbers(
    await Promise.all(
      due.map((one, index) => sealOne(deps, one, endOf(one.cursor, horizon, held?.[index] ?? null))),
    ),
  );
  const ranges = sealed.flatMap((one) => one.ranges);
  const trades = sealed.flatMap((one) => one.trades);
  const faults = sealed.flatMap((one) => one.faults);
  if (faults.length > 0) await deps.tape.recordFaults(faults);
  const more = held === null && ranges.some(({ upTo }) => upTo < horizon);
  if (ranges.length === 0) return { added: [], retracted: [], movedMarketIds: [], more: false };
  const source = more ? null : sourceCursor();
  const result = await deps.tape.seal({
    trades,
    ranges,
    slotTimes: sealed.flatMap((one) => one.times),
    ...(source === null ? {} : { source }),
  });
  return { ...result, more };
}

/** The tape knows a trade by its number alone: a second one under it would be dropped without a word, so it is a fault. */
function withOwnNumbers(sealed: readonly Sealed[]): readonly Sealed[] {
  const known = new Set<bigint>();
  return sealed.map((one) => {
    const twin = one.trades.find(({ id }) => known.has(id));
    for (const { id } of one.trades) known.add(id);
    if (twin === undefined) return one;
    const { signature, marketId, id } = twin;
    const why = `another market's trade has the number ${id}`;
    return { ...NOTHING, faults: [...one.faults, { signature, marketId, slot: slotOfTrade(id), why }] };
  });
}

type End = { readonly upTo: bigint; readonly held: VaultPost };

/** Up to where a market is read this time, and the balances that its vaults must have there. */
function endOf({ sealedSlot }: MarketCursor, horizon: bigint, held: HeldAt | null): End {
  return held === null
    ? { upTo: minBigint(horizon, sealedSlot + MAX_SEAL_SLOTS), held: null }
    : { upTo: held.slot, held };
}

async function sealOne(
  deps: SealMarketsDeps,
  { market, cursor }: Sealable,
  { upTo, held }: End,
): Promise<Sealed> {
  const { sealedSlot: after, post } = cursor;
  if (upTo <= after) return NOTHING;
  try {
    const read = await readProven(
      deps,
      await decodable(deps, market),
      { after, upTo, level: 'finalized' },
      post,
      held,
    );
    await markHole(deps, market, read.hole, after);
    const ends = [upTo, ...read.faults.map(({ slot }) => slot - 1n)];
    const end = (read.hole === null ? ends : [...ends, read.hole.since - 1n]).reduce(minBigint);
    const faults = read.faults.filter(({ slot }) => slot === end + 1n);
    return end <= after
      ? { ...NOTHING, faults }
      : { ...proved(read, market, post, { after, upTo: end }), faults };
  } catch (err) {
    deps.log.warn({ market: market.address, after, upTo, err }, 'a market could not be sealed');
    return NOTHING;
  }
}

/** The part that was read up to a slot: nothing is guessed, and nothing after it is taken for proved. */
function proved(
  { transactions, trades }: ProvenRead,
  market: Market,
  before: VaultPost,
  { after, upTo }: { readonly after: bigint; readonly upTo: bigint },
): Omit<Sealed, 'faults'> {
  const within = transactions.filter(({ slot }) => slot <= upTo);
  const linked = linkBalances(within, market, before);
  const post = linked.kind === 'whole' ? (linked.post ?? before) : before;
  return {
    trades: trades.filter(({ id }) => slotOfTrade(id) <= upTo),
    ranges: [{ marketId: market.id, after, upTo, post }],
    times: within.map(({ slot, at }) => ({ slot, at })),
  };
}

async function markHole(
  { tape, log }: SealMarketsDeps,
  { id, address, gapSince }: Market,
  hole: ProvenRead['hole'],
  after: bigint,
): Promise<void> {
  // A gap before the sealed slot can no longer be filled, so it stays.
  if (hole === null && gapSince !== null && gapSince > after) await tape.clearGap(id);
  if (hole === null || gapSince !== null) return;
  log.error({ market: address, ...hole }, 'transactions of a market are missing: it is marked as a gap');
  await tape.markGap(id, hole.since);
}
