import { readdirSync, readFileSync } from 'node:fs';
import { findAutoEntities, parseHtml } from '@tradepost/local-telegram';
import { describe, expect, it } from 'vitest';
import { LANGUAGES, type Language, wordsOf } from '../../src/compose/texts/words.ts';
import { type Names, WORST } from '../support/screens/facts.ts';
import { SCREENS } from '../support/screens/registry.ts';

/** What Telegram makes links, mentions, commands and tags of. */
const LINKS = [
  'pump.fun',
  't.me/x',
  'https://evil.example/a',
  'a@b.com',
  '@durov',
  '/panic',
  '$TICK',
  '#moon',
  'get pump.fun now',
];
const LANGUAGE_CODES = Object.keys(LANGUAGES) as Language[];

describe.each(Object.entries(SCREENS))('%s', (_name, draw) => {
  it.each(LANGUAGE_CODES)('makes no link of a name, whoever chose it (%s)', (language) => {
    const linksIn = (names: Names): readonly string[] => {
      const { text, entities } = parseHtml(draw(wordsOf(language), names).text.markup);
      return [
        ...entities
          .filter(({ type }) => ['text_link', 'url', 'mention'].includes(type))
          .map(({ type }) => type),
        ...findAutoEntities(text, entities).map(({ offset, length }) => text.slice(offset, offset + length)),
      ];
    };
    for (const link of LINKS) {
      expect(linksIn({ ...WORST, symbol: link })).toEqual([]);
      expect(linksIn({ ...WORST, name: link })).toEqual([]);
      expect(linksIn({ ...WORST, wallet: link })).toEqual([]);
    }
  });

  it.each(LANGUAGE_CODES)(
    'has rows of five buttons at most, and none that opens a mini app (%s)',
    (language) => {
      const rows = draw(wordsOf(language), WORST).keyboard ?? [];
      for (const row of rows) expect(row.length).toBeLessThanOrEqual(5);
      for (const button of rows.flat()) {
        expect(button.text.trim()).not.toBe('');
        expect(Object.keys(button).filter((key) => !['text', 'style'].includes(key))).toHaveLength(1);
        expect(['callback_data', 'url', 'copy_text'].some((key) => key in button)).toBe(true);
        if ('callback_data' in button)
          expect(Buffer.byteLength(button.callback_data)).toBeLessThanOrEqual(64);
      }
    },
  );
});

/** Views that print a ticker and are drawn by tests of their own, or are no screen of every day. A new one is registered instead. */
const ELSEWHERE: readonly string[] = [
  'alerts/chat/notice-view.ts',
  'deposits/chat/notice-view.ts',
  'market/chat/chart-view.ts',
  'paper/chat/view.ts',
];

it('has a line for each view of the chat that prints the ticker of a token', () => {
  const registry = readFileSync('test/support/screens/registry.ts', 'utf8');
  const printers = readdirSync('src/modules', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\/chat\/[\w-]*view\.ts$/.test(file))
    .filter((file) => readFileSync(`src/modules/${file}`, 'utf8').includes('displaySymbol'))
    .filter((file) => !registry.includes(`src/modules/${file}`));
  expect(printers.toSorted()).toEqual(ELSEWHERE);
});
