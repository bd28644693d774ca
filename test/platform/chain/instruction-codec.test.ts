import { addressFromBytes } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { keyBytes } from '../../../src/platform/chain/instruction-codec.ts';

describe('keyBytes', () => {
  it('keeps 32 bytes per key, and no pooled buffer behind them', () => {
    for (let n = 1; n <= 20; n += 1) {
      const raw = new Uint8Array(32).fill(n);
      const bytes = keyBytes(addressFromBytes(raw));
      expect([...bytes]).toEqual([...raw]);
      expect(bytes.buffer.byteLength).toBe(32);
    }
  });
});
