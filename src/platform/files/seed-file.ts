import { open, stat } from 'node:fs/promises';
import type { SeedFile } from '../ports/seed-file.ts';

/** Room for four times the pools that are taken from a file. */
const MOST_BYTES = 4_000_000;

/** Reads at most 4 MB, and only from an ordinary file: a pipe would wait for its writer. */
export function createSeedFile(path: string): SeedFile {
  const found = async () => {
    const facts = await stat(path).catch(() => null);
    return facts?.isFile() === true ? facts : null;
  };
  return {
    path,
    version: async () => {
      const facts = await found();
      return facts === null ? null : `${facts.mtimeMs} ${facts.size} ${facts.ino}`;
    },
    read: async () => {
      if ((await found()) === null) throw new Error(`${path} is no file`);
      const file = await open(path, 'r');
      try {
        const bytes = Buffer.alloc(MOST_BYTES + 1);
        let size = 0;
        for (;;) {
          const { bytesRead } = await file.read(bytes, size, bytes.length - size, size);
          size += bytesRead;
          if (bytesRead === 0 || size === bytes.length) break;
        }
        const isCut = size > MOST_BYTES;
        const text = bytes.toString('utf8', 0, Math.min(size, MOST_BYTES));
        return { text: isCut ? text.slice(0, text.lastIndexOf('\n') + 1) : text, isCut };
      } finally {
        await file.close();
      }
    },
  };
}
