import { createHash } from 'node:crypto';
import { AppError } from '../../../src/core/errors/app-error.ts';
import { readDocument } from '../../../src/core/metadata/read-document.ts';
import { type FileShelf, metadataPath, nameInLink } from '../../../src/core/ports/metadata-store.ts';

/** Files in memory. */
export function fakeMetadataStore(
  options: {
    readonly publicUrl?: string | null;
    readonly maxBytes?: number;
    readonly clock?: { now(): number };
  } = {},
): FileShelf {
  const { publicUrl = 'https://desk.example', maxBytes = Number.POSITIVE_INFINITY, clock = Date } = options;
  const files = new Map<string, { readonly bytes: Uint8Array; unusedSince: number | null }>();
  /** Path by every name that a link may end in. */
  const names = new Map<string, string>();
  return {
    put: async (type, bytes) => {
      if (publicUrl === null) throw new AppError('PUBLIC_URL_UNKNOWN', {});
      const kept = [...files.values()].reduce((sum, file) => sum + file.bytes.length, 0);
      if (type !== 'json' && kept + bytes.length > maxBytes)
        throw new AppError('METADATA_STORE_FULL', { maxBytes });
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const path = metadataPath(sha256, type);
      const known = files.get(path);
      const isNamed = type === 'json' || known?.unusedSince === null;
      files.set(path, { bytes: Uint8Array.from(bytes), unusedSince: isNamed ? null : clock.now() });
      names.set(`${sha256}.${type}`, path);
      if (type === 'json') {
        const image = readDocument(new TextDecoder().decode(bytes))?.image ?? '';
        const named = files.get(names.get(nameInLink(image)) ?? '');
        if (named !== undefined) named.unusedSince = null;
      }
      return { sha256, uri: `${publicUrl}${path}` };
    },
    find: async (sha256, type) => files.get(metadataPath(sha256, type))?.bytes ?? null,
    deleteUnused: async (before) => {
      const gone = [...files].filter(([, file]) => file.unusedSince !== null && file.unusedSince < before);
      for (const [path] of gone) files.delete(path);
      return gone.length;
    },
    alsoKnownAs: async ({ sha256, type }, name) => {
      names.set(name, metadataPath(sha256, type));
    },
  };
}
