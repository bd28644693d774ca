import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { rollOf } from '../../../src/modules/games/rules/round.ts';
import { tableAt } from '../../../src/modules/games/rules/tables.ts';
import { createGameSeeds } from '../../../src/platform/games/game-seeds.ts';
import { loadGameSecret } from '../../../src/platform/games/load-game-secret.ts';
import { keyring } from '../../../src/platform/vault/kek.ts';
import { localKek } from '../../../src/platform/vault/local-kek.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';

describe('game seeds', () => {
  const seeds = createGameSeeds(new Uint8Array(32).fill(7));

  it('are the same for the same round, and others for another round, table or secret', () => {
    const seed = seeds.seedOf({ id: 'a', table: 'coin-1' });
    expect(seed).toMatch(/^[0-9a-f]{64}$/);
    expect(seeds.seedOf({ id: 'a', table: 'coin-1' })).toBe(seed);
    const others = [
      seeds.seedOf({ id: 'b', table: 'coin-1' }),
      seeds.seedOf({ id: 'a', table: 'wheel-1' }),
      createGameSeeds(new Uint8Array(32).fill(8)).seedOf({ id: 'a', table: 'coin-1' }),
    ];
    expect(new Set([seed, ...others]).size).toBe(4);
  });

  it('roll every sector of the wheel about equally often', () => {
    const wheel = tableAt('wheel', 0);
    const counts = wheel.payTenths.map(() => 0);
    for (let i = 0; i < 16_000; i += 1) {
      const roll = rollOf(wheel, seeds.seedOf({ id: `round-${i}`, table: wheel.id }));
      counts[roll] = (counts[roll] ?? 0) + 1;
    }
    // The same seeds every time: 1,000 each are expected, 30 is one standard deviation.
    for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(150);
  });

  it('hash as everybody does', () => {
    expect(seeds.sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('come from a secret that is made once and stored only wrapped', async () => {
    const store = fakeDatabase().sealedSecrets;
    const ring = keyring(localKek(randomBytes(32)));
    const [first, second] = [
      await loadGameSecret({ keyring: ring, store }),
      await loadGameSecret({ keyring: ring, store }),
    ];
    expect(Buffer.from(first).equals(second)).toBe(true);
    expect(Buffer.from((await store.find('game-seeds'))?.wrapped ?? []).includes(Buffer.from(first))).toBe(
      false,
    );
    await expect(
      loadGameSecret({ keyring: keyring(localKek(randomBytes(32))), store }),
    ).rejects.toMatchObject({ code: 'SECRET_UNREADABLE' });
  });
});
