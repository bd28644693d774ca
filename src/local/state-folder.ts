import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '../core/errors/app-error.ts';
import { fileProblem } from '../core/errors/file-problem.ts';

/** The variable that names the folder of the local state. */
export const STATE_VARIABLE = 'LOCAL_DIR';

/** Enough for the first files of a world. A disk with less is full. */
const ROOM_BYTES = 64 * 1024;

/**
 * Makes the folder of the local state and writes a file there, which it removes again. So a read-only or full disk is named before any part
 * starts. Throws CONFIG_INVALID with the path and the mend.
 */
export async function prepareStateFolder(dir: string): Promise<void> {
  const probe = join(dir, `.room-${randomUUID()}`);
  try {
    await makeFolder(dir);
    await writeFile(probe, Buffer.alloc(ROOM_BYTES), { mode: 0o600, flush: true });
  } catch (error) {
    const problem = fileProblem(error, { path: dir, variable: STATE_VARIABLE });
    throw problem === null
      ? error
      : new AppError('CONFIG_INVALID', { problems: [problem] }, { cause: error });
  } finally {
    await rm(probe, { force: true }).catch(() => undefined);
  }
}

/** `mkdir -p` that keeps the cause: Node's own reports ENOENT for a parent on a read-only file system. */
async function makeFolder(dir: string): Promise<void> {
  try {
    await mkdir(dir);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOENT' && dirname(dir) !== dir) {
      await makeFolder(dirname(dir));
      return makeFolder(dir);
    }
    if (code !== 'EEXIST') throw error;
  }
}
