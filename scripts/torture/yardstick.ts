import { createHash } from 'node:crypto';

const BYTES = Buffer.alloc(1 << 20, 7);
const ROUNDS = 100;

/**
 * Milliseconds that this machine takes, this minute, for a fixed piece of work (SHA-256 of 100 MiB). A time means little without
 * it: on a loaded machine both grow.
 */
export function yardstickMs(): number {
  const startedAt = performance.now();
  const hash = createHash('sha256');
  for (let round = 0; round < ROUNDS; round += 1) hash.update(BYTES);
  hash.digest();
  return Math.round(performance.now() - startedAt);
}
