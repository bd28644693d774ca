import type { Intent } from './intent.ts';

/** What a person confirms: all of an intent that decides what may be signed. */
export type ConfirmedIntent = Pick<Intent, 'id' | 'idemKey' | 'walletId' | 'params'> & {
  readonly userId: string;
};

/**
 * The text that the signer's code is made over: version 1. Made of the decoded values and never of stored JSON text, whose
 * spaces and order of keys the database changes. No two requests share a text: every part carries its type and its length. A
 * property that is absent and one that is `undefined` are the same, so that a property that later versions add leaves the
 * texts of older rows as they were, as long as it stays absent in them.
 */
export function confirmationText({ id, idemKey, userId, walletId, params }: ConfirmedIntent): string {
  return `tradepost/intent/1${canonical([id, idemKey, params.kind, userId, walletId, params])}`;
}

/** Whether two values have the same canonical text. */
export function isSameValue(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b);
}

/** Throws a TypeError for what no intent is made of. */
function canonical(value: unknown): string {
  if (value === null) return 'n';
  switch (typeof value) {
    case 'boolean':
      return value ? 't' : 'f';
    case 'bigint':
      return `i${value};`;
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError('a number of an intent is finite');
      // Plus zero: -0 and 0 are one number, and JSON keeps one of them.
      return `d${value + 0};`;
    case 'string':
      return `s${value.length}:${value}`;
    case 'object':
      return Array.isArray(value)
        ? `a${value.length}:${value.map(canonical).join('')}`
        : canonicalRecord(value);
    case 'function':
    case 'symbol':
    case 'undefined':
  }
  throw new TypeError(`an intent holds no ${typeof value}`);
}

function canonicalRecord(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw new TypeError('an intent is plain data');
  const entries = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `o${entries.length}:${entries.map(([key, part]) => canonical(key) + canonical(part)).join('')}`;
}
