import { createHash } from 'node:crypto';
import { AppError } from '../../../src/core/errors/app-error.ts';
import { readDocument } from '../../../src/modules/mint/rules/read-document.ts';
import {
  type AwaitedMint,
  type FileShelf,
  type MetadataFileType,
  metadataPath,
  nameInLink,
  type StoredFile,
} from '../../../src/platform/ports/metadata-store.ts';

/** Files in memory. */
export function fakeMetadataStore(
  options: {
    readonly publicUrl?: string | null;
    readonly maxBytes?: number;
    readonly clock?: { now(): number };
  } = {},
): FileShelf & {
  /** How many files are kept, whatever they wait for. */
  readonly count: () => number;
} {
  const { publicUrl = 'https://desk.example', maxBytes = Number.POSITIVE_INFINITY, clock = Date } = options;
  const files = new Map<string, { readonly bytes: Uint8Array; unusedSince: number | null; image: string }>();
  const waits = new Map<string, { readonly wait: AwaitedMint; looked: boolean }>();
  /** Path by every name that a link may end in. */
  const names = new Map<string, string>();
  const locate = (type: MetadataFileType, bytes: Uint8Array): StoredFile => {
    if (publicUrl === null) throw new AppError('PUBLIC_URL_UNKNOWN', {});
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { sha256, uri: `${publicUrl}${metadataPath(sha256, type)}` };
  };
  const pathOf = (image: string): string => names.get(image) ?? '';
  return {
    count: () => files.size,
    locate: async (type, bytes) => locate(type, bytes),
    put: async (type, bytes) => {
      const stored = locate(type, bytes);
      const kept = [...files.values()].reduce((sum, file) => sum + file.bytes.length, 0);
      if (type !== 'json' && kept + bytes.length > maxBytes)
        throw new AppError('METADATA_STORE_FULL', { maxBytes });
      const path = metadataPath(stored.sha256, type);
      const image =
        type === 'json' ? nameInLink(readDocument(new TextDecoder().decode(bytes))?.image ?? '') : '';
      const isKept = files.get(path)?.unusedSince === null;
      files.set(path, {
        bytes: Uint8Array.from(bytes),
        unusedSince: isKept ? null : clock.now(),
        image,
      });
      names.set(`${stored.sha256}.${type}`, path);
      const named = files.get(pathOf(image));
      if (named !== undefined) named.unusedSince = null;
      return stored;
    },
    find: async (sha256, type) => files.get(metadataPath(sha256, type))?.bytes ?? null,
    deleteUnused: async (before) => {
      const overdue = ([, { unusedSince }]: [string, { unusedSince: number | null }]): boolean =>
        unusedSince !== null && unusedSince < before;
      const isAwaited = (path: string): boolean =>
        [...waits.values()].some(({ wait }) => path === metadataPath(wait.sha256, 'json'));
      const documents = [...files].filter((entry) => entry[0].endsWith('.json') && overdue(entry));
      const gone = documents.filter(([path]) => !isAwaited(path));
      for (const [path, { image, unusedSince }] of gone) {
        files.delete(path);
        const picture = files.get(pathOf(image));
        const isNamed = [...files.values()].some((other) => pathOf(other.image) === pathOf(image));
        if (picture !== undefined && !isNamed) picture.unusedSince = unusedSince;
      }
      const pictures = [...files].filter((entry) => !entry[0].endsWith('.json') && overdue(entry));
      for (const [path] of pictures) files.delete(path);
      return gone.length + pictures.length;
    },
    keep: async (sha256) => {
      const file = files.get(metadataPath(sha256, 'json'));
      if (file !== undefined) file.unusedSince = null;
    },
    awaitMint: async (wait) => {
      waits.set(`${wait.mint}/${wait.sha256}`, { wait, looked: false });
    },
    awaitedMints: async ({ lookedBefore, endBefore, limit }) =>
      [...waits.values()]
        .filter(({ wait, looked }) => wait.since < lookedBefore && (!looked || wait.since < endBefore))
        .map(({ wait }) => wait)
        .toSorted((a, b) => a.since - b.since || (a.mint < b.mint ? -1 : 1))
        .slice(0, limit),
    settleMint: async ({ mint, sha256 }, at) => {
      const found = waits.get(`${mint}/${sha256}`);
      if (at === null) waits.delete(`${mint}/${sha256}`);
      else if (found !== undefined) found.looked = true;
    },
    alsoKnownAs: async ({ sha256, type }, name) => {
      names.set(name, metadataPath(sha256, type));
    },
  };
}
