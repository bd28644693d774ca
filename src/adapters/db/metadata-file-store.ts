import { createHash } from 'node:crypto';
import { AppError } from '../../core/errors/app-error.ts';
import { readDocument } from '../../core/metadata/read-document.ts';
import { type FileShelf, metadataPath, nameInLink } from '../../core/ports/metadata-store.ts';
import { toTime } from './codec.ts';
import type { Connection } from './connection.ts';

/** Keeps the lock on a busy table short. */
const DELETE_AT_ONCE = 500;

/**
 * Documents and pictures in Postgres: the role that stores one and the role that serves it may be different machines, and a
 * dump that restores the tokens restores what they point at. `publicUrl` is asked at each put, because an open host on any
 * free port knows its address only once it listens. Pictures stop when all files together have `maxBytes`; documents, without
 * which a paid creation would fail, do not.
 */
export function createMetadataFileStore(
  { query }: Pick<Connection, 'query'>,
  options: { readonly publicUrl: () => string | null; readonly maxBytes: number },
): FileShelf {
  return {
    put: async (type, bytes) => {
      const publicUrl = options.publicUrl();
      if (publicUrl === null) throw new AppError('PUBLIC_URL_UNKNOWN', {});
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const stored = { sha256, uri: `${publicUrl}${metadataPath(sha256, type)}` };
      if (type !== 'json') {
        const [size] = await query<{ bytes: bigint | string }>(
          // Of the files, not of the table: what was deleted must make room. The length stands beside the row.
          'SELECT sum(octet_length(bytes)) AS bytes FROM metadata_files',
          [],
        );
        if (Number(size?.bytes ?? 0) + bytes.length > options.maxBytes) {
          throw new AppError('METADATA_STORE_FULL', { maxBytes: options.maxBytes });
        }
      }
      // One statement: a document never stands without its picture being kept, and a deletion under way loses or has won.
      await query(
        `WITH named AS (
           UPDATE metadata_files SET unused_since = NULL
            WHERE type <> 'json' AND unused_since IS NOT NULL
              AND (other_name = $4 OR (sha256 = split_part($4, '.', 1) AND type = split_part($4, '.', 2)))
         )
         INSERT INTO metadata_files AS kept (sha256, type, bytes, unused_since)
         VALUES ($1, $2, $3::bytea, CASE WHEN $2 = 'json' THEN NULL ELSE now() END)
         ON CONFLICT (sha256, type) DO UPDATE SET unused_since = excluded.unused_since
          WHERE kept.unused_since IS NOT NULL`,
        [sha256, type, Uint8Array.from(bytes), type === 'json' ? imageName(bytes) : ''],
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
    deleteUnused: async (before) => {
      const [row] = await query<{ readonly count: number }>(
        `WITH gone AS (
           DELETE FROM metadata_files WHERE (sha256, type) IN (
             SELECT sha256, type FROM metadata_files WHERE unused_since < $1::timestamptz
              ORDER BY unused_since LIMIT ${DELETE_AT_ONCE} FOR UPDATE SKIP LOCKED
           ) RETURNING 1)
         SELECT count(*)::int AS count FROM gone`,
        [toTime(before)],
      );
      return row?.count ?? 0;
    },
    alsoKnownAs: async ({ sha256, type }, name) => {
      await query('UPDATE metadata_files SET other_name = $3 WHERE sha256 = $1 AND type = $2', [
        sha256,
        type,
        name,
      ]);
    },
  };
}

function imageName(document: Uint8Array): string {
  return nameInLink(readDocument(new TextDecoder().decode(document))?.image ?? '');
}
