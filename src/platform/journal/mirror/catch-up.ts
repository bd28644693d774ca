import { link, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../core/errors/app-error.ts';
import { flushFolder, openLogFile } from '../log-file.ts';
import { type Behind, compareFolders, type FolderDifference } from './compare-folders.ts';
import { bytesOf, chunkAt, filesIn, hashOf } from './folder-files.ts';
import type { FoundFile } from './messages.ts';
import { lost, type MirrorLine } from './mirror-line.ts';

/** A segment is turned at half of it; an answer without an end fills no disk. */
const MOST_FILE_BYTES = 128 * 1_024 * 1_024;

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

/** Of lines that another one has and this folder lacks. */
export type PullRules = {
  /** Whether the copy of this name has every line. Asked only where this folder lacks some. */
  readonly isBelieved: (name: string) => boolean;
  /** Throws JOURNAL_BROKEN where a folder holds a line that no signer of this installation wrote. */
  readonly prove: (folder: string) => Promise<void>;
};

/**
 * Brings this folder to the lines of the other signer, before it is opened here. Lines that the other one lacks stay. What comes is proved
 * beside the folder first, so that a copy that was changed changes nothing here. False where lines are lacking and the copy is not believed.
 * Throws JOURNAL_BROKEN when neither folder continues the other or a line is forged, MirrorRefused, and SIGNER_UNAVAILABLE.
 */
export async function pullFrom(folder: string, line: MirrorLine, rules: PullRules): Promise<boolean> {
  const { pull, name } = await differenceTo(folder, line);
  if (pull.length === 0) return true;
  if (!rules.isBelieved(name)) return false;
  const draft = join(folder, 'pulled');
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  try {
    const comes = new Set(pull.map(({ file }) => file));
    for (const found of await filesIn(folder))
      if (!comes.has(found.file)) await linkInto(draft, folder, found);
    for (const behind of pull) await pullFile(folder, draft, line, behind);
    await rules.prove(draft);
    // The older ones first: after a kill in between the folder ends earlier, and nothing else.
    for (const { file } of pull) await rename(join(draft, file), join(folder, file));
    await flushFolder(folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return true;
}

function linkInto(draft: string, folder: string, { file, size }: FoundFile): Promise<void> {
  const name = size === null ? `${file}.gz` : file;
  return link(join(folder, name), join(draft, name));
}

/** Writes the whole file into the draft: the bytes that are here, then the other side's. */
async function pullFile(
  folder: string,
  draft: string,
  line: MirrorLine,
  { file, from }: Behind,
): Promise<void> {
  const log = openLogFile(join(draft, file));
  try {
    if (from > 0) log.write((await bytesOf(folder, file)).subarray(0, from));
    for (let at = from; ; ) {
      const answer = await line.ask({ op: 'read', file, at });
      if (!('bytes' in answer) || answer.bytes.length === 0) break;
      at += answer.bytes.length;
      if (at > MOST_FILE_BYTES) throw lost(`${file} does not end`);
      log.write(answer.bytes);
    }
    await log.flush();
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
