/**
 * The part of structured fields (RFC 9651) that signed requests use: lists of quoted names with integer or text parameters, and byte
 * sequences by their keys. Anything else is null, so no two readers see two meanings.
 */
export type BareItem = string | number;

export type InnerList = {
  readonly items: readonly string[];
  /** In the order in which they came: that is the order of the signed text. */
  readonly params: readonly (readonly [string, BareItem])[];
};

const KEY = /^[a-z*][a-z0-9_\-.*]*/;
const STRING = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"/;
const INTEGER = /^-?\d{1,15}(?![\d.])/;
const BYTES = /^:([A-Za-z0-9+/]*={0,2}):/;

type Taken<T> = readonly [T, string] | null;

/** `sig=("@method" "@path");created=1;nonce="x"`: the one member with its key; null for any other form, and for several members. */
export function readSignatureInput(text: string): (InnerList & { readonly label: string }) | null {
  const keyed = takeKey(text.trim());
  if (keyed === null) return null;
  const list = takeList(keyed[1]);
  return list === null || list[1] !== '' ? null : { label: keyed[0], ...list[0] };
}

/** `sha-256=:…:, sha-512=:…:`: each member's bytes by its key; null for any other form, and where a key comes twice. */
export function readByteMembers(text: string): ReadonlyMap<string, Uint8Array> | null {
  const members = new Map<string, Uint8Array>();
  for (let rest = text.trim(); ; ) {
    const keyed = takeKey(rest);
    const taken = keyed === null ? null : takeBytes(keyed[1]);
    if (keyed === null || taken === null || members.has(keyed[0])) return null;
    members.set(keyed[0], taken[0]);
    if (taken[1].trim() === '') return members;
    const [, more] = /^[ \t]*,[ \t]*(.+)$/.exec(taken[1]) ?? [];
    if (more === undefined) return null;
    rest = more;
  }
}

/** The list as a structured field writes it: what a signature covers is this text, not the one that came. */
export function innerListText({ items, params }: InnerList): string {
  const names = items.map(quoted).join(' ');
  const more = params.map(([key, value]) => `;${key}=${typeof value === 'number' ? value : quoted(value)}`);
  return `(${names})${more.join('')}`;
}

export function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, (one) => `\\${one}`)}"`;
}

function takeKey(text: string): Taken<string> {
  const [key] = KEY.exec(text) ?? [];
  return key === undefined || text[key.length] !== '=' ? null : [key, text.slice(key.length + 1)];
}

function takeList(text: string): Taken<InnerList> {
  if (!text.startsWith('(')) return null;
  const items: string[] = [];
  let rest = text.slice(1).replace(/^ +/, '');
  while (!rest.startsWith(')')) {
    const item = takeString(rest);
    if (item === null || !/^[ )]/.test(item[1])) return null;
    items.push(item[0]);
    rest = item[1].replace(/^ +/, '');
  }
  const params = takeParams(rest.slice(1));
  return params === null ? null : [{ items, params: params[0] }, params[1]];
}

function takeParams(text: string): Taken<InnerList['params']> {
  const params: (readonly [string, BareItem])[] = [];
  let rest = text;
  while (rest.startsWith(';')) {
    const keyed = takeKey(rest.slice(1).replace(/^ +/, ''));
    const value = keyed === null ? null : (takeString(keyed[1]) ?? takeInteger(keyed[1]));
    if (keyed === null || value === null || params.some(([key]) => key === keyed[0])) return null;
    params.push([keyed[0], value[0]]);
    rest = value[1];
  }
  return [params, rest];
}

function takeString(text: string): Taken<string> {
  const [whole, inner] = STRING.exec(text) ?? [];
  if (whole === undefined || inner === undefined) return null;
  return [inner.replace(/\\(["\\])/g, '$1'), text.slice(whole.length)];
}

function takeInteger(text: string): Taken<number> {
  const [whole] = INTEGER.exec(text) ?? [];
  return whole === undefined ? null : [Number(whole), text.slice(whole.length)];
}

function takeBytes(text: string): Taken<Uint8Array> {
  const [whole, inner] = BYTES.exec(text) ?? [];
  if (whole === undefined || inner === undefined) return null;
  const bytes = new Uint8Array(Buffer.from(inner, 'base64'));
  // A text that is no base64 of these bytes would be a second name of them.
  return Buffer.from(bytes).toString('base64') === inner ? [bytes, text.slice(whole.length)] : null;
}
