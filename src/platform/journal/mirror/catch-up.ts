import { join } from 'node:path';
import { AppError } from '../../../core/errors/app-error.ts';
import { flushFolder, openLogFile } from '../log-file.ts';
import { type Behind, compareFolders, type FolderDifference } from './compare-folders.ts';
import { bytesOf, chunkAt, filesIn, hashOf } from './folder-files.ts';
import type { FoundFile } from './messages.ts';
import { lost, type MirrorLine } from './mirror-line.ts';

/** Throws JOURNAL_BROKEN when the two folders are not of one journal. */
async function differenceTo(
  folder: string,
  line: MirrorLine,
): Promise<FolderDifference & { readonly name: string }> {
  const answer = await line.ask({ op: 'hello' });
  if (!('files' in answer)) throw lost('an answer that no signer gives');
  const { name, files: theirs } = answer;
  const mine = await filesIn(folder);
  const found = compareFolders(mine, theirs, await unpackedSizes(folder, mine, theirs));
  const broken = (file: string): AppError =>
    new AppError('JOURNAL_BROKEN', { file, after: 0, cause: 'the other signer has other lines' });
  if (found.strange !== null) throw broken(found.strange);
  for (const { file, size } of found.prove) {
    const proof = await line.ask({ op: 'hash', file, size });
    if (!('hash' in proof) || proof.hash !== hashOf(await bytesOf(folder, file), size)) throw broken(file);
  }
  return { ...found, name };
}

/** Of the packed segments that the other side has unpacked, and may have in part. */
async function unpackedSizes(
  folder: string,
  mine: readonly FoundFile[],
  theirs: readonly FoundFile[],
): Promise<ReadonlyMap<string, number>> {
  const open = new Set(theirs.filter(({ size }) => size !== null).map(({ file }) => file));
  const sizes = new Map<string, number>();
  for (const { file, size } of mine)
    if (size === null && open.has(file)) sizes.set(file, (await bytesOf(folder, file)).length);
  return sizes;
}

/**
 * Brings this folder to the lines of the other signer, before it is opened here. Lines that the other one lacks stay. Throws JOURNAL_BROKEN
 * when neither folder continues the other, MirrorRefused, and SIGNER_UNAVAILABLE.
 */
export async function pullFrom(folder: string, line: MirrorLine): Promise<void> {
  const { pull } = await differenceTo(folder, line);
  for (const behind of pull) await pullFile(folder, line, behind);
}

async function pullFile(folder: string, line: MirrorLine, { file, from }: Behind): Promise<void> {
  const log = openLogFile(join(folder, file));
  try {
    for (let at = from; ; ) {
      const answer = await line.ask({ op: 'read', file, at });
      if (!('bytes' in answer) || answer.bytes.length === 0) break;
      log.write(answer.bytes);
      at += answer.bytes.length;
    }
    await log.flush();
    await flushFolder(folder);
  } finally {
    log.close();
  }
}

/**
 * Brings the other signer's folder to the lines of this one. A line that is written meanwhile may be sent or not. Throws JOURNAL_BROKEN when
 * the other one has lines that are not here, MirrorRefused, and SIGNER_UNAVAILABLE. Returns the other signer's name.
 */
export async function pushTo(folder: string, line: MirrorLine): Promise<string> {
  const { push, pull, name } = await differenceTo(folder, line);
  const [ahead] = pull;
  if (ahead !== undefined) {
    const cause = 'the other signer has lines that this one lacks';
    throw new AppError('JOURNAL_BROKEN', { file: ahead.file, after: 0, cause });
  }
  for (const { file, from } of push)
    await sendBytes(line, file, from, (await bytesOf(folder, file)).subarray(from));
  return name;
}

/** Sends bytes of a file from `at` on, in chunks, each after the one before it. */
export async function sendBytes(line: MirrorLine, file: string, at: number, bytes: Buffer): Promise<void> {
  for (let sent = 0; sent < bytes.length; ) {
    const chunk = chunkAt(bytes, sent);
    await line.ask({ op: 'append', file, at: at + sent, bytes: chunk });
    sent += chunk.length;
  }
}
