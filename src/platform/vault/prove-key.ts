import { createHash, timingSafeEqual } from 'node:crypto';
import { AppError, isAppError } from '../../core/errors/app-error.ts';
import type { KeyRegistry } from '../../engine/signing/store/key-registry-port.ts';
import type { KeyEncryptionKey } from './kek.ts';

/**
 * Seals a probe under the key, stores it, reads it back and opens it; afterwards the key is in the registry, in use. A key that cannot open
 * its own boxes would take every wallet along. Throws KEK_UNAVAILABLE when the probe does not come back.
 */
export async function proveKey(kek: KeyEncryptionKey, registry: KeyRegistry, at: number): Promise<void> {
  const probe = await kek.wrap(probeText(kek.id), aad(kek.id));
  await registry.introduce({ kekId: kek.id, at, probe });
  const stored = await registry.find(kek.id);
  if (stored?.probe == null) throw lost(kek.id, 'its probe was not there when it was read back');
  await openProbe(kek, stored.probe);
}

/**
 * The first start under a key puts it into the registry; every later one opens its probe. Throws KEK_UNAVAILABLE when the key
 * does not open it: it has the name of the key that sealed here, and is another.
 */
export async function meetKey(kek: KeyEncryptionKey, registry: KeyRegistry, at: number): Promise<void> {
  const known = await registry.find(kek.id);
  if (known?.probe == null || known.retiredAt !== null) return await proveKey(kek, registry, at);
  await openProbe(kek, known.probe);
}

/** Opens the probe that a key sealed. Throws KEK_UNAVAILABLE when the key does not open it. */
export async function openProbe(kek: KeyEncryptionKey, probe: Uint8Array): Promise<void> {
  const expected = probeText(kek.id);
  const opened = await kek.unwrap(probe, aad(kek.id)).catch((error: unknown) => {
    throw isAppError(error) ? error : lost(kek.id, 'it does not open the probe that it sealed', error);
  });
  if (opened.length !== expected.length || !timingSafeEqual(opened, expected))
    throw lost(kek.id, 'its probe came back changed');
}

/** Eight digits that an operator compares and types: of a local key's own name, of any other a hash of it. */
export function keyDigits(kekId: string): string {
  return /^local-([0-9a-f]{8})/.exec(kekId)?.[1] ?? sha256(kekId).toString('hex').slice(0, 8);
}

function probeText(kekId: string): Buffer {
  return sha256(`tradepost probe ${kekId}`);
}

function aad(kekId: string): Uint8Array {
  return Buffer.from(`tradepost/1/probe/${kekId}`, 'utf8');
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function lost(kekId: string, what: string, original?: unknown): AppError<'KEK_UNAVAILABLE'> {
  return new AppError(
    'KEK_UNAVAILABLE',
    { cause: `the key ${kekId} is no use: ${what}` },
    { cause: original },
  );
}
