import { createReadStream, createWriteStream } from 'node:fs';
import { open, readdir, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { flushFolder } from './log-file.ts';

/** One file of a journal: its name holds its first line's number and its start. */
export type Segment = { readonly path: string; readonly firstSeq: number; readonly begunAt: number };

/** The two books of a folder. */
export type Book = 'journal' | 'keybook';

const NAME = /^(journal|keybook)-(\d{12})-(\d{13})\.log(\.gz)?$/;

/** The segments of a book, oldest first; a packed one and its original, after a kill in between, count once. */
export async function segmentsIn(folder: string, book: Book): Promise<readonly Segment[]> {
  const found = new Map<string, Segment>();
  for (const name of (await readdir(folder)).toSorted()) {
    const [, of, seq, at, packed] = NAME.exec(name) ?? [];
    if (of !== book || seq === undefined || at === undefined) continue;
    // The original sorts first and is whole until the packed one is.
    if (packed !== undefined && found.has(seq)) continue;
    found.set(seq, { path: join(folder, name), firstSeq: Number(seq), begunAt: Number(at) });
  }
  return [...found.values()];
}

export function segmentPath(folder: string, book: Book, firstSeq: number, begunAt: number): string {
  return join(
    folder,
    `${book}-${String(firstSeq).padStart(12, '0')}-${String(begunAt).padStart(13, '0')}.log`,
  );
}

/** Packs a segment that is over. After a kill at any moment the lines are there, packed or not. */
export async function packSegment(folder: string, path: string): Promise<void> {
  const draft = `${path}.gz.part`;
  await pipeline(createReadStream(path), createGzip(), createWriteStream(draft, { mode: 0o600 }));
  const handle = await open(draft, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, `${path}.gz`);
  await flushFolder(folder);
  await unlink(path);
}

/** Takes away segments that ended before `before` (epoch milliseconds); never the newest. Returns how many. */
export async function dropSegments(folder: string, book: Book, before: number): Promise<number> {
  const segments = await segmentsIn(folder, book);
  const over = segments.filter((_one, index) => {
    const next = segments[index + 1];
    return next !== undefined && next.begunAt < before;
  });
  for (const { path } of over) await unlink(path);
  return over.length;
}
