import { readFileSync } from 'node:fs';
import { AppError } from '../../core/errors/app-error.ts';

/** The secret of a local installation, or null where its file was never made. Throws CONFIG_INVALID. */
export function secretFromFile(path: string): Uint8Array | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  return secretFromText(text.trim(), path);
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
