import { createHash, createHmac } from 'node:crypto';
import type { GameSeeds } from '../ports/game-seeds.ts';

/**
 * Seeds by HMAC-SHA-256 of a secret over the round's name. Derived, not stored: there is no row to read before the bet, and a
 * revealed seed says nothing about the next one.
 */
export function createGameSeeds(secret: Uint8Array) {
  return {
    seedOf: ({ id, table }: { readonly id: string; readonly table: string }): string =>
      createHmac('sha256', secret).update(`tradepost/game/1/${table}/${id}`, 'utf8').digest('hex'),
    sha256,
  } satisfies GameSeeds;
}

export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
