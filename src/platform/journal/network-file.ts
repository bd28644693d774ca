import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { NetworkPin } from '../ports/network-pin.ts';

const NAME = 'network';

/** The network of this folder, beside the journal: a restart does not forget it. Throws the disk's errors. */
export function networkFile(folder: string): NetworkPin {
  return {
    claim: async (genesis) => {
      const known = await readNetwork(folder);
      if (known !== null) return known;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const whole = join(folder, `${NAME}-${randomBytes(6).toString('hex')}.tmp`);
      await writeFile(whole, `${genesis}\n`, { mode: 0o600, flush: true });
      try {
        // Whole or not there at all, and the first one stays.
        await link(whole, join(folder, NAME));
      } catch (error) {
        if (!isCode(error, 'EEXIST')) throw error;
      } finally {
        await unlink(whole);
      }
      return (await readNetwork(folder)) ?? genesis;
    },
  };
}

/** The genesis hash that the folder remembers; null where no signer has asked a node yet, or the folder is not here. */
export async function readNetwork(folder: string): Promise<string | null> {
  try {
    return (await readFile(join(folder, NAME), 'utf8')).trim();
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw error;
  }
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
