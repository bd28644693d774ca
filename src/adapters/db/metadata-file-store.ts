import { createHash } from 'node:crypto';
import { AppError } from '../../core/errors/app-error.ts';
import { type MetadataStore, metadataPath } from '../../core/ports/metadata-store.ts';
import type { Connection } from './connection.ts';

/**
 * Documents and pictures in Postgres: the role that stores one and the role that serves it may be different machines, and a
 * dump that restores the tokens restores what they point at. `publicUrl` is asked at each put, because an open host on any
 * free port knows its address only once it listens. Pictures stop at `maxBytes` of table; documents, without which a paid
 * creation would fail, do not.
 */
export function createMetadataFileStore(
  { query }: Pick<Connection, 'query'>,
  options: { readonly publicUrl: () => string | null; readonly maxBytes: number },
): MetadataStore {
  return {
    put: async (type, bytes) => {
      const publicUrl = options.publicUrl();
      if (publicUrl === null) throw new AppError('PUBLIC_URL_UNKNOWN', {});
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const stored = { sha256, uri: `${publicUrl}${metadataPath(sha256, type)}` };
      if (type !== 'json') {
        const [size] = await query<{ bytes: bigint | string }>(
          `SELECT pg_total_relation_size('metadata_files') AS bytes`,
          [],
        );
        if (Number(size?.bytes ?? 0) + bytes.length > options.maxBytes) {
          throw new AppError('METADATA_STORE_FULL', { maxBytes: options.maxBytes });
        }
      }
      await query(
        `INSERT INTO metadata_files (sha256, type, bytes) VALUES ($1, $2, $3::bytea)
         ON CONFLICT (sha256, type) DO NOTHING`,
        [sha256, type, Uint8Array.from(bytes)],
      );
      return stored;
    },
    find: async (sha256, type) => {
      const [row] = await query<{ bytes: Uint8Array }>(
        'SELECT bytes FROM metadata_files WHERE sha256 = $1 AND type = $2',
        [sha256, type],
      );
      return row === undefined ? null : Uint8Array.from(row.bytes);
    },
  };
}
