import { closeSync, constants, fdatasync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';

/** One file that is only added to. Everything throws the system's errors. */
export type LogFile = {
  size(): number;
  /** Hands the bytes to the system, all of them. */
  write(bytes: Uint8Array): void;
  /** When it resolves, everything written so far outlives a loss of power. */
  flush(): Promise<void>;
  truncate(size: number): void;
  close(): void;
};

export type OpenLogFile = (path: string) => LogFile;

const dataSync = promisify(fdatasync);

/** Opens a file to add to it, and makes it when it is missing; readable by this account alone. */
export const openLogFile: OpenLogFile = (path) => {
  const fd = openSync(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, 0o600);
  return {
    size: () => fstatSync(fd).size,
    write: (bytes) => {
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    },
    flush: () => dataSync(fd),
    truncate: (size) => ftruncateSync(fd, size),
    close: () => closeSync(fd),
  };
};

/** Makes names that were added to a folder, or taken from it, outlive a loss of power. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
