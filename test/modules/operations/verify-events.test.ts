import { WSOL_MINT } from '@tradepost/solana';
import { firstIdOfSlot, type RecordedTrade } from '@tradepost/tape';
import { describe, expect, it } from 'vitest';
import type { Market } from '../../../src/modules/market/rules/market.ts';
import { verifyEvents } from '../../../src/modules/operations/use/verify-events.ts';
import type { OrderEvent } from '../../../src/modules/orders/rules/event-trigger.ts';
import type { OrderTerms } from '../../../src/modules/orders/rules/order.ts';
import type { SeenMove } from '../../../src/modules/orders/store/order-feed-store-port.ts';
import type { EventFire } from '../../../src/platform/ports/order-books.ts';
import { newAddress } from '../../conformance/store-rows.ts';

const MINT = newAddress();
const CREATOR = newAddress();
const DEV: OrderEvent = {
  kind: 'dev-sells',
  creator: CREATOR,
  held: 400n,
  supply: 100_000n,
  sinceSlot: 100n,
};
const FALL: OrderEvent = { kind: 'liquidity-falls', fallBps: 5_000, liquidity: 1_000n, onCurve: false };

const fire = (
  event: OrderEvent | null,
  more: Partial<EventFire> = {},
  terms: Partial<OrderTerms> = {},
): EventFire => ({
  intentId: 'i1',
  mint: MINT,
  terms: { ...(event === null ? {} : { event }), sellsOnExpiry: false, ...terms } as OrderTerms,
  slot: 120n,
  seen: event?.kind === 'dev-sells' ? 200n : 500n,
  firedAt: 10,
  expiresAt: 100,
  follows: false,
  ...more,
});

const trade = (slot: bigint, more: Partial<RecordedTrade> = {}): RecordedTrade =>
  ({
    id: firstIdOfSlot(slot) + 1n,
    marketId: 1,
    side: 'sell',
    base: 200n,
    quote: 1n,
    trader: CREATOR,
    ...more,
  }) as RecordedTrade;
const EARLIER = trade(50n, { trader: newAddress() });

function tapeOf(
  trades: readonly RecordedTrade[],
  market: Partial<Market> = {},
  moves: readonly SeenMove[] = [],
) {
  return {
    orderFeed: { creatorMoves: async () => moves },
    tape: {
      tradesAfter: async (ids: readonly number[], after: bigint, limit: number, trader?: string) =>
        trades
          .filter(
            (one) => ids.includes(one.marketId) && one.id > after && (trader ?? one.trader) === one.trader,
          )
          .slice(0, limit),
    },
    markets: {
      ofMint: async () => [
        { id: 1, baseMint: MINT, quoteMint: WSOL_MINT, gapSince: null, ...market } as Market,
      ],
    },
  };
}

const found = async (one: EventFire, tape: Parameters<typeof verifyEvents>[0]['tape'] = null) => {
  const books = { eventFires: async (after: string) => (after === '' ? [one] : []) };
  return (await verifyEvents({ books, tape })).mismatches.map(({ detail }) => detail).join();
};

describe('verifying the events of fires', () => {
  it('finds nothing where the creator sold enough, or the liquidity lay low enough', async () => {
    expect(await found(fire(DEV), tapeOf([EARLIER, trade(110n)]))).toBe('');
    expect(await found(fire(FALL))).toBe('');
  });

  it('names a fire whose own figure is no reason to sell, and one without a figure', async () => {
    expect(await found(fire(DEV, { seen: 199n }))).toMatch(/had sold 199 of 100000/);
    expect(await found(fire(FALL, { seen: 501n }))).toMatch(/liquidity of 501, agreed were 500/);
    for (const event of [DEV, FALL])
      expect(await found(fire(event, { seen: null }))).toMatch(/without a figure/);
    expect(await found(fire(null))).toMatch(/no event/);
  });

  it.each([
    ['no sale', []],
    ['a smaller sale', [trade(110n, { base: 199n })]],
    ['a sale of another wallet', [trade(110n, { trader: newAddress() })]],
    ['a sale of before the placing', [trade(100n)]],
    ['a sale of after the fire', [trade(121n)]],
    ['a purchase', [trade(110n, { side: 'buy' })]],
  ])('names a fire for which the tape has %s', async (_, trades) => {
    expect(await found(fire(DEV), tapeOf([EARLIER, ...trades]))).toMatch(/^the tape has \d+ units/);
  });

  it('counts sales of a wallet that the creator gave tokens to, up to the slot of the fire', async () => {
    const heir = newAddress();
    const sale = trade(112n, { trader: heir });
    const moved = (slot: bigint): SeenMove => ({
      mint: MINT,
      creator: CREATOR,
      signature: 's',
      recipient: heir,
      slot,
      units: 200n,
      seenAt: 1,
    });
    expect(await found(fire(DEV), tapeOf([EARLIER, sale], {}, [moved(110n)]))).toBe('');
    expect(await found(fire(DEV), tapeOf([EARLIER, sale], {}, [moved(113n)]))).toMatch(/^the tape has 0/);
    expect(await found(fire(DEV), tapeOf([EARLIER, sale]))).toMatch(/^the tape has 0/);
  });

  it('asks no tape that has a gap, begins after the placing, or does not know the token', async () => {
    expect(await found(fire(DEV), tapeOf([EARLIER], { gapSince: 60n }))).toBe('');
    expect(await found(fire(DEV), tapeOf([trade(115n, { trader: newAddress() })]))).toBe('');
    expect(await found(fire(DEV), { ...tapeOf([]), markets: { ofMint: async () => [] } })).toBe('');
  });

  it('asks for no event of these terms where none was needed', async () => {
    expect(await found(fire(DEV, { seen: null, firedAt: 100 }, { sellsOnExpiry: true }))).toBe('');
    expect(await found(fire(FALL, { seen: null, firedAt: 100 }))).not.toBe('');
    expect(await found(fire(FALL, { seen: null, follows: true }))).toBe('');
    expect(await found(fire(FALL, { seen: 900n, follows: true }))).not.toBe('');
    expect(await found(fire(FALL, { seen: 900n }, { agreedAt: 11 }))).toBe('');
    expect(await found(fire(FALL, { seen: 900n }, { agreedAt: 10 }))).not.toBe('');
  });
});
