import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { es } from '../../src/compose/texts/es.ts';
import { wordsOf } from '../../src/compose/texts/words.ts';
import { filesOfRing, ringOf } from '../support/rings.ts';
import { saidBy, withEnglishMarks } from '../support/screens/english-marks.ts';
import { WORST } from '../support/screens/facts.ts';
import { SCREENS } from '../support/screens/registry.ts';
import { SELDOM } from '../support/screens/seldom.ts';

const SPANISH = wordsOf('es');
const read = (path: string): string => readFileSync(join(import.meta.dirname, '..', path), 'utf8');

it('tells English marks from Spanish ones', () => {
  const english = ['1.5 SOL', '$1,500', '5 %', '0.0₆42'];
  expect(withEnglishMarks(english)).toEqual(english);
  expect(
    withEnglishMarks([
      '1,5 SOL',
      '$15\u202f000',
      '5\u202f%',
      '2026-11-21 14:02',
      'https://x.example/1.5',
      '10.0.0.7',
    ]),
  ).toEqual([]);
});

describe('a number in Spanish has the marks of Spanish', () => {
  it.each(Object.entries(SCREENS))('%s', (_name, draw) => {
    expect(withEnglishMarks(saidBy(draw(SPANISH, WORST)))).toEqual([]);
  });

  it.each(Object.entries(SELDOM))('%s', (_name, draw) => {
    const views = draw(SPANISH, WORST);
    expect(views.length).toBeGreaterThan(0);
    expect(views.flatMap((view) => withEnglishMarks(saidBy(view)))).toEqual([]);
  });

  it('in every text, whatever is put in', () => {
    const texts = Object.values(es).map((text) => text.replaceAll(/\{\w+\}/g, '9'));
    expect(texts.length).toBeGreaterThan(1_000);
    expect(withEnglishMarks(texts)).toEqual([]);
  });
});

const CHAT = filesOfRing('chat').filter(({ path }) => ringOf(path) === 'chat');

it('every view that prints an amount is drawn by a registry', () => {
  const registries = ['registry', 'seldom', 'made', 'facts']
    .map((name) => read(`support/screens/${name}.ts`))
    .join('\n');
  const isDrawn = (path: string): boolean => {
    const kind = /^engine\/intents\/kinds\/([\w-]+)\/view\.ts$/.exec(path)?.[1];
    // Those of the kinds are drawn by the views of results and receipts.
    return registries.includes(kind === undefined ? `src/${path}'` : `kind: '${kind}'`);
  };
  const printers = CHAT.filter(({ path }) => path.endsWith('view.ts') && !path.startsWith('platform/'))
    .filter(({ text }) => /ui\/(amounts|signed|token-amounts)\.ts'|text\/figures\.ts'/.test(text))
    .map(({ path }) => path);
  expect(printers.length).toBeGreaterThan(20);
  expect(printers.filter((path) => !isDrawn(path))).toEqual([]);
});

/** What prints a number without a language, and the files that may: they make no text that is read. */
const BARE = /\b(formatUnits|toLocaleString|toFixed|toPrecision)\(/;
const MAY_PRINT_BARE: readonly string[] = [
  // The functions that put the marks in.
  'platform/telegram/ui/amounts.ts',
  'platform/telegram/ui/time.ts',
  'modules/orders/chat/order-text.ts',
  // An answer that a dialogue already has, as it would be typed.
  'modules/trading/chat/index.ts',
];

it('no text of the chat prints a number without its language', () => {
  const bare = CHAT.filter(({ text }) => BARE.test(text)).map(({ path }) => path);
  expect(bare.toSorted()).toEqual(MAY_PRINT_BARE.toSorted());
});
