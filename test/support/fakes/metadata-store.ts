import { createHash } from 'node:crypto';
import { AppError } from '../../../src/core/errors/app-error.ts';
import { type MetadataStore, metadataPath } from '../../../src/core/ports/metadata-store.ts';

/** Files in memory. */
export function fakeMetadataStore(
  options: { readonly publicUrl?: string | null; readonly maxBytes?: number } = {},
): MetadataStore {
  const { publicUrl = 'https://desk.example', maxBytes = Number.POSITIVE_INFINITY } = options;
  const files = new Map<string, Uint8Array>();
  return {
    put: async (type, bytes) => {
      if (publicUrl === null) throw new AppError('PUBLIC_URL_UNKNOWN', {});
      const kept = [...files.values()].reduce((sum, file) => sum + file.length, 0);
      if (type !== 'json' && kept + bytes.length > maxBytes)
        throw new AppError('METADATA_STORE_FULL', { maxBytes });
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const path = metadataPath(sha256, type);
      files.set(path, Uint8Array.from(bytes));
      return { sha256, uri: `${publicUrl}${path}` };
    },
    find: async (sha256, type) => files.get(metadataPath(sha256, type)) ?? null,
  };
}
