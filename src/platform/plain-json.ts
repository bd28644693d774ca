const BIGINT = '$bigint';
const BYTES = '$bytes';

/** JSON in UTF-8, with bigints as `{"$bigint":"1"}` and bytes as `{"$bytes":"base64"}`. */
export function toPlainJson(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(tagged(value)), 'utf8');
}

/** The inverse. Throws a SyntaxError for a text that is no JSON. */
export function fromPlainJson(body: Uint8Array): unknown {
  return untagged(JSON.parse(Buffer.from(body).toString('utf8')));
}

function tagged(value: unknown): unknown {
  if (typeof value === 'bigint') return { [BIGINT]: value.toString() };
  if (value instanceof Uint8Array) return { [BYTES]: Buffer.from(value).toString('base64') };
  if (Array.isArray(value)) return value.map(tagged);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, tagged(part)]));
}

function untagged(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(untagged);
  const entries = Object.entries(value);
  const [only] = entries;
  if (entries.length === 1 && only !== undefined && typeof only[1] === 'string') {
    if (only[0] === BIGINT && /^-?\d{1,80}$/.test(only[1])) return BigInt(only[1]);
    if (only[0] === BYTES) return new Uint8Array(Buffer.from(only[1], 'base64'));
  }
  return Object.fromEntries(entries.map(([key, part]) => [key, untagged(part)]));
}
