/**
 * Each kind of picture with as much on it as it takes, drawn 300 times from other facts each time: processor time of all threads, bytes
 * and the memory of the process. The chat promises at most 60 ms and 150 kB a picture.
 */

import { marksOf } from '../src/core/text/figures.ts';
import { createCharts } from '../src/platform/pictures/create-charts.ts';
import type { ChartLook, Charts } from '../src/platform/ports/charts.ts';
import { median, percentile } from './median.ts';
import type { Row } from './run.ts';

export const name = 'pictures';

const PICTURES = 300;
const WARM_UP = 20;
const LOOK: ChartLook = { theme: 'dark', colours: 'blue-orange', marks: marksOf('en') };

/** A walk of a price that no two pictures share. */
function candlesOf(n: number) {
  let price = 100 + n;
  return Array.from({ length: 120 }, (_, index) => {
    const open = price;
    const close = open * (1 + Math.sin(index * 1.7 + n) / 30);
    price = close;
    return {
      t: 1_790_000_000 + index * 900,
      open,
      close,
      high: Math.max(open, close) * 1.01,
      low: Math.min(open, close) * 0.99,
      volume: 10 + Math.abs(Math.cos(index * 3 + n)) * 90,
    };
  });
}

const text = {
  title: 'PUP/SOL · 15m',
  subtitle: 'EPjF…Dt1v · 2026-11-23 05:00 UTC',
  footer: 'from trades seen here',
};

const KINDS: { readonly [kind: string]: (charts: Charts, n: number) => Promise<Uint8Array> } = {
  candles: (charts, n) => {
    const candles = candlesOf(n);
    const at = (index: number) => candles[index]?.close ?? 100;
    return charts.candles({
      ...text,
      step: 900,
      candles,
      trades: [20, 50, 80, 110].map((index) => ({
        t: 1_790_000_000 + index * 900,
        price: at(index),
        side: index % 40 === 20 ? 'buy' : 'sell',
      })),
      lines: [
        { price: at(20), label: 'entry', kind: 'entry' },
        { price: at(60) * 1.2, label: 'take profit', kind: 'order' },
        { price: at(60) * 0.8, label: 'stop', kind: 'order' },
      ],
      look: LOOK,
    });
  },
  depth: (charts, n) => {
    const side = [1, 2, 5, 10, 20].map((percent) => ({ percent, amount: percent * (7 + n / 17) }));
    return charts.depth({
      ...text,
      texts: { sell: 'sold, in SOL', buy: 'bought, in SOL', none: 'no more' },
      buy: side,
      sell: side,
      look: LOOK,
    });
  },
  result: (charts, n) =>
    charts.pnl({
      symbol: 'PUP',
      percent: n / 3 - 40,
      state: 'if sold 05:00 UTC',
      facts: ['2026-11-23 05:00 UTC', `held ${n} h`],
      footer: 'net of all fees',
      link: 'https://t.me/bot?start=m_EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
      bot: '@bot',
      look: LOOK,
    }),
  portfolio: (charts, n) =>
    charts.portfolio({
      ...text,
      texts: { none: 'No days yet', first: 'The first day', rest: 'the rest' },
      unit: 'SOL',
      values: Array.from({ length: 90 }, (_, index) => ({
        t: 1_782_000_000 + index * 86_400,
        value: 10 + Math.sin(index / 7 + n) * 3,
      })),
      shares: Array.from({ length: 24 }, (_, index) => ({
        label: `TOKEN${index}`,
        value: 24 - index + n / 300,
      })),
      look: LOOK,
    }),
};

const residentMb = (): number => process.memoryUsage().rss / 1_048_576;

export async function run(): Promise<readonly Row[]> {
  const charts = createCharts({ now: () => performance.now() });
  const rows: Row[] = [];
  for (const [kind, draw] of Object.entries(KINDS)) {
    for (let n = 0; n < WARM_UP; n += 1) await draw(charts, -1 - n);
    const costs: number[] = [];
    let bytes = 0;
    let half = 0;
    for (let n = 0; n < PICTURES; n += 1) {
      const used = process.cpuUsage();
      const png = await draw(charts, n);
      const { user, system } = process.cpuUsage(used);
      costs.push((user + system) / 1_000);
      bytes = Math.max(bytes, png.length);
      // By then the hundred that are kept are there.
      if (n === PICTURES / 2) half = residentMb();
    }
    rows.push(
      { metric: `${kind}: processor time, median`, value: median(costs), unit: 'ms' },
      { metric: `${kind}: processor time, p99`, value: percentile(costs, 99), unit: 'ms' },
      { metric: `${kind}: the largest`, value: bytes / 1_000, unit: 'kB' },
      {
        metric: `${kind}: memory of the second ${PICTURES / 2}`,
        value: residentMb() - half,
        unit: 'MB more',
      },
    );
  }
  return rows;
}
