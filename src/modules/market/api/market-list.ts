import type { ApiDeps } from '../../../compose/api-deps.ts';
import { Answer, type PreparedBody, prepareBody } from '../../../platform/http/answer.ts';
import type { Envelope } from '../../../platform/http/envelope.ts';
import type { MarketEntry, MarketSnapshot } from '../use/market-snapshot.ts';
import { addressCursor, cursorText, indexBehind, type ListQuery } from './market-input.ts';

/** Seconds for which a list may be kept: it is read anew after two at the earliest. */
const MAX_AGE = 2;

/** Bodies of whole lists, as long as their snapshot is kept. */
const prepared = new WeakMap<MarketSnapshot, Map<string, Promise<PreparedBody>>>();

/**
 * A list with one record per market, sorted by address; markets for which `record` gives null are left out. The whole list
 * is made once per snapshot. Throws INDEX_BEHIND and CURSOR_INVALID.
 */
export async function marketList<R>(
  { market }: Pick<ApiDeps, 'market'>,
  list: {
    readonly path: string;
    readonly envelope: Envelope;
    readonly record: (entry: MarketEntry) => R | null;
  },
  query: ListQuery,
): Promise<Answer> {
  const snapshot = await market.snapshot();
  if (snapshot.entries.length === 0) throw indexBehind();
  const headers = { 'x-data-as-of': new Date(snapshot.at).toISOString() };
  if (Object.values(query).every((value) => value === undefined)) {
    return new Answer({ maxAge: MAX_AGE, headers, prepared: await wholeList(snapshot, list) });
  }
  const { rows, next } = page(list.path, snapshot.entries, query, list.record);
  const link = next === null ? {} : { link: `<${list.path}?${nextQuery(query, next)}>; rel="next"` };
  return new Answer({ data: rows, maxAge: MAX_AGE, headers: { ...headers, ...link } });
}

function wholeList<R>(
  snapshot: MarketSnapshot,
  { path, envelope, record }: Parameters<typeof marketList<R>>[1],
): Promise<PreparedBody> {
  const bodies = prepared.get(snapshot) ?? new Map<string, Promise<PreparedBody>>();
  prepared.set(snapshot, bodies);
  const known = bodies.get(path);
  if (known !== undefined) return known;
  const made = prepareBody(
    envelope,
    snapshot.entries.map(record).filter((row) => row !== null),
  );
  bodies.set(path, made);
  return made;
}

function page<R>(
  list: string,
  entries: readonly MarketEntry[],
  query: ListQuery,
  record: (entry: MarketEntry) => R | null,
): { readonly rows: readonly R[]; readonly next: string | null } {
  const after = query.cursor === undefined ? '' : addressCursor(list, query.cursor);
  const since = query.since === undefined ? null : Date.parse(query.since) / 1_000;
  const rows: R[] = [];
  let last = '';
  for (const entry of entries) {
    const { address, baseMint, quoteMint } = entry.market;
    if (address <= after) continue;
    if (query.base !== undefined && query.base !== baseMint) continue;
    if (query.quote !== undefined && query.quote !== quoteMint) continue;
    if (since !== null && (entry.last === null || entry.last.at < since)) continue;
    const row = record(entry);
    if (row === null) continue;
    // One more than asked for: there is a next page.
    if (query.limit !== undefined && rows.length === Number(query.limit))
      return { rows, next: cursorText(list, last) };
    rows.push(row);
    last = address;
  }
  return { rows, next: null };
}

/** The same question, further on. */
export function nextQuery(query: Readonly<Record<string, string | undefined>>, cursor: string): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) params.set(name, value);
  params.set('cursor', cursor);
  return params.toString();
}
