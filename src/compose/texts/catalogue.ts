import type { en } from './en.ts';

/** The name of a text. */
export type Key = keyof typeof en;

/** A translation: any subset of the reference's keys. A missing text is said in English. */
export type Catalogue = Partial<Record<Key, string>>;
