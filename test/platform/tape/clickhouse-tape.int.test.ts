import { type Candle, STORED_MINUTES, type TapeTrade } from '@tradepost/tape';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Engine } from '../../../src/platform/tape/clickhouse/engine.ts';
import { openTape, type Tape } from '../../../src/platform/tape/open-tape.ts';
import { describeTapeStore } from '../../conformance/tape-store.ts';
import { describeWalletFlows } from '../../conformance/wallet-flows.ts';
import { hasClickHouse, openClickHouseHere } from '../../support/clickhouse.ts';
import { createTestDatabase } from '../../support/database.ts';
import { DAY_START, newMarkets, slotAt, tradeAt } from '../../support/tape-rows.ts';

describe.skipIf(!hasClickHouse)('the tape in ClickHouse', () => {
  let tape: Tape;
  let breaking: ReturnType<typeof breakable>;
  beforeAll(async () => {
    breaking = breakable(openClickHouseHere());
    tape = await openTape({ url: await createTestDatabase(), clickHouse: breaking.engine });
  });
  afterAll(() => tape.tape.close());

  describeTapeStore(async () => {
    await tape.markets.forget();
    return tape;
    // A commit here takes about a quarter of a second beside a reader that never rests.
  }, 5);

  describeWalletFlows(
    async () => {
      await tape.markets.forget();
      return tape;
    },
    { trades: 120, steps: 2 },
  );

  describe('a writer that dies half way', () => {
    let market: number;
    let kept: TapeTrade;
    let forked: TapeTrade;
    let missed: TapeTrade;
    beforeEach(async () => {
      await tape.markets.forget();
      const [one] = await newMarkets(tape.markets, ['PUP']);
      market = one?.id ?? 0;
      kept = tradeAt(market, DAY_START + 10);
      forked = tradeAt(market, DAY_START + 30, { quote: 900_000_000n });
      missed = tradeAt(market, DAY_START + 20, { base: 50_000_000n });
      await tape.tape.startCursor({ marketId: market, slot: slotAt(DAY_START - 1), post: null });
      await tape.tape.append({ trades: [kept, forked], live: [] });
    });
    const seal = () =>
      tape.tape.seal({
        trades: [kept, missed],
        ranges: [
          { marketId: market, after: slotAt(DAY_START - 1), upTo: slotAt(DAY_START + 40), post: null },
        ],
      });
    const state = async () => ({
      trades: (await tape.tape.trades(market, { limit: 10 })).map(({ id, sealed }) => [id, sealed]),
      bars: await Promise.all(
        STORED_MINUTES.map((minutes) =>
          tape.tape.candles(market, minutes, { from: 0, to: 2 ** 40, limit: 10 }),
        ),
      ),
      stats: await tape.tape.stats(),
      last: (await tape.tape.lastTrades()).map(({ id }) => id),
      traders: (await tape.tape.tradersSince(0)).map(({ trader }) => trader),
    });

    it('leaves work that its successor finishes, wherever it died', async () => {
      let statements = 0;
      for (let dies = 1; ; dies += 1) {
        if (dies > 1) {
          // The market as it was before: a fork has a trade that the seal will not find.
          await tape.markets.forget();
          const [one] = await newMarkets(tape.markets, ['PUP']);
          market = one?.id ?? 0;
          [kept, forked, missed] = [kept, forked, missed].map((trade) => ({
            ...trade,
            marketId: market,
          })) as [TapeTrade, TapeTrade, TapeTrade];
          await tape.tape.startCursor({ marketId: market, slot: slotAt(DAY_START - 1), post: null });
          await tape.tape.append({ trades: [kept, forked], live: [] });
        }
        breaking.dieAt(dies);
        const died = await seal().then(
          () => false,
          () => true,
        );
        breaking.dieAt(null);
        if (!died) break;
        statements = dies;
        expect((await tape.tape.cursor(market))?.sealedSlot).toBe(slotAt(DAY_START - 1));
        await seal();
        const found = await state();
        expect(found.trades).toEqual([
          [missed.id, true],
          [kept.id, true],
        ]);
        expect(
          found.bars.map(([bar]: readonly Candle[]) => [bar?.n, bar?.quote, bar?.prices?.close]),
        ).toEqual(STORED_MINUTES.map(() => [2, 300_000_000n, '3']));
        expect(found.stats).toMatchObject([{ n: 2, high: '3', low: '1.5', last: { id: missed.id } }]);
        expect(found.last).toEqual([missed.id]);
        expect(found.traders.toSorted()).toEqual([kept.trader, missed.trader].toSorted());
      }
      expect(statements).toBeGreaterThan(8);
    });
  });
});

/** The engine, which can be told to fail at its n-th statement from now on. */
function breakable(engine: Engine) {
  let left: number | null = null;
  const counted = async <T>(work: () => Promise<T>): Promise<T> => {
    if (left !== null) {
      left -= 1;
      if (left <= 0) throw new Error('the writer died');
    }
    return await work();
  };
  const wrapped: Engine = {
    query: (text, params) => counted(() => engine.query(text, params)),
    run: (text, params) => counted(() => engine.run(text, params)),
    insert: (table, rows) => counted(() => engine.insert(table, rows)),
    close: () => engine.close(),
  };
  return {
    engine: wrapped,
    dieAt: (statement: number | null): void => {
      left = statement;
    },
  };
}
