import {
  barStart,
  type Candle,
  comparePrices,
  exactPrice,
  isDust,
  STORED_MINUTES,
  slotOfTrade,
  type TapeTrade,
} from '@tradepost/tape';
import { beforeEach, describe, expect, it } from 'vitest';
import type { MarketStore } from '../../src/modules/market/store/market-store-port.ts';
import type { TapeStore } from '../../src/platform/ports/tape-store.ts';
import {
  DAY_START,
  freshAddress,
  freshSignature,
  idAt,
  newMarkets,
  slotAt,
  tradeAt,
} from '../support/tape-rows.ts';

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;
const EVER = { from: 0, to: 2 ** 40, limit: 10_000 };
const MAX_U64 = 2n ** 64n - 1n;

/** The rules of a tape. Each `make` gives one without a trade; the markets beside it may know some. Each of four writers commits `commits` times. */
export function describeTapeStore(
  make: () => Promise<{ readonly tape: TapeStore; readonly markets: MarketStore }>,
  commits = 30,
): void {
  let tape: TapeStore;
  let markets: MarketStore;
  let market: number;
  let other: number;
  beforeEach(async () => {
    ({ tape, markets } = await make());
    const [a, b] = await newMarkets(markets, ['PUP', 'CAT']);
    market = a?.id ?? 0;
    other = b?.id ?? 0;
  });

  const live = (trades: readonly TapeTrade[]) => tape.append({ trades, live: [] });
  /** From the day's beginning up to a moment. */
  const seal = (trades: readonly TapeTrade[], from: number, to: number, marketId = market) =>
    tape.seal({
      trades,
      ranges: [{ marketId, after: slotAt(from), upTo: slotAt(to), post: { base: 1n, quote: 2n } }],
    });
  const start = (marketId = market, at = DAY_START - 1) =>
    tape.startCursor({ marketId, slot: slotAt(at), post: null });
  const recorded = async (marketId = market) => (await tape.trades(marketId, { limit: 10_000 })).toReversed();
  const allBars = async (marketId: number) =>
    await Promise.all(STORED_MINUTES.map((minutes) => tape.candles(marketId, minutes, EVER)));
  const figures = async (marketId: number) =>
    (await tape.stats()).find((stats) => stats.marketId === marketId);

  describe('appending', () => {
    it('writes down what came, to the unit, and says what was new', async () => {
      const trades = [
        tradeAt(market, DAY_START + 5),
        tradeAt(market, DAY_START + 6, { side: 'sell', fee: null, feeSource: 'unknown', source: 'net' }),
        tradeAt(other, DAY_START + 6, { index: 1, base: MAX_U64, quote: MAX_U64, fee: MAX_U64 }),
      ];
      const added = await live(trades);
      expect(added).toMatchObject(trades);
      expect(await recorded()).toMatchObject(trades.slice(0, 2));
      expect(await recorded(other)).toMatchObject(trades.slice(2));
      expect((await recorded()).every(({ sealed, dust }) => !sealed && !dust)).toBe(true);
      expect((await recorded())[0]?.price).toBe('1.5');
      expect((await recorded())[0]?.createdAt).toBeGreaterThan(0);
    });

    it('changes nothing when it is repeated', async () => {
      const trades = [0, 1, 2].map((n) => tradeAt(market, DAY_START + n * MINUTE));
      await live(trades.slice(0, 2));
      expect((await live(trades)).map(({ id }) => id)).toEqual([trades[2]?.id]);
      expect(await live([...trades, ...trades])).toEqual([]);
      expect((await figures(market))?.n).toBe(3);
      expect(await allBars(market)).toEqual(barsOf(trades));
    });

    it('takes one batch with a trade twice, and two at the same time', async () => {
      const trades = [0, 1, 2, 3].map((n) => tradeAt(market, DAY_START + n));
      const [one, two] = await Promise.all([
        live([...trades, ...trades]),
        live([...trades.toReversed(), ...trades]),
      ]);
      expect([...one, ...two].map(({ id }) => id).toSorted(byNumber)).toEqual(
        trades.map(({ id }) => id).toSorted(byNumber),
      );
      expect(await allBars(market)).toEqual(barsOf(trades));
      expect((await figures(market))?.n).toBe(4);
    });

    it.each([1, 2, 3])(
      'folds bars that equal a rebuild, in whatever order trades come (%i)',
      async (seed) => {
        const random = seeded(seed);
        const trades = randomTrades(random, [market, other], 120);
        for (let step = 0; step < 12; step += 1) {
          const from = Math.floor(random() * trades.length);
          await live(shuffled(trades.slice(from, from + 40), random));
        }
        await live(shuffled(trades, random));
        for (const id of [market, other]) {
          const own = trades.filter(({ marketId }) => marketId === id);
          expect(await allBars(id)).toEqual(barsOf(own));
          await tape.rebuild(id);
          expect(await allBars(id)).toEqual(barsOf(own));
        }
      },
    );

    it('gives a trade on the edge of two bars to the later', async () => {
      await live([tradeAt(market, DAY_START + HOUR - 1), tradeAt(market, DAY_START + HOUR)]);
      expect((await tape.candles(market, 60, EVER)).map(({ t, n }) => [t, n])).toEqual([
        [DAY_START, 1],
        [DAY_START + HOUR, 1],
      ]);
    });

    it('counts dust in volumes and never in prices', async () => {
      const dust = tradeAt(market, DAY_START + 1, { base: 999n, quote: 10_000_000n });
      await live([dust]);
      expect(await tape.candles(market, 1, EVER)).toEqual([
        { t: DAY_START, prices: null, base: 999n, quote: 10_000_000n, buyQuote: 10_000_000n, n: 1 },
      ]);
      expect(await figures(market)).toMatchObject({ n: 1, high: null, low: null, first: null, last: null });
      expect((await tape.lastTrades()).map(({ id, dust: small }) => [id, small])).toEqual([[dust.id, true]]);
      const whole = tradeAt(market, DAY_START + 2);
      await live([whole]);
      expect((await tape.candles(market, 1, EVER))[0]).toMatchObject({
        prices: { open: '1.5', high: '1.5', openId: whole.id },
        n: 2,
      });
      expect(await tape.lastCandleBefore(market, 1, DAY_START)).toBeNull();
      expect(await tape.lastCandleBefore(market, 1, DAY_START + 1)).toBe(DAY_START);
    });

    it('refuses a market that is not known and writes nothing', async () => {
      await expect(
        live([tradeAt(market, DAY_START), tradeAt(2 ** 30, DAY_START, { index: 1 })]),
      ).rejects.toThrow(RangeError);
      expect(await recorded()).toEqual([]);
    });
  });

  describe('cursors', () => {
    it('start once and move forward only', async () => {
      expect(await tape.cursor(market)).toBeNull();
      await tape.startCursor({ marketId: market, slot: 10n, post: { base: 1n, quote: 2n } });
      await tape.startCursor({ marketId: market, slot: 99n, post: null });
      const at = async () => {
        const cursor = await tape.cursor(market);
        return [cursor?.liveSlot, cursor?.sealedSlot];
      };
      expect(await tape.cursors()).toEqual([
        { marketId: market, liveSlot: 10n, sealedSlot: 10n, post: { base: 1n, quote: 2n } },
      ]);
      await tape.append({ trades: [], live: [{ marketId: market, slot: 20n }] });
      expect(await at()).toEqual([20n, 10n]);
      await tape.append({ trades: [], live: [{ marketId: market, slot: 15n }] });
      expect(await at()).toEqual([20n, 10n]);
    });

    it('of a source move with the seal and not back', async () => {
      expect(await tape.sourceCursor('blocks')).toBeNull();
      for (const slot of [7n, 9n, 8n])
        await tape.seal({ trades: [], ranges: [], source: { name: 'blocks', slot, blockHash: `h${slot}` } });
      expect(await tape.sourceCursor('blocks')).toEqual({ name: 'blocks', slot: 9n, blockHash: 'h9' });
    });
  });

  describe('sealing', () => {
    it('keeps what is there, adds what was missed, takes back what a fork had', async () => {
      await start();
      const kept = tradeAt(market, DAY_START + 10);
      const missed = tradeAt(market, DAY_START + 20, { base: 50_000_000n });
      const forked = tradeAt(market, DAY_START + 30, { quote: 900_000_000n });
      const later = tradeAt(market, DAY_START + 90);
      await live([kept, forked, later]);
      const result = await seal([kept, missed], DAY_START - 1, DAY_START + 40);
      expect(result.added.map(({ id, sealed }) => [id, sealed])).toEqual([[missed.id, true]]);
      expect(result.retracted.map(({ id }) => id)).toEqual([forked.id]);
      expect(result.movedMarketIds).toEqual([market]);
      expect((await recorded()).map(({ id, sealed }) => [id, sealed])).toEqual([
        [kept.id, true],
        [missed.id, true],
        [later.id, false],
      ]);
      expect(await allBars(market)).toEqual(barsOf([kept, missed, later]));
      expect(await figures(market)).toMatchObject({ n: 3, high: '3', low: '1.5', quote: 450_000_000n });
      expect(await tape.cursor(market)).toEqual({
        marketId: market,
        liveSlot: slotAt(DAY_START + 40),
        sealedSlot: slotAt(DAY_START + 40),
        post: { base: 1n, quote: 2n },
      });
    });

    it('replaces a trade that has the same place on another fork', async () => {
      await start();
      const wrong = tradeAt(market, DAY_START + 10, { quote: 300_000_000n });
      const right = tradeAt(market, DAY_START + 10, { side: 'sell' });
      await live([wrong]);
      const { added, retracted } = await seal([right], DAY_START - 1, DAY_START + 40);
      expect([added[0]?.signature, retracted[0]?.signature]).toEqual([right.signature, wrong.signature]);
      expect(await recorded()).toMatchObject([right]);
      expect(await allBars(market)).toEqual(barsOf([right]));
      expect(await figures(market)).toMatchObject({
        n: 1,
        high: '1.5',
        buyQuote: 0n,
        last: { price: '1.5' },
      });
      expect((await tape.lastTrades())[0]).toMatchObject(right);
    });

    it('replaces a trade that differs by its signature alone', async () => {
      await start();
      const wrong = tradeAt(market, DAY_START + 10);
      const right = { ...wrong, signature: freshSignature() };
      await live([wrong]);
      await seal([right], DAY_START - 1, DAY_START + 40);
      expect(await recorded()).toMatchObject([right]);
      expect((await figures(market))?.n).toBe(1);
    });

    it('leaves nothing of a market whose every trade was forked', async () => {
      await start();
      const forked = tradeAt(market, DAY_START + 10);
      await live([forked]);
      await seal([], DAY_START - 1, DAY_START + 40);
      expect(await recorded()).toEqual([]);
      expect(await allBars(market)).toEqual(barsOf([]));
      expect(await tape.lastTrades()).toEqual([]);
      expect(await tape.tradersSince(0)).toEqual([]);
      expect(await figures(market)).toMatchObject({
        n: 0,
        base: 0n,
        quote: 0n,
        high: null,
        first: null,
        last: null,
      });
    });

    it('changes nothing where another process has sealed already, and is exact when repeated', async () => {
      await start();
      const [one, two] = [tradeAt(market, DAY_START + 10), tradeAt(market, DAY_START + 20)];
      await seal([one, two], DAY_START - 1, DAY_START + 40);
      const again = await seal([one], DAY_START - 1, DAY_START + 40);
      expect(again).toEqual({ added: [], retracted: [], movedMarketIds: [] });
      expect(await recorded()).toMatchObject([one, two]);
      expect((await seal([], DAY_START + 40, DAY_START + 50)).movedMarketIds).toEqual([market]);
      expect(await seal([], DAY_START + 50, DAY_START + 60, other)).toMatchObject({ movedMarketIds: [] });
    });

    it('is the last word: a live read of another fork that comes after it changes nothing', async () => {
      await start();
      const final = tradeAt(market, DAY_START + 5);
      await seal([final], DAY_START - 1, DAY_START + 10);
      const [known, bars, sums] = [await recorded(), await allBars(market), await figures(market)];
      const late = [tradeAt(market, DAY_START + 5, { index: 3 }), tradeAt(market, DAY_START + 10), final];
      expect(await live(late)).toEqual([]);
      expect([await recorded(), await allBars(market), await figures(market)]).toEqual([known, bars, sums]);
      const next = tradeAt(market, DAY_START + 11);
      expect((await live([...late, next])).map(({ id }) => id)).toEqual([next.id]);
    });

    it('of two at the same time moves one', async () => {
      await start();
      const trade = tradeAt(market, DAY_START + 10);
      const results = await Promise.all([1, 2].map(() => seal([trade], DAY_START - 1, DAY_START + 40)));
      expect(results.flatMap(({ movedMarketIds }) => movedMarketIds)).toEqual([market]);
      expect((await figures(market))?.n).toBe(1);
    });

    it('keeps the balances of before where nothing touched the vaults', async () => {
      await tape.startCursor({ marketId: market, slot: 1n, post: { base: 3n, quote: 4n } });
      await tape.seal({ trades: [], ranges: [{ marketId: market, after: 1n, upTo: 5n, post: null }] });
      expect(await tape.cursor(market)).toMatchObject({ sealedSlot: 5n, post: { base: 3n, quote: 4n } });
    });

    it('refuses trades from outside of its ranges', async () => {
      await start();
      for (const at of [DAY_START - 2, DAY_START + 41])
        await expect(seal([tradeAt(market, at)], DAY_START - 1, DAY_START + 40)).rejects.toThrow(RangeError);
      await expect(seal([tradeAt(other, DAY_START)], DAY_START - 1, DAY_START + 40)).rejects.toThrow(
        RangeError,
      );
      expect((await tape.cursor(market))?.sealedSlot).toBe(slotAt(DAY_START - 1));
    });

    it.each([4, 5, 6])(
      'ends equal to a rebuild after any mixture of appends, forks and seals (%i)',
      async (seed) => {
        const random = seeded(seed);
        await start();
        const truth = randomTrades(random, [market], 60);
        const forks = randomTrades(random, [market], 30).map((trade) => ({
          ...trade,
          trader: freshAddress(),
        }));
        let sealed = DAY_START - 1;
        for (let step = 1; step <= 6; step += 1) {
          await live(
            shuffled([...truth, ...forks], random)
              .slice(0, 40)
              .filter(({ at }) => at > sealed),
          );
          const to = DAY_START + step * 8 * HOUR;
          await seal(
            shuffled(
              truth.filter(({ at }) => at > sealed && at <= to),
              random,
            ),
            sealed,
            to,
          );
          sealed = to;
        }
        const exact = truth.filter(({ at }) => at <= sealed).toSorted(byId);
        const stripped = (await recorded()).map(({ id, signature }) => [id, signature]);
        expect(stripped).toEqual(exact.map(({ id, signature }) => [id, signature]));
        expect(await allBars(market)).toEqual(barsOf(exact));
        const [last] = await tape.lastTrades();
        expect(last).toMatchObject(exact.at(-1) ?? {});
        const people = new Set(exact.map(({ trader }) => trader));
        expect((await tape.tradersSince(0)).map(({ trader }) => trader).toSorted()).toEqual(
          [...people].toSorted(),
        );
      },
    );
  });

  describe('reading', () => {
    it('pages trades by id, newest first', async () => {
      const trades = [0, 1, 2, 3, 4].map((n) => tradeAt(market, DAY_START + n * 10));
      await live([...trades, tradeAt(other, DAY_START, { index: 9 })]);
      const ids = async (page: Parameters<TapeStore['trades']>[1]) =>
        (await tape.trades(market, page)).map(({ at }) => (at - DAY_START) / 10);
      expect(await ids({ limit: 2 })).toEqual([4, 3]);
      expect(await ids({ limit: 2, before: trades[3]?.id ?? 0n })).toEqual([2, 1]);
      expect(await ids({ limit: 9, after: trades[2]?.id ?? 0n })).toEqual([4, 3]);
      expect(await ids({ limit: 9, since: DAY_START + 30 })).toEqual([4, 3]);
      expect(await ids({ limit: 9, since: DAY_START + 31 })).toEqual([4]);
      expect((await tape.tradesAfter([market, other], trades[3]?.id ?? 0n, 5)).map(({ at }) => at)).toEqual([
        DAY_START + 40,
      ]);
      expect((await tape.tradesAfter([market], 0n, 2)).map(({ at }) => at)).toEqual([
        DAY_START,
        DAY_START + 10,
      ]);
      const ofTrader = await tape.tradesAfter([market, other], 0n, 9, trades[2]?.trader);
      expect(ofTrader.length).toBeGreaterThan(0);
      expect(ofTrader.map(({ trader }) => trader)).toEqual(ofTrader.map(() => trades[2]?.trader));
      expect(await tape.tradesAfter([market, other], 0n, 9, freshAddress())).toEqual([]);
    });

    it('finds the last trade at or before a moment, dust apart', async () => {
      const [old, dust, late] = [
        tradeAt(market, DAY_START),
        tradeAt(market, DAY_START + 5 * HOUR, { base: 1n }),
        tradeAt(market, DAY_START + 2 * DAY),
      ];
      await live([old, dust, late]);
      const at = async (moment: number) => (await tape.firstTradeBefore(market, moment))?.id ?? null;
      expect(await at(DAY_START - 1)).toBeNull();
      expect(await at(DAY_START)).toBe(old.id);
      expect(await at(DAY_START + DAY)).toBe(old.id);
      expect(await at(DAY_START + 2 * DAY)).toBe(late.id);
      expect(await at(DAY_START + 9 * DAY)).toBe(late.id);
    });

    it('gives bars of a range, the newest when there are more', async () => {
      await live([0, 1, 2, 3].map((n) => tradeAt(market, DAY_START + n * MINUTE)));
      const at = async (range: Parameters<TapeStore['candles']>[2]) =>
        (await tape.candles(market, 1, range)).map(({ t }) => (t - DAY_START) / MINUTE);
      expect(await at(EVER)).toEqual([0, 1, 2, 3]);
      expect(await at({ from: DAY_START + MINUTE, to: DAY_START + 3 * MINUTE, limit: 9 })).toEqual([1, 2]);
      expect(await at({ from: DAY_START + 1, to: DAY_START + 3 * MINUTE + 1, limit: 2 })).toEqual([2, 3]);
      expect(await tape.lastCandleBefore(market, 1, DAY_START + 3 * MINUTE)).toBe(DAY_START + 2 * MINUTE);
      expect(await tape.lastCandleBefore(other, 1, DAY_START + DAY)).toBeNull();
    });

    it('tells what happened in the order of the commits, late trades and those taken back included', async () => {
      const start = await tape.logEnd();
      const [early, late, other1] = [
        tradeAt(market, DAY_START),
        tradeAt(market, DAY_START + 60),
        tradeAt(other, DAY_START + 30, { index: 9 }),
      ];
      await live([late]);
      await live([early, late]);
      await live([other1]);
      const since = async (place: bigint, marketIds: readonly number[] | null = null, limit = 10) =>
        (await tape.logAfter(place, { limit, marketIds })).map(({ kind, tradeId }) => [kind, tradeId]);
      expect(await since(start)).toEqual([
        ['trade', late.id],
        ['trade', early.id],
        ['trade', other1.id],
      ]);
      expect(await since(start, [other])).toEqual([['trade', other1.id]]);
      expect(await since(start, null, 1)).toEqual([['trade', late.id]]);
      const place = await tape.logPlace(late.id);
      expect(await since(place ?? 0n)).toEqual([
        ['trade', early.id],
        ['trade', other1.id],
      ]);
      expect(await tape.logPlace(1n)).toBeNull();
      await tape.startCursor({ marketId: market, slot: slotAt(DAY_START - 1), post: null });
      await seal([early], DAY_START - 1, DAY_START + 90);
      expect(await since(place ?? 0n)).toEqual([
        ['trade', early.id],
        ['trade', other1.id],
        ['retracted', late.id],
      ]);
      const [first] = await tape.logAfter(place ?? 0n, { limit: 1, marketIds: null });
      expect(first).toMatchObject({ kind: 'trade', trade: { ...early, sealed: true } });
      expect((await since(start))[0]).toEqual(['gone', late.id]);
      expect(await tape.logEnd()).toBeGreaterThan(place ?? 0n);
    });

    it('shows no later place of the log while an earlier one may still come', async () => {
      const start = await tape.logEnd();
      const seen: bigint[] = [];
      let isOver = false;
      const reading = (async () => {
        for (let place = start; !isOver || seen.length < 4 * commits; ) {
          const events = await tape.logAfter(place, { limit: 1_000, marketIds: null });
          seen.push(...events.map(({ tradeId }) => tradeId));
          place = events.at(-1)?.place ?? place;
        }
      })();
      const writers = [0, 1, 2, 3].map(async (writer) => {
        for (let n = 0; n < commits; n += 1)
          await live([tradeAt(market, DAY_START + n, { index: 100 + writer * 40 + n })]);
      });
      await Promise.all(writers);
      isOver = true;
      await reading;
      expect(seen).toHaveLength(4 * commits);
      expect(new Set(seen).size).toBe(4 * commits);
    });

    it('gives bars of several markets at once, each ascending', async () => {
      await live([0, 1].map((n) => tradeAt(market, DAY_START + n * HOUR)));
      await live([tradeAt(other, DAY_START + HOUR + 1, { index: 7 })]);
      const bars = await tape.candlesOf([market, other, 999_999], 60, {
        from: DAY_START,
        to: DAY_START + DAY,
      });
      const times = [...bars].map(([id, candles]) => [id, candles.map(({ t }) => (t - DAY_START) / HOUR)]);
      expect(new Map(times as [number, number[]][])).toEqual(
        new Map([
          [market, [0, 1]],
          [other, [1]],
        ]),
      );
      expect(bars.get(market)).toEqual(await tape.candles(market, 60, EVER));
      expect(await tape.candlesOf([market], 60, { from: DAY_START, to: DAY_START })).toEqual(new Map());
    });

    it('sums who traded since a moment, and knows who ever traded one token alone', async () => {
      const [loyal, roaming] = [freshAddress(), freshAddress()];
      await live([
        tradeAt(market, DAY_START, { trader: loyal, index: 1 }),
        tradeAt(market, DAY_START + 9, { trader: loyal, side: 'sell', quote: 40_000_000n }),
        tradeAt(other, DAY_START, { trader: roaming, index: 2 }),
        tradeAt(market, DAY_START + 9, { trader: roaming, index: 3 }),
      ]);
      const sums = async (at: number) =>
        new Map(
          (await tape.tradersSince(at)).map(({ trader, marketId, ...sum }) => [`${trader} ${marketId}`, sum]),
        );
      expect(await sums(0)).toEqual(
        new Map([
          [
            `${loyal} ${market}`,
            {
              buyQuote: 150_000_000n,
              sellQuote: 40_000_000n,
              firstAt: DAY_START,
              lastAt: DAY_START + 9,
              onlyMint: true,
            },
          ],
          [
            `${roaming} ${other}`,
            { buyQuote: 150_000_000n, sellQuote: 0n, firstAt: DAY_START, lastAt: DAY_START, onlyMint: false },
          ],
          [
            `${roaming} ${market}`,
            {
              buyQuote: 150_000_000n,
              sellQuote: 0n,
              firstAt: DAY_START + 9,
              lastAt: DAY_START + 9,
              onlyMint: false,
            },
          ],
        ]),
      );
      expect((await sums(DAY_START + 1)).get(`${loyal} ${market}`)).toMatchObject({ buyQuote: 0n });
      expect(await tape.countTraders([market, other], 0)).toBe(2);
      expect(await tape.countTraders([other], 0)).toBe(1);
      expect(await tape.countTraders([other], DAY_START + 1)).toBe(0);
    });

    it('keeps faults until they are cleared', async () => {
      const fault = { signature: 'sig1', marketId: market, slot: 5n, why: 'legs 3, balance 4' };
      await tape.recordFaults([fault, { ...fault, marketId: other, slot: 4n }]);
      await tape.recordFaults([{ ...fault, why: 'legs 3, balance 5' }]);
      expect(await tape.faults(market)).toEqual([{ ...fault, why: 'legs 3, balance 5' }]);
      expect((await tape.faults()).map(({ slot }) => slot)).toEqual([4n, 5n]);
      await tape.clearFaults([fault]);
      expect((await tape.faults()).map(({ marketId }) => marketId)).toEqual([other]);
    });

    it('keeps the earliest gap until it is filled', async () => {
      const gap = async () => (await markets.all()).find(({ id }) => id === market)?.gapSince;
      expect(await gap()).toBeNull();
      for (const slot of [50n, 40n, 60n]) await tape.markGap(market, slot);
      expect(await gap()).toBe(40n);
      await tape.clearGap(market);
      expect(await gap()).toBeNull();
    });
  });

  describe('figures of 24 hours', () => {
    const NOW = DAY_START + 3 * DAY;
    const at = (minutesAgo: number, price: bigint, changes: Partial<TapeTrade> = {}) =>
      tradeAt(market, NOW - minutesAgo * MINUTE, { quote: price * 100_000_000n, ...changes });

    it('lose the minutes that leave, and find high and low among those that stay', async () => {
      await live([
        at(1_442, 9n),
        at(1_441, 5n, { side: 'sell' }),
        at(1_439, 2n),
        at(3, 4n, { side: 'sell' }),
      ]);
      await tape.moveWindows(NOW - 10 * MINUTE);
      expect(await figures(market)).toMatchObject({
        n: 4,
        high: '9',
        low: '2',
        firstIsBefore: false,
        first: { price: '9' },
      });
      await tape.moveWindows(NOW);
      expect(await figures(market)).toEqual({
        marketId: market,
        windowStart: NOW - DAY,
        base: 200_000_000n,
        quote: 600_000_000n,
        buyQuote: 200_000_000n,
        n: 2,
        high: '4',
        low: '2',
        first: { price: '5', id: idAt(NOW - 1_441 * MINUTE), at: NOW - 1_441 * MINUTE },
        firstIsBefore: true,
        last: { price: '4', id: idAt(NOW - 3 * MINUTE), at: NOW - 3 * MINUTE },
      });
      await tape.moveWindows(NOW + MINUTE);
      await tape.moveWindows(NOW + 2 * MINUTE);
      expect(await figures(market)).toMatchObject({ n: 1, high: '4', low: '4', first: { price: '2' } });
    });

    it('never move back, and count a late trade by when it was', async () => {
      await tape.moveWindows(NOW);
      await tape.moveWindows(NOW - HOUR);
      await live([at(2_000, 3n), at(10, 4n)]);
      expect(await figures(market)).toMatchObject({
        windowStart: NOW - DAY,
        n: 1,
        high: '4',
        first: { price: '3' },
        firstIsBefore: true,
      });
      await live([at(1_800, 7n), at(2_100, 8n), at(20, 6n)]);
      expect(await figures(market)).toMatchObject({
        n: 2,
        high: '6',
        low: '4',
        first: { price: '7' },
        last: { price: '4' },
      });
    });

    it('are right after a pause of days, and as a rebuild has them', async () => {
      await tape.moveWindows(NOW - 3 * DAY);
      await live([at(3_000, 9n), at(1_500, 5n), at(100, 2n), at(50, 3n)]);
      await tape.moveWindows(NOW);
      const moved = await figures(market);
      expect(moved).toMatchObject({ n: 2, high: '3', low: '2', first: { price: '5' }, firstIsBefore: true });
      await tape.rebuild(market);
      expect(await figures(market)).toEqual(moved);
    });
  });

  describe('upkeep', () => {
    it('drops trades after a week and keeps what they became', async () => {
      const now = DAY_START + 20 * DAY;
      const [old, young] = [tradeAt(market, DAY_START), tradeAt(market, now - HOUR)];
      const gone = tradeAt(other, DAY_START, { index: 1 });
      await live([old, young, gone]);
      const before = await allBars(market);
      await tape.upkeep({ now, slot: slotAt(now), maxBytes: 2n ** 50n });
      expect(await recorded()).toMatchObject([young]);
      expect(await recorded(other)).toEqual([]);
      expect(await allBars(market)).toEqual(before);
      expect((await tape.lastTrades()).map(({ id }) => id).toSorted(byNumber)).toEqual(
        [gone.id, young.id].toSorted(byNumber),
      );
      await tape.rebuild(market);
      expect(await allBars(market)).toEqual(before);
      expect(await tape.upkeep({ now, slot: slotAt(now), maxBytes: 2n ** 50n })).toEqual([]);
      await live([tradeAt(market, now)]);
      expect(await recorded()).toHaveLength(2);
    });

    it('drops the oldest first when there is too much, never those of today', async () => {
      const now = DAY_START + 5 * DAY;
      const trades = [0, 2, 5].map((day) => tradeAt(market, DAY_START + day * DAY));
      await live(trades);
      await tape.upkeep({ now, slot: slotAt(now), maxBytes: 0n });
      expect(await recorded()).toMatchObject(trades.slice(-1));
    });

    it('drops minutes after a month', async () => {
      const now = DAY_START + 60 * DAY;
      await live([tradeAt(market, DAY_START), tradeAt(market, now)]);
      await tape.upkeep({ now, slot: slotAt(now), maxBytes: 2n ** 50n });
      const counts = await Promise.all(
        STORED_MINUTES.map(async (res) => (await tape.candles(market, res, EVER)).length),
      );
      expect(counts).toEqual([1, 2, 2, 2, 2, 2]);
    });
  });
}

function byNumber(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function byId(one: TapeTrade, other: TapeTrade): number {
  return one.id < other.id ? -1 : 1;
}

/** Bars of every kept resolution, told once more from the trades alone. */
function barsOf(trades: readonly TapeTrade[]): readonly (readonly Candle[])[] {
  return STORED_MINUTES.map((minutes) => {
    const starts = [...new Set(trades.map(({ at }) => barStart(at, minutes)))].toSorted((a, b) => a - b);
    return starts.map((t) => barOf(t, trades.filter(({ at }) => barStart(at, minutes) === t).toSorted(byId)));
  });
}

function barOf(t: number, own: readonly TapeTrade[]): Candle {
  const priced = own.filter((trade) => !isDust(trade));
  const prices = priced.map((trade) => exactPrice(trade, { baseDecimals: 6, quoteDecimals: 6 }));
  const sorted = prices.toSorted(comparePrices);
  const [first, last] = [priced[0], priced.at(-1)];
  const sum = (of: readonly TapeTrade[], side: 'base' | 'quote') =>
    of.reduce((total, trade) => total + trade[side], 0n);
  return {
    t,
    prices:
      first === undefined || last === undefined
        ? null
        : {
            open: prices[0] ?? '',
            high: sorted.at(-1) ?? '',
            low: sorted[0] ?? '',
            close: prices.at(-1) ?? '',
            openId: first.id,
            closeId: last.id,
          },
    base: sum(own, 'base'),
    quote: sum(own, 'quote'),
    buyQuote: sum(
      own.filter(({ side }) => side === 'buy'),
      'quote',
    ),
    n: own.length,
  };
}

function randomTrades(
  random: () => number,
  marketIds: readonly number[],
  wanted: number,
): readonly TapeTrade[] {
  const taken = new Set<bigint>();
  return Array.from({ length: wanted }, (_, n) => {
    const at = DAY_START + Math.floor(random() * 2 * DAY);
    const units = () => BigInt(Math.floor(random() * (random() < 0.2 ? 2_000 : 10_000_000_000))) + 1n;
    return tradeAt(marketIds[n % marketIds.length] ?? 0, at, {
      index: n % 7,
      side: random() < 0.5 ? 'buy' : 'sell',
      base: units(),
      quote: units(),
    });
  }).filter(({ id }) => slotOfTrade(id) > 0n && !taken.has(id) && taken.add(id));
}

function shuffled<T>(list: readonly T[], random: () => number): readonly T[] {
  return list
    .map((item) => ({ item, key: random() }))
    .toSorted((one, other) => one.key - other.key)
    .map(({ item }) => item);
}

/** Mulberry32. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
