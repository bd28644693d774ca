import { fill, type Html, type HtmlValue } from '../../platform/telegram/ui/html.ts';
import type { Catalogue, Key } from './catalogue.ts';
import { en } from './en.ts';
import { es } from './es.ts';

type Placeholder<S extends string> = S extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

type Values<K extends Key, V> = [Placeholder<(typeof en)[K]>] extends [never]
  ? []
  : [values: Readonly<Record<Placeholder<(typeof en)[K]>, V>>];

/** The names of texts that take no values. */
type PlainKey = { [K in Key]: [Placeholder<(typeof en)[K]>] extends [never] ? K : never }[Key];

/** The languages on offer, each by its own name. One line and one file more make another. */
export const LANGUAGES = {
  en: { name: 'English', catalogue: en },
  es: { name: 'Español', catalogue: es },
} as const satisfies Record<string, { readonly name: string; readonly catalogue: Catalogue }>;

export type Language = keyof typeof LANGUAGES;

/** Says things in one language. A key's placeholders are checked by the compiler against the English text. */
export interface Words {
  readonly language: Language;
  /** Whether there is a text of that name that takes no values: for names made of data. */
  has(key: string): key is PlainKey;
  /** A message part; every value is escaped. */
  html<K extends Key>(key: K, ...values: Values<K, HtmlValue>): Html;
  /** A button label, toast or placeholder: no markup, and Telegram escapes nothing here. */
  text<K extends Key>(key: K, ...values: Values<K, string | number>): string;
}

export const isLanguage = (code: string): code is Language => Object.hasOwn(LANGUAGES, code);

/** The saved setting, else Telegram's `language_code` (its region dropped), else English. */
export function chooseLanguage(saved: string | null, telegram: string | null): Language {
  if (saved !== null && isLanguage(saved)) return saved;
  const base = telegram?.toLowerCase().split('-')[0] ?? '';
  return isLanguage(base) ? base : 'en';
}

const cache = new Map<Language, Words>();

/** Words of a language, falling back to English key by key. */
export function wordsOf(language: Language): Words {
  const known = cache.get(language);
  if (known !== undefined) return known;
  const catalogue: Catalogue = LANGUAGES[language].catalogue;
  const template = (key: Key): string => catalogue[key] ?? en[key];
  const words: Words = {
    language,
    has: isPlainKey,
    html: (key, ...[values]) => fill(template(key), values ?? {}),
    text: (key, ...[values]) => {
      const given: Readonly<Record<string, string | number>> = values ?? {};
      return template(key).replace(/\{(\w+)\}/g, (_match, name: string) => {
        const value = given[name];
        if (value === undefined) throw new Error(`no value for placeholder {${name}}`);
        return String(value);
      });
    },
  };
  cache.set(language, words);
  return words;
}

function isPlainKey(key: string): key is PlainKey {
  const texts: Readonly<Record<string, string>> = en;
  const text = Object.hasOwn(texts, key) ? texts[key] : undefined;
  return text !== undefined && !/\{\w+\}/.test(text);
}

/** The words for a person. */
export function wordsFor(person: {
  readonly settings: { readonly language: string | null };
  readonly telegramLanguage: string | null;
}): Words {
  return wordsOf(chooseLanguage(person.settings.language, person.telegramLanguage));
}
