import { getAssociatedTokenAddressSync } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { associatedAccount } from '../../../src/platform/vault/associated-account.ts';
import { addressOf } from '../../engine/intents/build.ts';

describe('associatedAccount', () => {
  it('derives what the vendor’s package derives, also where the first addresses lie on the curve', () => {
    for (let n = 1; n <= 40; n += 1) {
      for (const program of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
        const [owner, mint] = [addressOf(n), addressOf(255 - n)];
        const [a, b, c] = [mint, owner, program].map((one) => new PublicKey(one)) as [
          PublicKey,
          PublicKey,
          PublicKey,
        ];
        expect(associatedAccount(owner, mint, program)).toBe(
          getAssociatedTokenAddressSync(a, b, true, c).toBase58(),
        );
      }
    }
  });
});
