import { statfs } from 'node:fs/promises';
import { type DiskSpace, type Finding, judgeDisk } from '../../src/modules/operations/rules/check-up.ts';
import { find, type Look } from './doctor-find.ts';

/** A check-up's reads of this machine. */
export type Machine = {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Throws where there is no such folder. */
  readonly space: (folder: string) => Promise<DiskSpace>;
};

/** This machine itself. */
export const MACHINE: Machine = {
  now: () => Date.now(),
  space: async (folder) => {
    const { bsize, blocks, bavail, files, ffree } = await statfs(folder);
    return { bytes: bsize * blocks, freeBytes: bsize * bavail, files, freeFiles: ffree };
  },
};

/** How much room the disk of a folder has; a folder that is not there is broken. */
export function lookAtDisk(folder: string, { space }: Machine): Promise<Finding> {
  const look: Look = {
    part: `disk ${folder}`,
    why: 'a disk that is full stops the database, the journal and the dumps, and with them every order',
    mend: `ls -ld ${folder}   (then name a folder that is there)`,
  };
  return find(look, async () => judgeDisk(folder, await space(folder)));
}
