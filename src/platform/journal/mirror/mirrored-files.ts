import { basename } from 'node:path';
import { type LogFile, type OpenLogFile, openLogFile } from '../log-file.ts';

/** Takes the bytes of a file of this name from `at` on; later bytes are gone. Resolves when it is safe elsewhere, or need not be. */
export type MirrorWrite = (file: string, at: number, bytes: Uint8Array) => Promise<void>;

/** Log files whose flush waits for `mirror` too: flushed bytes are on both disks. */
export function mirroredFiles(mirror: MirrorWrite): OpenLogFile {
  return (path) => mirroredFile(openLogFile(path), basename(path), mirror);
}

function mirroredFile(file: LogFile, name: string, mirror: MirrorWrite): LogFile {
  let at = file.size();
  let written: Uint8Array[] = [];
  const cutTo = (size: number): void => {
    written = [];
    at = size;
  };
  return {
    size: () => file.size(),
    write: (bytes) => {
      file.write(bytes);
      // The caller may use its buffer again.
      written.push(Uint8Array.from(bytes));
    },
    flush: async () => {
      const bytes = Buffer.concat(written);
      const from = at;
      cutTo(from + bytes.length);
      await Promise.all([file.flush(), bytes.length === 0 ? undefined : mirror(name, from, bytes)]);
    },
    truncate: (size) => {
      file.truncate(size);
      cutTo(size);
    },
    close: () => file.close(),
  };
}
