import { parseHtml } from '@tradepost/local-telegram';
import { describe, expect, it } from 'vitest';
import type { Key } from '../../src/compose/texts/catalogue.ts';
import { en } from '../../src/compose/texts/en.ts';
import { chooseLanguage, isLanguage, LANGUAGES, wordsOf } from '../../src/compose/texts/words.ts';
import { readPrice } from '../../src/modules/orders/rules/placement.ts';
import { COMMANDS } from '../../src/platform/telegram/feature.ts';
import { filesOfRing, ringOf } from '../support/rings.ts';

const keys = Object.keys(en) as Key[];
const placeholders = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((m) => m[1] ?? ''))].sort();
/** Texts that are said in English for now, as `es: key`. */
const NOT_YET: readonly string[] = [];
/** Everything that says texts: the bot, and the results and receipts of the kinds. */
const SPEAKERS = filesOfRing('chat', 'use', 'rules')
  .filter(({ path }) => ringOf(path) === 'chat' || path.startsWith('engine/intents/kinds/'))
  .filter(({ path }) => !/texts\.(en|es)\.ts$/.test(path) && !path.startsWith('compose/texts/e'))
  .map(({ text }) => text);
/** Keys that nothing names, neither whole nor by how they begin (`` `mission.${name}` ``). */
function unsaid(texts: readonly string[], speakers: readonly string[]): readonly string[] {
  const source = speakers.join('\n');
  const begins = [...source.matchAll(/`([a-z]+\.[\w.-]*)\$\{/g)].map(([, begin = '']) => begin);
  return texts.filter(
    (key) => !source.includes(`'${key}'`) && !begins.some((begin) => key.startsWith(begin)),
  );
}
const PLAIN = ['btn.', 'toast.', 'cmd.', 'ask.', 'group.', 'profile.'];

it('writes each text in one file: of two, one would be shown for the other', () => {
  const files = filesOfRing('chat').filter(({ path }) => /texts\.en\.ts$|texts\/en(-\w+)?\.ts$/.test(path));
  const written = files.flatMap(({ path, text }) =>
    [...text.matchAll(/^ {2}'([a-z][\w.-]*\.[\w.-]+)':/gm)].map(([, key = '']) => `${key} in ${path}`),
  );
  expect(written.length).toBeGreaterThanOrEqual(keys.length * 0.95);
  const names = written.map((one) => one.split(' in ')[0]);
  expect(written.filter((_, n) => names.indexOf(names[n]) !== names.lastIndexOf(names[n]))).toEqual([]);
});

describe.each(Object.entries(LANGUAGES))('the catalogue %s', (code, { catalogue }) => {
  const texts = Object.entries(catalogue) as [Key, string][];

  it('has known keys only, with the placeholders of the English text', () => {
    for (const [key, text] of texts) {
      expect(keys, key).toContain(key);
      expect(placeholders(text), key).toEqual(placeholders(en[key]));
    }
  });

  it('keeps markup out of what Telegram shows as it is', () => {
    for (const [key, text] of texts) {
      if (PLAIN.some((prefix) => key.startsWith(prefix))) expect(text, key).not.toMatch(/<\/?\w+>|&\w+;/);
    }
  });

  it('is accepted by Telegram’s HTML rules, whatever is put in', () => {
    for (const [key, text] of texts) {
      if (!PLAIN.some((prefix) => key.startsWith(prefix))) {
        expect(() => parseHtml(text.replace(/\{\w+\}/g, '&lt;x&gt;')), key).not.toThrow();
      }
    }
  });

  it('stays within Telegram’s limits', () => {
    for (const [key, text] of texts) {
      if (key.startsWith('toast.')) expect(text.length, key).toBeLessThanOrEqual(200);
      if (key.startsWith('ask.')) expect(text.length, key).toBeLessThanOrEqual(64);
      if (key.startsWith('cmd.')) expect(text.length, key).toBeLessThanOrEqual(256);
    }
    const words = wordsOf(isLanguage(code) ? code : 'en');
    expect(words.text('profile.short').length).toBeLessThanOrEqual(120);
    expect(words.text('profile.description').length).toBeLessThanOrEqual(512);
  });

  it('has at most one emoji per text', () => {
    for (const [key, text] of texts) {
      expect(text.match(/\p{Extended_Pictographic}/gu)?.length ?? 0, key).toBeLessThanOrEqual(1);
    }
  });
});

/** Spanish words that were once beside another word for the same thing, and the one that stayed. */
const ONE_WORD: readonly (readonly [never: RegExp, instead: string])[] = [
  [/retirada/i, 'retiro'],
  [/l[ií]mite de gasto/i, 'tope de gasto'],
  [/modo de pr[aá]ctica/i, 'modo de papel'],
  // "Plataforma" is a launchpad.
  [/comisi[oó]n de la plataforma/i, 'comisión del servicio'],
  [/titulares/i, 'tenedores'],
  [/la oferta/i, 'la cantidad'],
  [/curva/i, 'un precio que sube'],
  // As each screen prints numbers in Spanish, and as each reader takes them: a comma before decimals. Four points are an address.
  [/(?<![\d.])\d+\.\d+(?!\.?\d)/, 'a comma before decimals'],
  [/(?<!\d)[1-9]\d{0,2},\d{3}\b/, 'no mark between thousands below 10 000'],
  [/\bn\/d\b/, 'n/a, as every screen says'],
  // One of them is "1 abierta": a count after its noun needs no plural.
  [/\{\w+\} (abiertas|órdenes cambiadas|encontrados)/, 'abiertas: {open}'],
];

describe('the Spanish catalogue', () => {
  it.each(ONE_WORD)('never says %s: %s', (never) => {
    const texts = Object.entries(LANGUAGES.es.catalogue);
    expect(texts.filter(([, text]) => never.test(text))).toEqual([]);
  });

  it('has examples of prices that are read as the English ones are', () => {
    const examples = (text: string): readonly string[] =>
      text.match(/(?<![\w.,])[$-]?\d+(?:[.,]\d+)?[%xKM]?(?!\w)/g) ?? [];
    const asked: readonly Key[] = [
      'order.refused.price-invalid',
      'order.refused.cap-invalid',
      'order.refused.entry-unknown',
      'order.refused.floor_SOL',
      'order.refused.floor_USD',
    ];
    for (const key of asked) {
      const read = (text: string) => examples(text).map((one) => readPrice(one));
      const own = read(LANGUAGES.es.catalogue[key] ?? '');
      expect(own.length, key).toBeGreaterThan(0);
      expect(own, key).toEqual(read(en[key]));
      expect(
        own.filter(({ kind }) => kind.startsWith('price')),
        key,
      ).toEqual([]);
    }
  });

  it('tells what the English texts tell', () => {
    const { catalogue } = LANGUAGES.es;
    expect(catalogue['help.wallets']).toMatch(/PIN, [\s\S]*\/panic/);
    expect(catalogue['create.ask_type']).toMatch(/l[aá]nzalo/);
    expect(catalogue['create.ask_symbol']).toMatch(/letras o cifras/);
    // A command that an English text names is named in Spanish, too.
    const commands = (text: string): readonly string[] =>
      [...text.replace(/<[^>]*>|https?:\S+/g, '').matchAll(/(?<![\w}])\/[a-z_]{4,}/g)]
        .map(([one]) => one)
        .toSorted();
    for (const key of keys) expect(commands(catalogue[key]), key).toEqual(commands(en[key]));
  });
});

describe('words', () => {
  it('says everything in every language', () => {
    const missing = Object.entries(LANGUAGES).flatMap(([code, { catalogue }]) =>
      keys.filter((key) => !Object.hasOwn(catalogue, key)).map((key) => `${code}: ${key}`),
    );
    expect(missing.filter((one) => !NOT_YET.includes(one))).toEqual([]);
    // What has been translated since leaves the list.
    expect(NOT_YET.filter((one) => !missing.includes(one))).toEqual([]);
  });

  it('has no text that nobody says', () => {
    expect(unsaid(keys, SPEAKERS)).toEqual([]);
    expect(unsaid(['a.b', 'a.c', 'd.e'], ["say('a.b'); say(`d.${x}`);"])).toEqual(['a.c']);
  });

  it('chooses the saved language, then Telegram’s, then English', () => {
    expect(chooseLanguage('es', 'en')).toBe('es');
    expect(chooseLanguage(null, 'es-MX')).toBe('es');
    expect(chooseLanguage('xx', 'toString')).toBe('en');
    expect(chooseLanguage(null, null)).toBe('en');
  });

  it('keeps the button that unlocks everything as the specification names it', () => {
    for (const { catalogue } of Object.values(LANGUAGES)) {
      expect(catalogue['btn.create_wallet']).toBe('Create Deposit Wallet');
    }
  });

  it('describes the eleven commands of the specification', () => {
    expect(COMMANDS).toHaveLength(11);
    for (const name of COMMANDS) expect(en[`cmd.${name}`].length).toBeGreaterThan(0);
  });
});
