import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '../../core/errors/app-error.ts';

const BYTES = 32;

/** The secret in the file, made at the first start (mode 0600): for a local installation. Throws CONFIG_INVALID. */
export function secretFromFile(path: string): Uint8Array {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${randomBytes(BYTES).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return secretFromText(readFileSync(path, 'utf8').trim(), path);
}

/** The 32 bytes of 64 hexadecimal digits; `name` says where they came from. */
export function secretFromText(text: string, name: string): Uint8Array {
  if (!/^[0-9a-fA-F]{64}$/.test(text)) {
    throw new AppError('CONFIG_INVALID', {
      problems: [`${name}: expected 64 hexadecimal digits (make them with "openssl rand -hex 32").`],
    });
  }
  return Uint8Array.from(Buffer.from(text, 'hex'));
}
