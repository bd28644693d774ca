import { type Address, WSOL_MINT } from '@tradepost/solana';
import type { TapeTrade } from '@tradepost/tape';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Market } from '../../src/modules/market/rules/market.ts';
import type { MarketStore } from '../../src/modules/market/store/market-store-port.ts';
import {
  DAY_SECONDS,
  dayOf,
  KEPT_DAYS,
  type WalletFlow,
} from '../../src/modules/wallet-data/rules/wallet-flows.ts';
import type { WalletFlowStore } from '../../src/modules/wallet-data/store-port.ts';
import type { TapeStore } from '../../src/platform/ports/tape-store.ts';
import { DAY_START, freshAddress, newMarkets, slotAt, tradeAt } from '../support/tape-rows.ts';

const ALL = { from: 0, mint: null, after: null, limit: 1_000 };
const SPAN = 3 * DAY_SECONDS;

/** The sums of wallets beside any store of trades. Each `make` gives a tape that is empty. `steps` seals per market in the long test. */
export function describeWalletFlows(
  make: () => Promise<{
    readonly tape: TapeStore;
    readonly markets: MarketStore;
    readonly walletFlows: WalletFlowStore;
  }>,
  { trades: count, steps }: { readonly trades: number; readonly steps: number },
): void {
  describe('the sums of wallets', () => {
    let tape: TapeStore;
    let markets: MarketStore;
    let store: WalletFlowStore;
    const usd = freshAddress();
    const token = freshAddress();
    beforeEach(async () => {
      ({ tape, markets, walletFlows: store } = await make());
      await tape.setMoney({ sol: WSOL_MINT, dollars: [usd] });
    });

    const made = async (): Promise<readonly Market[]> => [
      ...(await newMarkets(markets, ['PUP', 'CAT'], { quoteMint: WSOL_MINT, quoteDecimals: 9 })),
      ...(await newMarkets(markets, ['DOG'], { quoteMint: usd })),
      ...(await newMarkets(markets, ['SOL'], { baseMint: WSOL_MINT, baseDecimals: 9, quoteMint: usd })),
      ...(await newMarkets(markets, ['COW'], {
        baseMint: WSOL_MINT,
        baseDecimals: 9,
        quoteMint: freshAddress(),
      })),
      ...(await newMarkets(markets, ['TOK'], { baseMint: token, quoteMint: freshAddress() })),
    ];
    const start = async (all: readonly Market[]): Promise<void> => {
      for (const { id } of all)
        await tape.startCursor({ marketId: id, slot: slotAt(DAY_START - 1), post: null });
    };
    const sealed = (id: number, trades: readonly TapeTrade[], from: number, to: number) =>
      tape.seal({ trades, ranges: [{ marketId: id, after: slotAt(from), upTo: slotAt(to), post: null }] });
    const read = async (traders: readonly Address[]) =>
      (await Promise.all(traders.map((trader) => store.days(trader, ALL)))).map(sorted);

    it('are those of every sealed trade, in whatever order markets seal, and once', async () => {
      const traders = [freshAddress(), freshAddress(), freshAddress()];
      const all = await made();
      await start(all);
      const random = seeded(7);
      const trades = Array.from({ length: count }, (_, index) =>
        tradeAt(pick(all, random).id, DAY_START + Math.floor(random() * SPAN), {
          index: index + 1,
          side: random() < 0.5 ? 'buy' : 'sell',
          base: BigInt(1 + Math.floor(random() * 2 ** 48)),
          quote: BigInt(1 + Math.floor(random() * 2 ** 48)),
          trader: pick(traders, random),
        }),
      );
      const forked = trades.slice(0, 20).map((trade) => ({ ...trade, base: trade.base + 1n }));
      await tape.append({ trades: [...forked, ...trades.slice(20, 40)], live: [] });
      const jobs = shuffled(all, random).map((market) => async () => {
        for (let step = 0; step < steps; step += 1) {
          const [from, to] = [step, step + 1].map(
            (at) => DAY_START - 1 + Math.floor((at * (SPAN + 2)) / steps),
          );
          const own = trades.filter(
            ({ marketId, at }) => marketId === market.id && at > (from ?? 0) && at <= (to ?? 0),
          );
          // Two processes at once, then the same once more: one of them seals.
          await Promise.all([
            sealed(market.id, own, from ?? 0, to ?? 0),
            sealed(market.id, own, from ?? 0, to ?? 0),
          ]);
          await sealed(market.id, own, from ?? 0, to ?? 0);
        }
      });
      // Two at a time: each job has two sealers, and the pool of the tape has four connections.
      const inTurn = async (): Promise<void> => {
        for (let job = jobs.pop(); job !== undefined; job = jobs.pop()) await job();
      };
      await Promise.all([inTurn(), inTurn()]);
      const expected = traders.map((trader) =>
        sorted(
          bruteFold(
            trades.filter((one) => one.trader === trader),
            all,
            usd,
          ),
        ),
      );
      expect(await read(traders)).toEqual(expected);
      expect(expected.flat().reduce((sum, flow) => sum + flow.trades - flow.unvalued, 0)).toBeGreaterThan(
        count / 2,
      );

      // The chain is read again from its beginning, in one range per market.
      await markets.forget();
      expect(await read(traders)).toEqual([[], [], []]);
      await tape.setMoney({ sol: WSOL_MINT, dollars: [usd] });
      await markets.nameMints(
        [...new Set(all.flatMap(({ baseMint, quoteMint }) => [baseMint, quoteMint]))].map((mint) => ({
          mint,
          symbol: null,
          verified: false,
          imitates: false,
        })),
      );
      const again = await markets.record(all);
      await start(again);
      for (const [at, market] of again.entries()) {
        const own = trades
          .filter(({ marketId }) => marketId === all[at]?.id)
          .map((trade) => ({ ...trade, marketId: market.id }));
        await sealed(market.id, own, DAY_START - 1, DAY_START + SPAN + 1);
      }
      expect(await read(traders)).toEqual(expected);
    });

    it('know nothing of a trade that is not sealed, and nothing of one that a fork had', async () => {
      const [market] = await made();
      const id = market?.id ?? 0;
      await start(market === undefined ? [] : [market]);
      const [one, other] = [tradeAt(id, DAY_START + 5), tradeAt(id, DAY_START + 6)];
      await tape.append({ trades: [one, other], live: [] });
      expect(await store.days(one.trader, ALL)).toEqual([]);
      expect(await store.since()).toBeNull();
      await sealed(id, [one], DAY_START - 1, DAY_START + 10);
      expect(await store.days(one.trader, ALL)).toMatchObject([
        { bought: one.base, costLamports: one.quote },
      ]);
      expect(await store.days(other.trader, ALL)).toEqual([]);
      expect(await store.since()).toBe(DAY_START + 5);
      await sealed(id, [tradeAt(id, DAY_START + 20)], DAY_START + 10, DAY_START + 30);
      expect(await store.since()).toBe(DAY_START + 5);
    });

    it('come page by page, of one token or all, and summed over a window', async () => {
      const [pup, cat] = await made();
      const trader = freshAddress();
      const days = [0, 1, 2].map((day) => DAY_START + day * DAY_SECONDS + 9);
      const own = (id: number, index: number) => days.map((at) => tradeAt(id, at, { index, trader }));
      await start([pup, cat].filter((one) => one !== undefined));
      await sealed(pup?.id ?? 0, own(pup?.id ?? 0, 1), DAY_START - 1, DAY_START + SPAN);
      await sealed(cat?.id ?? 0, own(cat?.id ?? 0, 2), DAY_START - 1, DAY_START + SPAN);
      const whole = await store.days(trader, ALL);
      expect(whole.map(({ day }) => day - dayOf(DAY_START))).toEqual([2, 2, 1, 1, 0, 0]);
      const pages: WalletFlow[] = [];
      for (;;) {
        const last = pages.at(-1);
        const after = last === undefined ? null : { day: last.day, mint: last.mint };
        const page = await store.days(trader, { ...ALL, after, limit: 1 });
        if (page.length === 0) break;
        pages.push(...page);
      }
      expect(pages).toEqual(whole);
      expect(await store.days(trader, { ...ALL, mint: pup?.baseMint ?? null })).toHaveLength(3);
      expect(await store.days(trader, { ...ALL, from: dayOf(DAY_START) + 2 })).toHaveLength(2);
      const sums = await store.sums(trader, { kept: dayOf(DAY_START) + 1, window: dayOf(DAY_START) + 2 });
      expect(sums.map(({ kept, window }) => [kept.trades, window.trades])).toEqual([
        [2, 1],
        [2, 1],
      ]);
    });

    it('go when their day is past its time, and not before', async () => {
      const [market] = await made();
      const id = market?.id ?? 0;
      await start(market === undefined ? [] : [market]);
      const trade = tradeAt(id, DAY_START + 5);
      await sealed(id, [trade], DAY_START - 1, DAY_START + 10);
      const upkeep = (day: number) =>
        tape.upkeep({ now: DAY_START + day * DAY_SECONDS, slot: slotAt(DAY_START), maxBytes: 2n ** 60n });
      await upkeep(KEPT_DAYS - 1);
      expect(await store.days(trade.trader, ALL)).toHaveLength(1);
      await upkeep(KEPT_DAYS);
      expect(await store.days(trade.trader, ALL)).toEqual([]);
    });
  });
}

/** Every trade by itself, by the words of the rule and none of its code. */
function bruteFold(
  trades: readonly TapeTrade[],
  markets: readonly Market[],
  usd: Address,
): readonly WalletFlow[] {
  const rows = new Map<string, WalletFlow>();
  const add = (
    trade: TapeTrade,
    mint: Address,
    change: Partial<Record<keyof WalletFlow, bigint | number>>,
  ): void => {
    const day = Math.floor(trade.at / 86_400);
    const key = `${mint} ${day}`;
    const row: Record<string, unknown> = {
      ...(rows.get(key) ?? {
        trader: trade.trader,
        mint,
        day,
        bought: 0n,
        costLamports: 0n,
        costUsd: 0n,
        sold: 0n,
        proceedsLamports: 0n,
        proceedsUsd: 0n,
        trades: 0,
        unvalued: 0,
      }),
    };
    for (const [name, value] of Object.entries({ ...change, trades: 1 })) {
      const known = row[name];
      row[name] =
        typeof value === 'bigint' ? (known as bigint) + value : (known as number) + (value as number);
    }
    rows.set(key, row as unknown as WalletFlow);
  };
  for (const trade of trades) {
    const market = markets.find(({ id }) => id === trade.marketId);
    if (market === undefined) throw new Error('a trade of no market');
    const { baseMint, quoteMint } = market;
    const got = trade.side === 'buy' ? { base: trade.base } : { quote: trade.quote };
    if (quoteMint === usd || quoteMint === WSOL_MINT) {
      const isUsd = quoteMint === usd;
      add(
        trade,
        baseMint,
        got.base === undefined
          ? { sold: trade.base, [isUsd ? 'proceedsUsd' : 'proceedsLamports']: trade.quote }
          : { bought: trade.base, [isUsd ? 'costUsd' : 'costLamports']: trade.quote },
      );
    } else if (baseMint === WSOL_MINT) {
      add(
        trade,
        quoteMint,
        got.base === undefined
          ? { bought: trade.quote, costLamports: trade.base }
          : { sold: trade.quote, proceedsLamports: trade.base },
      );
    } else {
      add(trade, baseMint, { unvalued: 1 });
      add(trade, quoteMint, { unvalued: 1 });
    }
  }
  return [...rows.values()];
}

function sorted(flows: readonly WalletFlow[]): readonly WalletFlow[] {
  return flows.toSorted((one, other) => one.day - other.day || (one.mint < other.mint ? -1 : 1));
}

function pick<T>(from: readonly T[], random: () => number): T {
  const one = from[Math.floor(random() * from.length)];
  if (one === undefined) throw new Error('nothing to pick from');
  return one;
}

function shuffled<T>(rows: readonly T[], random: () => number): readonly T[] {
  return rows
    .map((row) => ({ row, key: random() }))
    .toSorted((one, other) => one.key - other.key)
    .map(({ row }) => row);
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
