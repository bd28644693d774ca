/** `npm run ops -- backup open FILE`: opens a wallet's backup file without the service, a network or a database. */
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { toBase58 } from '@tradepost/solana';
import { isAppError } from '../../src/core/errors/app-error.ts';
import { openBackup, secretKeyOf } from '../../src/platform/backup/backup-file.ts';
import { OpsError } from './ops-error.ts';

/**
 * Prints the secret key of a backup file to the terminal, in the two forms that wallets import. The passphrase is asked for
 * without an echo, or read from standard input when that is no terminal; never taken from the arguments, which every
 * process on the machine can read. Throws an OpsError when it does not open.
 */
export async function runBackupOpen(path: string): Promise<number> {
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) throw new OpsError(`${path} cannot be read.`);
  const passphrase = await askPassphrase();
  try {
    const { seed, address } = await openBackup(text, passphrase);
    const secret = secretKeyOf(seed);
    seed.fill(0);
    process.stdout.write(
      `Address   ${address}\n\nSecret key, base58 (Phantom, Solflare, Backpack: "Import private key"):\n${toBase58(secret)}\n\nSecret key, JSON (solana-keygen: save it as a file of mode 0600):\n[${[...secret].join(',')}]\n\nWhoever reads these lines has the wallet. Clear this terminal afterwards.\n`,
    );
    secret.fill(0);
    return 0;
  } catch (error) {
    if (!isAppError(error) || error.code !== 'BACKUP_UNREADABLE') throw error;
    const { reason } = error.details as { readonly reason: 'passphrase' | 'format' };
    throw new OpsError(
      reason === 'format'
        ? `${path} is no backup file of version 1; see docs/backup-format.md.`
        : 'The passphrase does not open this file, or the file was changed.',
    );
  }
}

async function askPassphrase(): Promise<string> {
  const { stdin, stderr } = process;
  stderr.write('Passphrase: ');
  const mute = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: mute, terminal: stdin.isTTY });
  try {
    return (await lines.question('')).trim();
  } finally {
    lines.close();
    stderr.write('\n');
  }
}
