import type { Message } from '@grammyjs/types';
import type { Person } from '@tradepost/local-telegram';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChartFacts } from '../../src/modules/market/use/load-chart.ts';
import { type JourneyRig, startJourneyRig } from './rig.ts';

const PAUSE_MS = 3_000;
const bar = (t: number, close: number) => ({ t, open: 1, high: close + 1, low: 0.5, close, volume: 3 });
const chart = (step: number): ChartFacts => ({
  unit: 'SOL',
  inSol: true,
  step,
  candles: [bar(1_800_000_000 - step, 1.5), bar(1_800_000_000, 2)],
  trades: 7,
  last: { at: 1_800_000_030, slot: 42n },
});

let rig: JourneyRig;
let later = 0;
const asked: string[] = [];
beforeAll(async () => {
  rig = await startJourneyRig('chart', {
    clock: { now: () => Date.now() + later },
    loadChart: async ({ resolution }) => {
      asked.push(resolution);
      return resolution === '1' ? null : chart(resolution === '60' ? 3_600 : 900);
    },
  });
});
afterAll(() => rig.stop());

const isPhoto = (_text: string, message: Message): boolean => message.photo !== undefined;
const fileOf = (message: Message | undefined): string => message?.photo?.at(-1)?.file_id ?? 'none';
const openCard = async (person: Person) => {
  await person.say(rig.token('PUP').mint);
  await person.waitFor(
    (text, message) => /\n\S+( SOL)? · cap |No market/.test(text) && message.reply_markup !== undefined,
  );
};

describe('The chart in the chat', () => {
  it('is one photo, which the buttons edit, and goes back to the card', async () => {
    const { person } = await rig.trader('Charter', 2n);
    await openCard(person);
    await person.tap('Chart');
    const first = await person.waitFor(isPhoto);
    expect([...(await person.photo(first)).subarray(1, 4)]).toEqual([...Buffer.from('PNG')]);
    expect(first.caption).toContain('15m · 2 SOL · +100 %');

    await person.tap('1h');
    await person.waitForToast(/A bit too fast/);
    later += PAUSE_MS;
    await person.tap('1h');
    const hour = await person.waitFor(/^Puppy[\s\S]*1h · 2 SOL/);
    expect(hour.message_id).toBe(first.message_id);
    expect(fileOf(hour)).not.toBe(fileOf(first));

    later += PAUSE_MS;
    await person.tap('15m');
    const again = await person.waitFor(/15m · 2 SOL/);
    // What Telegram has is not sent again.
    expect(fileOf(again)).toBe(fileOf(first));

    later += PAUSE_MS;
    await person.tap('Depth');
    const depth = await person.waitFor(/SOL that moves the price/);
    expect(depth.message_id).toBe(first.message_id);
    expect(depth.caption).toMatch(/20 %: up [\d.,]+ SOL · down [\d.,]+ SOL/);
    const up = [...(depth.caption ?? '').matchAll(/(\d+) %: up ([\d.]+) SOL/g)].map(([, , sol]) =>
      Number(sol),
    );
    // Small moves cost about in proportion: whole units and rounded fees end no pool's share early.
    expect(up).toHaveLength(5);
    expect((up[2] ?? 0) / (up[0] ?? 1)).toBeLessThan(6);

    await person.tap('Back');
    await person.waitFor(
      (text, message) => /\n\S+( SOL)? · cap |No market/.test(text) && message.photo === undefined,
    );
    expect(asked).toEqual(['15', '60', '15']);
  });

  it('says in words that there is nothing to draw', async () => {
    const { person } = await rig.trader('Early', 1n);
    await openCard(person);
    await person.tap('Chart');
    await person.waitFor(isPhoto);
    later += PAUSE_MS;
    await person.tap('1m');
    const text = await person.waitFor(/No trade of it has been seen here in this span \(1m\)/);
    expect(text.photo).toBeUndefined();
  });

  it('tells the numbers alone when drawing fails', async () => {
    await rig.restartBot({
      charts: {
        candles: () => Promise.reject(new Error('no canvas on this machine')),
        depth: () => Promise.reject(new Error('no canvas on this machine')),
        pnl: () => Promise.reject(new Error('no canvas on this machine')),
        portfolio: () => Promise.reject(new Error('no canvas on this machine')),
      },
    });
    const { person } = await rig.trader('Blind', 1n);
    await openCard(person);
    await person.tap('Chart');
    const text = await person.waitFor(/15m · 2 SOL · \+100 %/);
    expect(text.photo).toBeUndefined();
    expect(rig.logged.some((line) => line.includes('a chart could not be drawn'))).toBe(true);
  });
});
