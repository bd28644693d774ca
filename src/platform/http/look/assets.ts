import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** A file that pages load. It never changes at its address, which holds a hash of all of them. */
export type Asset = {
  readonly type: string;
  readonly bytes: Readonly<Record<'identity' | 'gzip' | 'br', Buffer>>;
};

const TYPES = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
} as const;

const own = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** By name. The chart library comes from its own package, unchanged, with its licence in its first lines. */
const FILES: Readonly<Record<AssetName, string>> = {
  'style.css': own('style.css'),
  'mark.svg': own('browser/mark.svg'),
  'site.js': own('browser/site.js'),
  'chart.js': own('browser/chart.js'),
  'udf-client.js': own('browser/udf-client.js'),
  'lightweight-charts.js': chartLibrary(),
};

export type AssetName =
  | 'style.css'
  | 'mark.svg'
  | 'site.js'
  | 'chart.js'
  | 'udf-client.js'
  | 'lightweight-charts.js';

const texts = new Map(Object.entries(FILES).map(([name, path]) => [name, readFileSync(path)]));
const version = createHash('sha256')
  .update(
    [...texts].map(([name, text]) => `${name} ${createHash('sha256').update(text).digest('hex')}`).join('\n'),
  )
  .digest('hex')
  .slice(0, 16);
const prepared = new Map<string, Asset>();

/** Where a page finds it. Modules beside each other find each other by name. */
export const assetPath = (name: AssetName): string => `/assets/${version}/${name}`;

/** An asset as it was read, for routes that serve it at an address of its own. */
export const assetBytes = (name: AssetName): Uint8Array => texts.get(name) ?? new Uint8Array();

/** The file of an address under `/assets`; null where there is none. Compressed when first asked for. */
export function assetAt(wantedVersion: string, name: string): Asset | null {
  const text = texts.get(name);
  if (wantedVersion !== version || text === undefined) return null;
  const known = prepared.get(name);
  if (known !== undefined) return known;
  const ending = name.split('.').at(-1) ?? '';
  const type = Object.entries(TYPES).find(([one]) => one === ending)?.[1] ?? 'application/octet-stream';
  const asset: Asset = {
    type,
    bytes: { identity: text, gzip: gzipSync(text), br: brotliCompressSync(text) },
  };
  prepared.set(name, asset);
  return asset;
}

function chartLibrary(): string {
  const path = join(
    'node_modules',
    'lightweight-charts',
    'dist',
    'lightweight-charts.standalone.production.mjs',
  );
  for (let folder = dirname(own('.')); ; folder = dirname(folder)) {
    if (existsSync(join(folder, path))) return join(folder, path);
    if (folder === dirname(folder)) throw new Error('lightweight-charts is missing: run "npm ci"');
  }
}
