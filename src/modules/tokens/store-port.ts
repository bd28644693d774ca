import type { Address } from '@tradepost/solana';
import type { Token } from './rules/token.ts';

/** The known facts about every token that a person may search for, over all processes. In Postgres, beside the markets. */
export interface TokenIndex {
  /** Writes down the names of tokens. The time at which each was first seen stays. */
  save(tokens: readonly TokenNote[], now: number): Promise<void>;
  /** Those of these mints that are known, in the order asked. */
  find(mints: readonly Address[]): Promise<readonly IndexedToken[]>;
  /**
   * Tokens whose symbol or name answers a key (see `searchKey`): is it, begins with it, contains it or is like it. One or two
   * letters are compared with beginnings alone. The nearest `limit`, equal symbols first.
   */
  search(key: string, limit: number): Promise<readonly FoundToken[]>;
  /** Those first seen last, the newest first; with `after`, those that come behind that one. */
  newest(page: NewestPage): Promise<readonly IndexedToken[]>;
  /**
   * Mints that are traded or were made here and were never read, or not since `readBefore`. Those never read come first, in no order, so
   * that some that cannot be read do not hold up the others.
   */
  due(options: { readonly readBefore: number; readonly limit: number }): Promise<readonly Address[]>;
}

export type NewestPage = {
  readonly limit: number;
  /** When a token was first seen (epoch milliseconds), and its mint. */
  readonly after?: { readonly at: number; readonly mint: string };
};

export type TokenNote = Pick<Token, 'mint' | 'symbol' | 'name' | 'decimals'>;

export type IndexedToken = TokenNote & {
  readonly symbolKey: string;
  readonly nameKey: string;
  /** A wallet of this desk created it. */
  readonly madeHere: boolean;
  /** Has its ticker alone in market names. */
  readonly bare: boolean;
  /** The owner of the ticker that this one's is taken for; null where it is its own or has no owner. */
  readonly imitates: Address | null;
  /** Epoch milliseconds. */
  readonly firstSeenAt: number;
};

export type FoundToken = IndexedToken & {
  /** Of the nearer of symbol and name to the key, 0 to 1. */
  readonly similarity: number;
};
