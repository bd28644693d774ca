import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toBase58 } from '@tradepost/solana';

const KEY_BYTES = 32;

/**
 * A wallet of play money in `dir`, made at the first start: its key is a file as `solana-keygen` writes them, which every client of the
 * chain reads. Throws where the file is another one.
 */
export function sandboxWallet(dir: string): { readonly address: string; readonly path: string } {
  const path = join(dir, 'wallet.json');
  const bytes = readKey(path) ?? makeKey(path);
  if (bytes.length !== 2 * KEY_BYTES)
    throw new Error(`${path} is no key file: expected ${2 * KEY_BYTES} numbers; remove it to have one made`);
  return { address: toBase58(bytes.subarray(KEY_BYTES)), path };
}

function readKey(path: string): Uint8Array | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return null;
  }
  const numbers: unknown = parsed(text);
  const isKey =
    Array.isArray(numbers) && numbers.every((one) => Number.isInteger(one) && one >= 0 && one < 256);
  return isKey ? Uint8Array.from(numbers) : new Uint8Array();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function makeKey(path: string): Uint8Array {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const last = (der: Buffer): Buffer => der.subarray(-KEY_BYTES);
  const bytes = Buffer.concat([
    last(privateKey.export({ format: 'der', type: 'pkcs8' })),
    last(publicKey.export({ format: 'der', type: 'spki' })),
  ]);
  writeFileSync(path, JSON.stringify([...bytes]), { flag: 'wx', mode: 0o600 });
  return bytes;
}
