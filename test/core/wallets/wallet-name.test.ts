import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isAppError } from '../../../src/core/errors/app-error.ts';
import { freeWalletName, walletName } from '../../../src/core/wallets/wallet-name.ts';

it('gives a clean name of 1 to 20 characters or refuses, for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      try {
        const name = walletName(text);
        expect(Array.from(name).length).toBeGreaterThanOrEqual(1);
        expect(Array.from(name).length).toBeLessThanOrEqual(20);
        expect(name).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
        expect(walletName(name)).toBe(name);
      } catch (error) {
        expect(isAppError(error)).toBe(true);
      }
    }),
  );
});

it('finds a free name', () => {
  expect(freeWalletName([])).toBe('Main');
  expect(freeWalletName(['Main'])).toBe('Wallet 2');
  expect(freeWalletName(['a', 'WALLET 3'])).toBe('Wallet 4');
});
