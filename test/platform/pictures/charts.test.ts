import { createCanvas, loadImage } from '@napi-rs/canvas';
import { describe, expect, it } from 'vitest';
import { marksOf } from '../../../src/core/text/figures.ts';
import { createCharts } from '../../../src/platform/pictures/create-charts.ts';
import type { ChartLook, PnlPicture } from '../../../src/platform/ports/charts.ts';

const LOOK: ChartLook = { theme: 'dark', colours: 'blue-orange', marks: marksOf('en') };
const MOST_BYTES = 150_000;

/** Width, height and the share of pixels that differ from the first one. */
async function look(png: Uint8Array) {
  const image = await loadImage(Buffer.from(png));
  const canvas = createCanvas(image.width, image.height);
  const pen = canvas.getContext('2d');
  pen.drawImage(image, 0, 0);
  const { data } = pen.getImageData(0, 0, image.width, image.height);
  const colours = new Set<number>();
  let drawn = 0;
  for (let i = 0; i < data.length; i += 4) {
    const colour = ((data[i] ?? 0) << 16) | ((data[i + 1] ?? 0) << 8) | (data[i + 2] ?? 0);
    if (colour !== 0x10141c) drawn += 1;
    colours.add(colour);
  }
  return { size: `${image.width}×${image.height}`, drawn: drawn / (data.length / 4), colours };
}

const DEPTH_TEXTS = { sell: 'sold', buy: 'bought', none: 'no more' };
const TEXTS = { none: 'No days yet', first: 'The first day', rest: 'the rest' };

const pnl: PnlPicture = {
  symbol: 'PUP',
  percent: 12.5,
  state: 'realized',
  facts: ['held 3 h'],
  footer: 'net of all fees',
  link: 'https://t.me/bot?start=m_x',
  bot: '@bot',
  look: LOOK,
};

describe('charts', () => {
  const clock = { at: 0, now: () => clock.at };
  const charts = createCharts(clock);

  it('draws candles: rising hollow in blue, falling filled in orange', async () => {
    const candles = Array.from({ length: 120 }, (_, i) => ({
      t: i * 60,
      open: i % 2 === 0 ? 10 : 11,
      close: i % 2 === 0 ? 11 : 10,
      high: 12,
      low: 9,
      volume: i,
    }));
    const png = await charts.candles({
      title: 'PUP/SOL · 1m',
      subtitle: 'EPjF…Dt1v',
      footer: 'from 3 trades',
      step: 60,
      candles,
      trades: [{ t: 100, price: 10, side: 'buy' }],
      lines: [{ price: 11, label: 'entry', kind: 'entry' }],
      look: LOOK,
    });
    expect(png.length).toBeLessThanOrEqual(MOST_BYTES);
    const seen = await look(png);
    expect(seen.size).toBe('1280×800');
    expect(seen.colours.has(0x56b4e9)).toBe(true);
    expect(seen.colours.has(0xe69f00)).toBe(true);
  });

  it('draws depth with a side that has no more, and a portfolio without a day', async () => {
    const depth = await charts.depth({
      title: 'PUP/SOL · depth',
      subtitle: '',
      footer: '',
      texts: DEPTH_TEXTS,
      buy: [
        { percent: 1, amount: 5 },
        { percent: 2, amount: null },
      ],
      sell: [{ percent: 1, amount: 0 }],
      look: LOOK,
    });
    expect((await look(depth)).size).toBe('1280×800');
    const portfolio = await charts.portfolio({
      title: 'Main',
      subtitle: '',
      footer: '',
      texts: TEXTS,
      unit: 'SOL',
      values: [],
      shares: [],
      look: LOOK,
    });
    expect((await look(portfolio)).drawn).toBeGreaterThan(0);
  });

  it('draws every word it is given, so that each can be said in another language', async () => {
    const picture = {
      title: 'PUP',
      subtitle: '',
      footer: '',
      texts: DEPTH_TEXTS,
      buy: [{ percent: 1, amount: null }],
      sell: [{ percent: 1, amount: 5 }],
      look: LOOK,
    };
    const drawn = await charts.depth(picture);
    for (const name of ['sell', 'buy', 'none'] as const) {
      const other = await charts.depth({ ...picture, texts: { ...DEPTH_TEXTS, [name]: 'other' } });
      expect(Buffer.from(other).equals(drawn), name).toBe(false);
    }
    const card = await charts.pnl(pnl);
    expect(Buffer.from(await charts.pnl({ ...pnl, footer: 'otro' })).equals(card)).toBe(false);
  });

  it('draws one position as a ring with an open middle, whatever its colour', async () => {
    const png = await charts.portfolio({
      title: 'Main',
      subtitle: '',
      footer: '',
      texts: TEXTS,
      unit: 'SOL',
      values: [{ t: 1_790_000_000, value: 0.488 }],
      shares: [{ label: 'PUP', value: 0.488 }],
      look: LOOK,
    });
    const pen = createCanvas(1_280, 800).getContext('2d');
    pen.drawImage(await loadImage(Buffer.from(png)), 0, 0);
    const colourAt = (x: number, y: number) => Array.from(pen.getImageData(x, y, 1, 1).data.slice(0, 3));
    const ground = colourAt(2, 2);
    // Between its numbers and its edge the middle is empty; the ring itself is not, on any side.
    expect(colourAt(1_010, 270 + 70)).toEqual(ground);
    for (const [x, y] of [
      [1_010 + 111, 270],
      [1_010 - 111, 270],
      [1_010, 270 + 111],
      [1_010, 270 - 111],
    ] as const) {
      expect(colourAt(x, y)).toEqual([0x56, 0xb4, 0xe9]);
    }
  });

  it('draws the card of a result, whose text is text', async () => {
    const png = await charts.pnl({ ...pnl, symbol: '<b>&"' });
    const seen = await look(png);
    expect(seen.size).toBe('1200×630');
    expect(png.length).toBeLessThanOrEqual(MOST_BYTES);
    // Fonts of ours were found: the same card without its words is a different picture.
    const bare = await look(await charts.pnl({ ...pnl, symbol: '', facts: [] }));
    expect(seen.drawn).toBeGreaterThan(bare.drawn);
  });

  it('draws the same facts once within ten seconds, and again afterwards', async () => {
    const [first, second] = await Promise.all([charts.pnl(pnl), charts.pnl({ ...pnl })]);
    expect(second).toBe(first);
    clock.at += 10_000;
    expect(await charts.pnl(pnl)).not.toBe(first);
  });

  it('says what is missing, and draws the next one', async () => {
    await expect(
      charts.candles({
        title: '',
        subtitle: '',
        footer: '',
        step: 60,
        candles: [],
        trades: [],
        lines: [],
        look: LOOK,
      }),
    ).rejects.toThrow(/at least one bar/);
    expect((await charts.pnl(pnl)).length).toBeGreaterThan(0);
  });
});
