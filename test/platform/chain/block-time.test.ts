import { describe, expect, it } from 'vitest';
import { createBlockTime } from '../../../src/platform/chain/block-time.ts';

/** A clock of the chain with blocks of so many milliseconds, heard every second. */
function measured(blockMs: number, seconds = 30): number {
  const time = createBlockTime();
  for (let at = 0; at <= seconds * 1_000; at += 1_000)
    time.hear(1_000n + BigInt(Math.floor(at / blockMs)), at);
  return time.blockhashLivesMs();
}

describe('the time of a block', () => {
  it.each([
    [400, 60_000],
    [200, 30_000],
    [800, 120_000],
  ])('of %i ms lets a blockhash live for %i ms', (blockMs, livesMs) => {
    expect(Math.abs(measured(blockMs) - livesMs)).toBeLessThan(livesMs * 0.03);
  });

  it('is a slot of the chain, as long as it is now', () => {
    const time = createBlockTime();
    expect(time.slotMs()).toBe(200);
    for (let at = 0; at <= 60_000; at += 1_000) time.hear(BigInt(Math.floor(at / 400)), at);
    expect(time.slotMs()).toBeCloseTo(400, -1);
    for (let at = 61_000; at <= 120_000; at += 1_000)
      time.hear(BigInt(150 + Math.floor((at - 60_000) / 200)), at);
    expect(time.slotMs()).toBeCloseTo(200, -1);
  });

  it('promises the least where nothing was measured, or hardly anything', () => {
    expect(createBlockTime().blockhashLivesMs()).toBe(30_000);
    expect(measured(400, 4)).toBe(30_000);
  });

  it('believes no height that runs back, stands still or races', () => {
    const time = createBlockTime();
    for (let at = 0; at <= 30_000; at += 1_000) {
      time.hear(1_000n + BigInt(Math.floor(at / 400)), at);
      time.hear(10n, at + 1);
    }
    expect(Math.abs(time.blockhashLivesMs() - 60_000)).toBeLessThan(2_000);
    expect(measured(1)).toBe(15_000);
    expect(measured(5_000)).toBe(120_000);
  });
});
