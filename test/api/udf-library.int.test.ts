import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Market } from '../../src/modules/market/rules/market.ts';
import { newMarkets, tradeAt } from '../support/tape-rows.ts';
import { type MarketRig, NOW, openMarketRig } from './market-rig.ts';

const MINUTE = 60;
const HOUR = 3_600;

let rig: MarketRig;
let app: FastifyInstance;
let url: string;
let pup: Market;
let twin: Market;
/** A trade a minute for two hours up to noon, at one and a tenth more each time, and nothing before. */
beforeAll(async () => {
  rig = await openMarketRig();
  app = rig.host({ kind: 'charts' });
  [pup] = (await newMarkets(rig.markets, ['PUP'])) as [Market];
  [twin] = (await newMarkets(rig.markets, ['PUP'], {
    baseMint: pup.baseMint,
    quoteMint: pup.quoteMint,
  })) as [Market];
  const trades = Array.from({ length: 120 }, (_, n) =>
    tradeAt(pup.id, NOW - (120 - n) * MINUTE, { quote: 100_000_000n + BigInt(n) * 10_000_000n }),
  );
  await rig.tape.append({ trades: [...trades, tradeAt(twin.id, NOW - 1, { index: 1 })], live: [] });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  url = `http://127.0.0.1:${port}/v1/trade-history/tv`;
});
afterAll(() => rig.close());

type Config = Readonly<Record<string, unknown>> & { readonly supported_resolutions: readonly string[] };
type Found = { readonly symbol: string; readonly ticker: string };
type Bar = {
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
};
type Bars = { readonly bars: readonly Bar[]; readonly noData: boolean; readonly nextTime?: number };

/**
 * What the public charting library's own datafeed does over HTTP, written from its documentation: `onReady`, `searchSymbols`,
 * `resolveSymbol`, `getBars`, `getServerTime`, and the pulse that keeps a chart fresh.
 */
function chartingLibrary() {
  const send = async (
    path: string,
    query: Readonly<Record<string, string | number>> = {},
  ): Promise<unknown> => {
    const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    const answer = await fetch(`${url}/${path}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`);
    // Read as text and then as JSON, whatever the status is.
    return JSON.parse(await answer.text());
  };
  const failed = (answer: unknown): string | null =>
    typeof answer === 'object' && answer !== null && Reflect.get(answer, 's') === 'error'
      ? String(Reflect.get(answer, 'errmsg'))
      : null;
  const getBars = async (
    symbol: Readonly<Record<string, unknown>>,
    resolution: string,
    period: { readonly from: number; readonly to: number; readonly countBack?: number },
  ): Promise<Bars> => {
    const { from, to, countBack } = period;
    const answer = (await send('history', {
      symbol: String(symbol['ticker']),
      resolution,
      from,
      to,
      ...(countBack === undefined ? {} : { countback: countBack }),
    })) as Readonly<Record<'t' | 'o' | 'h' | 'l' | 'c' | 'v', readonly number[]>> & {
      readonly s: string;
      readonly nextTime?: number;
    };
    if (answer.s !== 'ok' && answer.s !== 'no_data') throw new Error(failed(answer) ?? 'no answer');
    if (answer.s === 'no_data')
      return {
        bars: [],
        noData: true,
        ...(answer.nextTime === undefined ? {} : { nextTime: answer.nextTime }),
      };
    const at = (column: readonly number[], index: number): number => Number.parseFloat(String(column[index]));
    return {
      noData: false,
      bars: answer.t.map((seconds, n) => ({
        time: seconds * 1_000,
        open: at(answer.o, n),
        high: at(answer.h, n),
        low: at(answer.l, n),
        close: at(answer.c, n),
        volume: at(answer.v, n),
      })),
    };
  };
  return {
    onReady: async (): Promise<Config> => {
      const config = (await send('config')) as Config;
      if (config['supports_search'] !== true && config['supports_group_request'] !== true)
        throw new Error('a datafeed must search or answer for groups');
      return config;
    },
    searchSymbols: async (text: string): Promise<readonly Found[]> => {
      const query = { limit: 30, query: text.toUpperCase(), type: '', exchange: '' };
      const answer = await send('search', query);
      return failed(answer) === null ? (answer as readonly Found[]) : [];
    },
    resolveSymbol: async (symbol: string): Promise<Readonly<Record<string, unknown>>> => {
      const answer = (await send('symbols', { symbol })) as Readonly<Record<string, unknown>>;
      if (answer['s'] !== undefined) throw new Error('unknown_symbol');
      return answer;
    },
    getBars,
    getServerTime: async (): Promise<number> =>
      Number.parseInt(await (await fetch(`${url}/time`)).text(), 10),
    /** The last two bars, as they are asked for every ten seconds. */
    pulse: async (
      symbol: Readonly<Record<string, unknown>>,
      resolution: string,
      seconds: number,
      now: number,
    ) => (await getBars(symbol, resolution, { from: now - 10 * seconds, to: now, countBack: 2 })).bars,
  };
}

const library = chartingLibrary();

describe('a public charting library', () => {
  it('starts: the datafeed says all that it must', async () => {
    const config = await library.onReady();
    expect(config).toMatchObject({
      supports_search: true,
      supports_group_request: false,
      supports_marks: false,
      supports_timescale_marks: false,
      supports_time: true,
      exchanges: [],
      symbols_types: [],
    });
    // Nothing is asked for marks where a datafeed has none.
    expect((await fetch(`${url}/marks`)).status).toBe(404);
    expect(await library.getServerTime()).toBe(NOW);
  });

  it('searches as people type, and resolves what it found to the one that was meant', async () => {
    const found = await library.searchSymbols('pup');
    // Of several markets of one pair the primary one stands in the list; the others are had by their address.
    expect(found).toMatchObject([{ symbol: 'PUP/USDX', ticker: 'PUP/USDX' }]);
    for (const ticker of ['PUP/USDX', twin.address])
      expect((await library.resolveSymbol(ticker))['ticker']).toBe(ticker);
    await expect(library.resolveSymbol('NOPE')).rejects.toThrow('unknown_symbol');
  });

  it('finds every field of a symbol that it draws by', async () => {
    const { supported_resolutions: served } = await library.onReady();
    const symbol = await library.resolveSymbol('PUP/USDX');
    for (const [field, type] of [
      ['name', 'string'],
      ['ticker', 'string'],
      ['description', 'string'],
      ['type', 'string'],
      ['session', 'string'],
      ['timezone', 'string'],
      ['exchange', 'string'],
      ['listed_exchange', 'string'],
      ['minmov', 'number'],
      ['pricescale', 'number'],
      ['has_intraday', 'boolean'],
      ['has_daily', 'boolean'],
      ['volume_precision', 'number'],
      ['data_status', 'string'],
    ] as const)
      expect([field, typeof symbol[field]]).toEqual([field, type]);
    // It asks for intraday bars of these alone and makes others of them.
    expect(symbol['intraday_multipliers']).toEqual(served.filter((resolution) => resolution !== '1D'));
    expect(symbol['supported_resolutions']).toEqual(served);
    expect(Math.log10(Number(symbol['pricescale'])) % 1).toBe(0);
  });

  it.each(['1', '3', '5', '15', '30', '60', '120', '180', '240', '1D'])(
    'draws bars of %s that ascend and hold together',
    async (resolution) => {
      const symbol = await library.resolveSymbol('PUP/USDX');
      const { bars, noData } = await library.getBars(symbol, resolution, { from: NOW - 86_400, to: NOW });
      expect(noData).toBe(false);
      expect(bars.length).toBeGreaterThan(0);
      for (const [n, { time, open, high, low, close, volume }] of bars.entries()) {
        expect(time).toBeGreaterThan(bars[n - 1]?.time ?? 0);
        expect([low <= open, low <= close, high >= open, high >= close]).toEqual([true, true, true, true]);
        expect(volume).toBeGreaterThan(0);
      }
    },
  );

  it('scrolls back until there is nothing, and is told so', async () => {
    const symbol = await library.resolveSymbol('PUP/USDX');
    const seen: number[] = [];
    let to = NOW;
    for (let asks = 0; asks < 50; asks += 1) {
      const from = to - 30 * MINUTE;
      const answer = await library.getBars(symbol, '1', { from, to, countBack: 30 });
      if (answer.noData) {
        expect(answer.nextTime).toBeUndefined();
        break;
      }
      expect(answer.bars).toHaveLength(30);
      seen.unshift(...answer.bars.map(({ time }) => time / 1_000));
      to = (answer.bars[0]?.time ?? 0) / 1_000;
    }
    expect(seen).toEqual(Array.from({ length: 120 }, (_, n) => NOW - (120 - n) * MINUTE));
  });

  it('is sent over a pause to the last bar before it', async () => {
    const symbol = await library.resolveSymbol('PUP/USDX');
    const pause = { from: NOW + HOUR, to: NOW + 2 * HOUR };
    const { noData, nextTime } = await library.getBars(symbol, '1', pause);
    expect([noData, nextTime]).toEqual([true, NOW - MINUTE]);
    const { bars } = await library.getBars(symbol, '1', { ...pause, from: nextTime ?? 0 });
    expect(bars.map(({ time }) => time)).toEqual([(NOW - MINUTE) * 1_000]);
  });

  it('sees the bar that is being made change, and the next one begin', async () => {
    const symbol = await library.resolveSymbol('PUP/USDX');
    const before = await library.pulse(symbol, '1', MINUTE, NOW);
    expect(before.map(({ time }) => time / 1_000)).toEqual([NOW - 2 * MINUTE, NOW - MINUTE]);
    const more = [
      tradeAt(pup.id, NOW - 1, { quote: 2_000_000_000n }),
      tradeAt(pup.id, NOW + 1, { quote: 1_500_000_000n }),
    ];
    await rig.tape.append({ trades: more, live: [] });
    const after = await library.pulse(symbol, '1', MINUTE, NOW + 2);
    expect(after.map(({ time }) => time / 1_000)).toEqual([NOW - MINUTE, NOW]);
    expect(after[0]).toMatchObject({ open: before[1]?.open, high: 20, close: 20 });
    expect(after[1]).toMatchObject({ open: 15, close: 15 });
  });
});
