import { createHash } from 'node:crypto';
import { AppError } from '../../../core/errors/app-error.ts';
import { fromTime, toTime } from '../../../platform/db/codec.ts';
import type { Connection } from '../../../platform/db/connection.ts';
import {
  type AwaitedMint,
  type FileShelf,
  type MetadataFileType,
  metadataPath,
  nameInLink,
  type StoredFile,
} from '../../../platform/ports/metadata-store.ts';
import { readDocument } from '../rules/read-document.ts';

// SQL: a document and its picture are kept or swept in one statement; the sweeper skips locked rows.

/** Keeps the lock on a busy table short. */
const DELETE_AT_ONCE = 500;

/** Intents that may still make a token with a document: open ones, and those that a person must look at. */
const INTENT_MAY_USE = `EXISTS (SELECT 1 FROM intents WHERE status IN ('CREATED', 'ACTIVE', 'NEEDS_REVIEW')
  AND kind IN ('create-token', 'prepare-token', 'launch')
  AND sha256 IN (params ->> 'metadataHash', params -> 'creation' ->> 'metadataHash'))`;

/** A picture whose last document went begins its own wait where the document's began: it goes with the next statement. */
const DELETE_DOCUMENTS = `WITH gone AS (
    DELETE FROM metadata_files WHERE type = 'json' AND sha256 IN (
      SELECT sha256 FROM metadata_files AS file WHERE type = 'json' AND unused_since < $1::timestamptz
         AND NOT EXISTS (SELECT 1 FROM awaited_mints AS wait WHERE wait.sha256 = file.sha256)
         AND NOT EXISTS (SELECT 1 FROM created_tokens WHERE metadata_hash = file.sha256)
         AND NOT ${INTENT_MAY_USE}
       ORDER BY unused_since LIMIT ${DELETE_AT_ONCE} FOR UPDATE SKIP LOCKED
    ) RETURNING sha256, image_name, unused_since),
  freed AS (
    UPDATE metadata_files AS picture SET unused_since = gone.unused_since FROM gone
     WHERE picture.type <> 'json' AND picture.unused_since IS NULL
       AND (picture.other_name = gone.image_name OR gone.image_name = picture.sha256 || '.' || picture.type)
       AND NOT EXISTS (SELECT 1 FROM metadata_files AS document
         WHERE document.image_name = gone.image_name AND document.sha256 NOT IN (SELECT sha256 FROM gone)))
  SELECT count(*)::int AS count FROM gone`;
const DELETE_PICTURES = `WITH gone AS (
    DELETE FROM metadata_files WHERE (sha256, type) IN (
      SELECT sha256, type FROM metadata_files WHERE type <> 'json' AND unused_since < $1::timestamptz
       ORDER BY unused_since LIMIT ${DELETE_AT_ONCE} FOR UPDATE SKIP LOCKED
    ) RETURNING 1)
  SELECT count(*)::int AS count FROM gone`;

type FileOptions = { readonly publicUrl: () => string | null; readonly maxBytes: number };

/**
 * Documents and pictures in Postgres. The role that stores one and the role that serves it may be different machines, and a dump that
 * restores the tokens restores their documents. `publicUrl` is asked at each put, because an open host on any free port knows its address
 * only once it listens. Pictures stop when all files together have `maxBytes`; documents, without which a paid creation would fail, do not.
 */
export function createMetadataFileStore(
  connection: Pick<Connection, 'query'>,
  options: FileOptions,
): FileShelf {
  return { ...fileRows(connection, options), ...fileUse(connection), ...awaitedMints(connection) };
}

/** The files themselves. */
function fileRows(
  { query }: Pick<Connection, 'query'>,
  options: FileOptions,
): Pick<FileShelf, 'locate' | 'put' | 'find'> {
  const locate = (type: MetadataFileType, bytes: Uint8Array): StoredFile => {
    const publicUrl = options.publicUrl();
    if (publicUrl === null) throw new AppError('PUBLIC_URL_UNKNOWN', {});
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { sha256, uri: `${publicUrl}${metadataPath(sha256, type)}` };
  };
  return {
    locate: async (type, bytes) => locate(type, bytes),
    put: async (type, bytes) => {
      const stored = locate(type, bytes);
      const { sha256 } = stored;
      if (type !== 'json') {
        const [size] = await query<{ bytes: bigint | string }>(
          // Of the files, not of the table: deleted files must make room. The length is kept beside the row.
          'SELECT sum(octet_length(bytes)) AS bytes FROM metadata_files',
          [],
        );
        if (Number(size?.bytes ?? 0) + bytes.length > options.maxBytes) {
          throw new AppError('METADATA_STORE_FULL', { maxBytes: options.maxBytes });
        }
      }
      // One statement: a document never exists without its picture being kept, and a deletion under way loses or has won.
      await query(
        `WITH named AS (
           UPDATE metadata_files SET unused_since = NULL
            WHERE type <> 'json' AND unused_since IS NOT NULL
              AND (other_name = $4 OR (sha256 = split_part($4, '.', 1) AND type = split_part($4, '.', 2)))
         )
         INSERT INTO metadata_files AS kept (sha256, type, bytes, unused_since, image_name)
         VALUES ($1, $2, $3::bytea, now(), nullif($4, ''))
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
  };
}

/** Which files are used, and under which names. */
function fileUse({
  query,
}: Pick<Connection, 'query'>): Pick<FileShelf, 'deleteUnused' | 'keep' | 'alsoKnownAs'> {
  return {
    deleteUnused: async (before) => {
      const deleted = async (sql: string): Promise<number> => {
        const [row] = await query<{ readonly count: number }>(sql, [toTime(before)]);
        return row?.count ?? 0;
      };
      return (await deleted(DELETE_DOCUMENTS)) + (await deleted(DELETE_PICTURES));
    },
    keep: async (sha256) => {
      await query(`UPDATE metadata_files SET unused_since = NULL WHERE sha256 = $1 AND type = 'json'`, [
        sha256,
      ]);
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

/** Mints that will point at a file, once they are created. */
function awaitedMints({
  query,
}: Pick<Connection, 'query'>): Pick<FileShelf, 'awaitMint' | 'awaitedMints' | 'settleMint'> {
  return {
    awaitMint: async ({ mint, sha256, uri, since }) => {
      await query(
        `INSERT INTO awaited_mints (mint, sha256, uri, since) VALUES ($1, $2, $3, $4::timestamptz)
         ON CONFLICT (mint, sha256) DO UPDATE SET since = excluded.since, looked_at = NULL`,
        [mint, sha256, uri, toTime(since)],
      );
    },
    awaitedMints: async ({ lookedBefore, endBefore, limit }) => {
      const rows = await query<Omit<AwaitedMint, 'since'> & { readonly since: Date }>(
        `SELECT mint, sha256, uri, since FROM awaited_mints
         WHERE since < $1::timestamptz AND (looked_at IS NULL OR since < $2::timestamptz)
         ORDER BY since, mint LIMIT $3::int`,
        [toTime(lookedBefore), toTime(endBefore), limit],
      );
      return rows.map((row) => ({ ...row, since: fromTime(row.since) }));
    },
    settleMint: async ({ mint, sha256 }, at) => {
      await (at === null
        ? query('DELETE FROM awaited_mints WHERE mint = $1 AND sha256 = $2', [mint, sha256])
        : query('UPDATE awaited_mints SET looked_at = $3::timestamptz WHERE mint = $1 AND sha256 = $2', [
            mint,
            sha256,
            toTime(at),
          ]));
    },
  };
}

function imageName(document: Uint8Array): string {
  return nameInLink(readDocument(new TextDecoder().decode(document))?.image ?? '');
}
