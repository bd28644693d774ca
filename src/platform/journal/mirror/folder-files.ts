import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { segmentBytes } from '../read-segment.ts';
import { segmentsIn } from '../segments.ts';
import { type FoundFile, MOST_CHUNK_BYTES } from './messages.ts';

const BOOKS = ['journal', 'keybook'] as const;
const PACKED = '.gz';

/** The segments of a folder by name, without `.gz`, the older ones first within a book. None for a folder that is not here. */
export async function filesIn(folder: string): Promise<readonly FoundFile[]> {
  if (!existsSync(folder)) return [];
  const all = await Promise.all(BOOKS.map((book) => segmentsIn(folder, book)));
  return Promise.all(
    all.flat().map(async ({ path }) => {
      if (path.endsWith(PACKED)) return { file: basename(path, PACKED), size: null };
      return { file: basename(path), size: (await stat(path)).size };
    }),
  );
}

/** The bytes of a segment by its name without `.gz`. Throws the disk's errors, and JOURNAL_BROKEN. */
export function bytesOf(folder: string, file: string): Promise<Buffer> {
  const path = join(folder, file);
  return segmentBytes(existsSync(path) ? path : `${path}${PACKED}`);
}

/** SHA-256 of the first `size` bytes, base64url. */
export function hashOf(bytes: Buffer, size: number): string {
  return createHash('sha256').update(bytes.subarray(0, size)).digest('base64url');
}

/** At most one chunk from `at` on; empty at the end. */
export function chunkAt(bytes: Buffer, at: number): Buffer {
  return bytes.subarray(at, at + MOST_CHUNK_BYTES);
}
