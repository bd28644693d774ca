import { type Address, maxBigint } from '@tradepost/solana';
import type { TapeTransaction } from '@tradepost/tape';
import type { WireTransaction } from '../wire-transaction.ts';
import type { GeyserUpdate } from './read-update.ts';

/** Slots that are kept: more than one live read covers. */
const SLOTS_KEPT = 512;
/** A server applies a new filter while it streams: its facts on a market are trusted from so many slots on. */
const SETTLING_SLOTS = 16n;

type Kept = { readonly index: number; readonly transaction: WireTransaction };
/** `at` is null until the block itself comes. */
type KeptSlot = { at: number | null; readonly transactions: Map<string, Kept> };

/**
 * The newest slots of a stream, and those that it delivered without a break. Each block names the one before it, so a hole shows, and slots
 * before a hole are not answered from here. A transaction that the stream leaves out does not show: this is for freshness, and the seal
 * proves.
 */
export function createStreamWindow() {
  const slots = createKeptSlots();
  let tip: bigint | null = null;
  /** Everything after this slot has come. */
  let wholeAfter: bigint | null = null;
  /** Markets that the stream was asked for, each with the slot after which it reports it. */
  let markets: ReadonlyMap<Address, bigint> = new Map();

  const forgetOld = (newest: bigint): void => {
    const oldest = newest - BigInt(SLOTS_KEPT);
    slots.forget(oldest);
    if (wholeAfter !== null) wholeAfter = maxBigint(wholeAfter, oldest);
  };

  return {
    /** The newest slot whose block has come; null before the first. */
    tip: (): bigint | null => tip,
    /** The request to the stream from now on. Markets from the earlier request stay as they are. */
    ask: (wanted: ReadonlySet<Address>): void => {
      const from = tip === null ? 0n : tip + SETTLING_SLOTS;
      markets = new Map([...wanted].map((market) => [market, markets.get(market) ?? from]));
    },
    /** The stream begins anew, and goes on behind the tip or not. */
    restart: (goesOn: boolean): void => {
      if (goesOn) return;
      tip = null;
      wholeAfter = null;
      slots.clear();
      markets = new Map([...markets.keys()].map((market) => [market, 0n]));
    },
    /** Takes an update in; returns the markets that a block which is whole now names. */
    take: (update: GeyserUpdate): readonly Address[] => {
      if (update.kind === 'transaction') {
        const { index, transaction } = update;
        slots.of(update.slot).transactions.set(transaction.signature, { index, transaction });
        return [];
      }
      if (update.kind !== 'block' || (tip !== null && update.slot <= tip)) return [];
      const { slot, parentSlot, at } = update;
      // Of the first block, and of the first behind a hole, a part may have come before the client listened.
      if (parentSlot !== tip) wholeAfter = slot;
      tip = slot;
      const block = slots.of(slot);
      block.at = at;
      forgetOld(slot);
      const named = new Set([...block.transactions.values()].flatMap(({ transaction }) => transaction.keys));
      return [...markets.keys()].filter((market) => named.has(market));
    },
    /** The market's transactions with after < slot <= upTo in the chain's order; null where the stream did not tell all of it. */
    read: (market: Address, after: bigint, upTo: bigint): readonly TapeTransaction[] | null => {
      const since = markets.get(market);
      if (since === undefined || wholeAfter === null || tip === null) return null;
      if (after < maxBigint(since, wholeAfter) || upTo > tip) return null;
      return slots.within(after, upTo).flatMap(([slot, block]) => namedIn(slot, block, market));
    },
  };
}

function createKeptSlots() {
  const slots = new Map<bigint, KeptSlot>();
  return {
    of: (slot: bigint): KeptSlot => {
      const known = slots.get(slot) ?? { at: null, transactions: new Map() };
      slots.set(slot, known);
      return known;
    },
    forget: (upTo: bigint): void => {
      for (const slot of slots.keys()) if (slot <= upTo) slots.delete(slot);
    },
    /** Ascending. */
    within: (after: bigint, upTo: bigint): readonly (readonly [bigint, KeptSlot])[] =>
      [...slots].filter(([slot]) => slot > after && slot <= upTo).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    clear: (): void => slots.clear(),
  };
}

/** Those of a block that name the market, in its order. */
function namedIn(slot: bigint, { at, transactions }: KeptSlot, market: Address): readonly TapeTransaction[] {
  if (at === null) return [];
  return [...transactions.values()]
    .filter(({ transaction }) => transaction.keys.includes(market))
    .toSorted((a, b) => a.index - b.index)
    .map(({ index, transaction }) => transaction.decode({ slot, index, at }));
}

export type StreamWindow = ReturnType<typeof createStreamWindow>;
