import type { FoundFile } from './messages.ts';

/** A file that one side has further than the other; both have the first `from` bytes, if they are the same ones. */
export type Behind = { readonly file: string; readonly from: number };

export type FolderDifference = {
  /** Files that the other side lacks, or has less of. */
  readonly push: readonly Behind[];
  /** Files that this side lacks, or has less of. */
  readonly pull: readonly Behind[];
  /** Files that both have, with the number of first bytes that must be the same. The newest one of each book. */
  readonly prove: readonly { readonly file: string; readonly size: number }[];
  /** A file that cannot be explained by one side being behind; null where there is none. */
  readonly strange: string | null;
};

const bookOf = (file: string): string => file.slice(0, file.indexOf('-'));

/**
 * Compares the segments of two folders of one journal. A packed segment is complete. The other side's segments that are older than the oldest
 * here were dropped here. A segment that the other side has between two of this side is strange: the journals are not one.
 */
export function compareFolders(
  mine: readonly FoundFile[],
  theirs: readonly FoundFile[],
  unpackedSize: ReadonlyMap<string, number>,
): FolderDifference {
  const push: Behind[] = [];
  const pull: Behind[] = [];
  const prove: { readonly file: string; readonly size: number }[] = [];
  let strange: string | null = null;
  const other = new Map(theirs.map(({ file, size }) => [file, size]));
  const newestCommon = new Map<string, string>();
  for (const { file } of mine) if (other.has(file)) newestCommon.set(bookOf(file), file);
  for (const { file, size } of mine) {
    const their = other.get(file);
    if (their === undefined) push.push({ file, from: 0 });
    if (their === undefined || their === null) continue;
    const own = size ?? unpackedSize.get(file) ?? their;
    const common = Math.min(own, their);
    if (own > their) push.push({ file, from: their });
    if (own < their) pull.push({ file, from: own });
    if (own !== their || newestCommon.get(bookOf(file)) === file) prove.push({ file, size: common });
  }
  const known = new Set(mine.map(({ file }) => file));
  for (const book of ['journal', 'keybook']) {
    const own = mine.filter(({ file }) => bookOf(file) === book).map(({ file }) => file);
    const [oldest, newest] = [own[0] ?? '', own.at(-1) ?? ''];
    for (const { file } of theirs) {
      if (bookOf(file) !== book || known.has(file) || file < oldest) continue;
      if (file > newest) pull.push({ file, from: 0 });
      else strange = file;
    }
  }
  return { push, pull, prove, strange };
}
