import { type Address, isAddress } from '@tradepost/solana';

/** A stored value that the code never writes: a corrupt or forged row. Never user input. */
export class CorruptRowError extends Error {
  constructor(path: string, expected: string) {
    super(`stored value at ${path}: expected ${expected}`);
    this.name = 'CorruptRowError';
  }
}

/** Reads one JSON object field by field; every reader throws CorruptRowError naming the path and the expected value. */
export type JsonReader = {
  readonly text: (key: string) => string;
  readonly textOrNull: (key: string) => string | null;
  readonly flag: (key: string) => boolean;
  /** A safe integer. */
  readonly integer: (key: string) => number;
  readonly integerOrNull: (key: string) => number | null;
  /** A decimal string, so that no bigint passes through a double. */
  readonly amount: (key: string) => bigint;
  readonly address: (key: string) => Address;
  readonly addressOrNull: (key: string) => Address | null;
  /** Absent counts as null: for a field that older rows were written without. */
  readonly addressIfAny: (key: string) => Address | null;
  readonly oneOf: <T extends string>(key: string, allowed: readonly T[]) => T;
  readonly object: (key: string) => JsonReader;
  readonly objectOrNull: (key: string) => JsonReader | null;
  readonly list: <T>(key: string, each: (item: JsonReader) => T) => readonly T[];
  readonly raw: (key: string) => unknown;
};

export function jsonReader(value: unknown, path: string): JsonReader {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CorruptRowError(path, 'an object');
  }
  const entries = new Map(Object.entries(value));
  const at = (key: string): string => `${path}.${key}`;
  const need = <T>(key: string, expected: string, test: (found: unknown) => found is T): T => {
    const found = entries.get(key);
    if (!test(found)) throw new CorruptRowError(at(key), expected);
    return found;
  };
  const isText = (found: unknown): found is string => typeof found === 'string';
  const isFlag = (found: unknown): found is boolean => typeof found === 'boolean';
  const isInteger = (found: unknown): found is number => Number.isSafeInteger(found);
  const isDigits = (found: unknown): found is string =>
    typeof found === 'string' && /^(?:0|-?[1-9]\d{0,39})$/.test(found);
  const isAddressText = (found: unknown): found is Address => typeof found === 'string' && isAddress(found);
  const isList = (found: unknown): found is readonly unknown[] => Array.isArray(found);
  const isNull = (key: string): boolean => entries.get(key) === null;
  return {
    text: (key) => need(key, 'text', isText),
    textOrNull: (key) => (isNull(key) ? null : need(key, 'text or null', isText)),
    flag: (key) => need(key, 'true or false', isFlag),
    integer: (key) => need(key, 'an integer', isInteger),
    integerOrNull: (key) => (isNull(key) ? null : need(key, 'an integer or null', isInteger)),
    amount: (key) => BigInt(need(key, 'a whole number as a decimal string', isDigits)),
    address: (key) => need(key, 'an address', isAddressText),
    addressOrNull: (key) => (isNull(key) ? null : need(key, 'an address or null', isAddressText)),
    addressIfAny: (key) =>
      isNull(key) || !entries.has(key) ? null : need(key, 'an address or null', isAddressText),
    oneOf: <T extends string>(key: string, allowed: readonly T[]): T =>
      need(key, `one of ${allowed.join(', ')}`, (found): found is T =>
        allowed.some((candidate) => candidate === found),
      ),
    object: (key) => jsonReader(entries.get(key), at(key)),
    objectOrNull: (key) => (isNull(key) ? null : jsonReader(entries.get(key), at(key))),
    list: (key, each) =>
      need(key, 'a list', isList).map((item, index) => each(jsonReader(item, `${at(key)}[${index}]`))),
    raw: (key) => entries.get(key),
  };
}
