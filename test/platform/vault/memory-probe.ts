/**
 * A process of its own: seals a wallet, signs a thousand times, then searches all of its own memory for the seed. What it
 * searches with is the seed with every byte flipped, so that the search holds no copy itself. Prints {copies, baseline}.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { createVault } from '../../../src/platform/vault/create-vault.ts';
import { keyring } from '../../../src/platform/vault/kek.ts';
import { localKek } from '../../../src/platform/vault/local-kek.ts';
import { sealSeed } from '../../../src/platform/vault/seal.ts';
import { seedAddress } from '../../../src/platform/vault/seed-signer.ts';
import { withdrawal } from '../../conformance/key-holder.ts';
import { buildIntent, TREASURY } from '../../engine/intents/build.ts';

const CHUNK = 1 << 20;

/** Every place in this process's writable memory where the complement of `flipped` stands. */
function countCopies(flipped: Uint8Array): number {
  const file = openSync('/proc/self/mem', 'r');
  const chunk = Buffer.alloc(CHUNK);
  let found = 0;
  for (const line of readFileSync('/proc/self/maps', 'utf8').split('\n')) {
    const match = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line);
    if (match === null || /\[(vvar|vsyscall)/.test(line)) continue;
    const end = Number.parseInt(match[2] ?? '', 16);
    for (let at = Number.parseInt(match[1] ?? '', 16); at < end; at += CHUNK - 32) {
      let read = 0;
      try {
        read = readSync(file, chunk, 0, Math.min(CHUNK, end - at), at);
      } catch {
        // A page that may not be read or is gone by now.
        continue;
      }
      found += countIn(chunk.subarray(0, read), flipped);
    }
    chunk.fill(0);
  }
  closeSync(file);
  return found;
}

function countIn(bytes: Uint8Array, flipped: Uint8Array): number {
  const first = (flipped[0] ?? 0) ^ 0xff;
  let found = 0;
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    let same = 0;
    while (same < 32 && bytes[at + same] === ((flipped[same] ?? 0) ^ 0xff)) same += 1;
    // The whole seed; its first half would not do to sign.
    if (same === 32) found += 1;
  }
  return found;
}

const seed = randomBytes(32);
const flipped = Uint8Array.from(seed, (byte) => byte ^ 0xff);
const ring = keyring(localKek(randomBytes(32)));
const publicKey = seedAddress(seed);
const secret = await sealSeed(seed, { walletId: 'wallet-1', userId: 'user-1', publicKey }, ring.current);
seed.fill(0);
globalThis.gc?.();
const baseline = countCopies(flipped);

const planted = process.argv[2] === 'planted' ? Buffer.from(flipped.map((byte) => byte ^ 0xff)) : null;
const vault = createVault({ keyring: ring, secrets: { secret: async () => secret }, venuePrograms: [] });
const wallet = { id: 'wallet-1', userId: 'user-1', address: publicKey };
const message = withdrawal(publicKey);
for (let round = 0; round < 1_000; round++) {
  await vault.sign({ intent: buildIntent(), wallet, message, treasury: TREASURY });
}
globalThis.gc?.();
await pause(500);
globalThis.gc?.();
const copies = countCopies(flipped);
process.stdout.write(
  JSON.stringify({ copies: planted === null ? copies : Math.max(copies - baseline, 0), baseline }),
);
// Kept alive until here, or the collector would take what was planted.
if (planted !== null && planted.length !== 32) process.exitCode = 1;
