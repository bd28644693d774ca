import { addressFromBytes } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { imitatedToken } from '../../../src/modules/tokens/rules/look-alike.ts';

const [USDC, NEW] = [1, 2].map((byte) => addressFromBytes(new Uint8Array(32).fill(byte)));
const known = [{ symbol: 'USDC', mint: USDC! }];

describe('imitatedToken', () => {
  it.each(['USDC', 'usdc', 'ＵＳＤＣ', 'USDС', 'U5DC', 'ÚSDC', 'US\u200BDC', '𝐔𝐒𝐃𝐂'])(
    'sees USDC in %s',
    (symbol) => {
      expect(imitatedToken({ mint: NEW!, symbol }, known)).toBe(USDC);
    },
  );

  it.each(['USDX', 'USD', 'USDCC', '犬', null])('sees nothing in %s', (symbol) => {
    expect(imitatedToken({ mint: NEW!, symbol }, known)).toBeNull();
  });

  it('does not accuse the token itself', () => {
    expect(imitatedToken({ mint: USDC!, symbol: 'USDC' }, known)).toBeNull();
  });
});
