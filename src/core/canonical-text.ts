/**
 * One text per value. The order of its keys and the spaces of a stored form do not change it: every part carries its type and its length.
 * An absent property and one that is `undefined` are the same. Throws a TypeError for a function, a symbol and a number without end.
 */
export function canonicalText(value: unknown): string {
  if (value === null) return 'n';
  switch (typeof value) {
    case 'boolean':
      return value ? 't' : 'f';
    case 'bigint':
      return `i${value};`;
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError('a sealed number is finite');
      // Plus zero: -0 and 0 are one number, and JSON keeps one of them.
      return `d${value + 0};`;
    case 'string':
      return `s${value.length}:${value}`;
    case 'object':
      return Array.isArray(value)
        ? `a${value.length}:${value.map(canonicalText).join('')}`
        : canonicalRecord(value);
    case 'function':
    case 'symbol':
    case 'undefined':
  }
  throw new TypeError(`nothing sealed holds a ${typeof value}`);
}

function canonicalRecord(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    throw new TypeError('what is sealed is plain data');
  const entries = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `o${entries.length}:${entries.map(([key, part]) => canonicalText(key) + canonicalText(part)).join('')}`;
}
