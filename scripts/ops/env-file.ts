import { existsSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import { OpsError } from './ops-error.ts';

/**
 * Puts the variables of an env file into this process's environment where they are not set already. False when there is no such
 * file. Throws an OpsError when it cannot be read.
 */
export function readEnvFile(path: string): boolean {
  if (!existsSync(path)) return false;
  try {
    loadEnvFile(path);
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new OpsError(
      `${path} is there and cannot be read (${why}). Make it readable for you, or move it away.`,
    );
  }
  return true;
}
