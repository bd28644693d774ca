import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { marksOf } from '../../../src/core/text/figures.ts';
import { fontFile } from '../../../src/platform/pictures/fonts.ts';
import { layoutCandles, MOST_CANDLES, PLOT } from '../../../src/platform/pictures/rules/candles.ts';
import { drawable } from '../../../src/platform/pictures/rules/drawable.ts';
import {
  compactLabel,
  percentLabel,
  priceLabel,
  shareLabel,
  timeLabel,
} from '../../../src/platform/pictures/rules/labels.ts';
import { createScale, timeTicks, valueTicks } from '../../../src/platform/pictures/rules/scale.ts';
import { ringSlices } from '../../../src/platform/pictures/rules/shares.ts';
import type { CandlesPicture, ChartCandle } from '../../../src/platform/ports/charts.ts';

const MARKS = marksOf('en');
const SPANISH = marksOf('es');

const bar = (t: number, low: number, high: number): ChartCandle => ({
  t,
  open: low,
  high,
  low,
  close: high,
  volume: 10,
});

const picture = (candles: readonly ChartCandle[], more: Partial<CandlesPicture> = {}): CandlesPicture => ({
  title: 'PUP/SOL',
  subtitle: '',
  footer: '',
  step: 60,
  candles,
  trades: [],
  lines: [],
  look: { theme: 'dark', colours: 'blue-orange', marks: MARKS },
  ...more,
});

/** Code points that a TrueType font maps to a glyph (cmap formats 4 and 12). */
function pointsOf(path: string): Set<number> {
  const font = readFileSync(path);
  const points = new Set<number>();
  let cmap = 0;
  for (let i = 0; i < font.readUInt16BE(4); i += 1) {
    const entry = 12 + i * 16;
    if (font.toString('latin1', entry, entry + 4) === 'cmap') cmap = font.readUInt32BE(entry + 8);
  }
  for (let i = 0; i < font.readUInt16BE(cmap + 2); i += 1) {
    const table = cmap + font.readUInt32BE(cmap + 4 + i * 8 + 4);
    if (font.readUInt16BE(table) !== 4) continue;
    const segments = font.readUInt16BE(table + 6) / 2;
    for (let segment = 0; segment < segments; segment += 1) {
      const to = font.readUInt16BE(table + 14 + segment * 2);
      const from = font.readUInt16BE(table + 16 + segments * 2 + segment * 2);
      for (let point = from; point <= to && point !== 0xffff; point += 1) points.add(point);
    }
  }
  return points;
}

describe('scales', () => {
  it('puts the high above the low, inside the plot, straight up to a factor of five', () => {
    const scale = createScale(1, 5, 100, 600);
    expect(scale.kind).toBe('linear');
    expect(scale.at(5)).toBeGreaterThan(100);
    expect(scale.at(1)).toBeLessThan(600);
    expect(scale.at(3)).toBeCloseTo(350);
  });

  it('is logarithmic above: equal factors take equal room', () => {
    const scale = createScale(1, 100, 0, 900);
    expect(scale.kind).toBe('log');
    expect(scale.at(1) - scale.at(10)).toBeCloseTo(scale.at(10) - scale.at(100));
  });

  it('keeps one value alone in the middle', () => {
    expect(createScale(7, 7, 0, 200).at(7)).toBeCloseTo(100);
    expect(createScale(0, 0, 0, 200).at(0)).toBeCloseTo(100);
  });

  it('gives round ticks inside the span, never more than asked for', () => {
    expect(valueTicks(createScale(0.00036, 0.00055, 0, 1), 6).map((tick) => priceLabel(MARKS, tick))).toEqual(
      ['0.00035', '0.0004', '0.00045', '0.0005', '0.00055'],
    );
    for (const [low, high] of [
      [1e-12, 1e9],
      [3, 3.001],
      [0.2, 1.9],
      [1, 1e6],
    ] as const) {
      const scale = createScale(low, high, 0, 1);
      const ticks = valueTicks(scale, 6);
      expect(ticks.length).toBeLessThanOrEqual(6);
      expect(ticks.length).toBeGreaterThan(1);
      expect(ticks.every((tick) => tick >= scale.low && tick <= scale.high)).toBe(true);
    }
  });

  it('labels times as a clock shows them', () => {
    const from = Date.UTC(2026, 10, 21, 22, 7) / 1_000;
    const { spacing, at } = timeTicks(from, from + 4 * 3_600, 6);
    expect(at.map((moment) => timeLabel(moment, spacing))).toEqual(['23:00', '22 Nov', '01:00', '02:00']);
  });
});

describe('labels', () => {
  it('prints prices with four digits and counts the zeros of small ones', () => {
    expect(
      [123_456, 12.3456, 0.00042, 0.000000421, 9.99996e-8, 2.5e-12, 0, 1.2e7].map((v) =>
        priceLabel(MARKS, v),
      ),
    ).toEqual(['123,456', '12.35', '0.00042', '0.0₆421', '0.0₆1', '0.0₁₁25', '0', '12M']);
    expect(priceLabel(MARKS, Number.NaN)).toBe('n/a');
  });

  it('prints amounts short and changes with their sign', () => {
    expect([1_250_000, 88_000, 950.4, 0.33333, 0].map((value) => compactLabel(MARKS, value))).toEqual([
      '1.25M',
      '88K',
      '950',
      '0.333',
      '0',
    ]);
    expect([124.3, -4.31, 0, 0.04, -12_345.6, null].map((value) => percentLabel(MARKS, value))).toEqual([
      '+124 %',
      '−4.3 %',
      '0.0 %',
      '0.0 %',
      '−12,346 %',
      'n/a',
    ]);
  });

  it('have the marks of Spanish, which both fonts can draw', () => {
    expect([123_456, 12.3456, 0.000000421].map((value) => priceLabel(SPANISH, value))).toEqual([
      '123\u202f456',
      '12,35',
      '0,0₆421',
    ]);
    expect([1_250_000, 0.33333].map((value) => compactLabel(SPANISH, value))).toEqual(['1,25M', '0,333']);
    expect([-4.31, 0, -12_345.6].map((value) => percentLabel(SPANISH, value))).toEqual([
      '−4,3\u202f%',
      '0,0\u202f%',
      '−12\u202f346\u202f%',
    ]);
    expect([0.004, 0.384].flatMap((part) => [shareLabel(MARKS, part), shareLabel(SPANISH, part)])).toEqual([
      '0.4 %',
      '0,4\u202f%',
      '38 %',
      '38\u202f%',
    ]);
    for (const font of ['DejaVuSans', 'DejaVuSans-Bold'] as const)
      expect(pointsOf(fontFile(font)).has(0x202f)).toBe(true);
  });

  it('lets through what both fonts can draw, and nothing else', () => {
    // The space alone is trimmed away; every font has it.
    const points = Array.from({ length: 0x30000 }, (_, point) => point).filter(
      (point) => drawable(String.fromCodePoint(point), '') !== '',
    );
    expect(points.length).toBeGreaterThan(1_500);
    for (const font of ['DejaVuSans', 'DejaVuSans-Bold'] as const) {
      const known = pointsOf(fontFile(font));
      expect(points.filter((point) => !known.has(point)).map((point) => point.toString(16))).toEqual([]);
    }
    expect(drawable('Pup py', 'EPjF')).toBe('Pup py');
    expect(drawable('狗狗', 'EPjF…Dt1v')).toBe('EPjF…Dt1v');
    expect(drawable('a\u202eb', 'short')).toBe('short');
    expect(drawable('', 'short')).toBe('short');
    expect(drawable('x'.repeat(40), 'short')).toHaveLength(24);
  });
});

describe('the layout of candles', () => {
  it('keeps gaps as gaps and the bars in their order of time', () => {
    const { candles } = layoutCandles(picture([bar(0, 1, 2), bar(60, 1, 2), bar(240, 1, 2)]));
    const [a, b, c] = candles.map(({ x }) => x);
    expect((c ?? 0) - (b ?? 0)).toBeCloseTo(3 * ((b ?? 0) - (a ?? 0)));
    expect(Math.max(...candles.map(({ x, width }) => x + width))).toBeLessThanOrEqual(PLOT.right);
  });

  it('draws the newest 120 buckets and scales to them alone', () => {
    const candles = [bar(0, 900, 1_000), ...Array.from({ length: 200 }, (_, i) => bar(60 + i * 60, 1, 2))];
    const layout = layoutCandles(picture(candles));
    expect(layout.candles).toHaveLength(MOST_CANDLES);
    expect(layout.axis).toBe('linear');
  });

  it('marks own trades inside the time, and lines that are near enough', () => {
    const candles = Array.from({ length: 50 }, (_, i) => bar(i * 60, 10, 12));
    const layout = layoutCandles(
      picture(candles, {
        trades: [
          { t: 605, price: 11, side: 'buy' },
          { t: 9_999_999, price: 11, side: 'sell' },
        ],
        lines: [
          { price: 13, label: 'TP', kind: 'order' },
          { price: 100, label: 'far', kind: 'order' },
        ],
      }),
    );
    expect(layout.marks.map(({ side }) => side)).toEqual(['buy']);
    expect(layout.lines.map(({ label }) => label)).toEqual(['TP']);
    for (const { y } of layout.lines) expect(y).toBeGreaterThanOrEqual(PLOT.top);
  });

  it('labels prices in the marks of the language', () => {
    const labelOf = (marks: typeof MARKS): string =>
      layoutCandles(picture([bar(0, 1, 1.25)], { look: { theme: 'dark', colours: 'blue-orange', marks } }))
        .last.text;
    expect([labelOf(MARKS), labelOf(SPANISH)]).toEqual(['1.25', '1,25']);
  });

  it('says that it needs a bar', () => {
    expect(() => layoutCandles(picture([]))).toThrow(/at least one bar/);
  });
});

describe('the ring of a portfolio', () => {
  it('closes, names the six largest and sums the rest', () => {
    const slices = ringSlices(
      Array.from({ length: 9 }, (_, i) => ({ label: `T${i}`, value: i })),
      'the rest',
    );
    expect(slices.map(({ label }) => label)).toEqual(['T8', 'T7', 'T6', 'T5', 'T4', 'T3', 'the rest']);
    expect(slices.at(-1)?.value).toBe(3);
    expect((slices.at(-1)?.to ?? 0) - (slices[0]?.from ?? 0)).toBeCloseTo(2 * Math.PI);
    expect(ringSlices([{ label: 'nothing', value: 0 }], 'rest')).toEqual([]);
  });
});
