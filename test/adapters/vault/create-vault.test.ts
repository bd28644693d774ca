import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createVault } from '../../../src/adapters/vault/create-vault.ts';
import { keyring } from '../../../src/adapters/vault/kek.ts';
import { localKek } from '../../../src/adapters/vault/local-kek.ts';
import type { WalletSecret } from '../../../src/core/wallets/wallet.ts';
import { describeVault } from '../../conformance/vault.ts';

describeVault('createVault', () => {
  const secrets = new Map<string, WalletSecret>();
  return {
    secrets,
    vault: createVault({
      keyring: keyring(localKek(new Uint8Array(32).fill(5))),
      secrets: { secret: async (walletId) => secrets.get(walletId) ?? null },
      venuePrograms: [],
    }),
  };
});

describe('the vault', () => {
  it('reaches no package and nothing but core and its own folder', () => {
    for (const file of [
      'create-vault',
      'seal',
      'sign',
      'gcm-box',
      'kek',
      'kek-file',
      'kek-env',
      'kek-vault-transit',
      'kek-aws-kms',
      'local-kek',
      'key-transfer',
      'mint-keys',
      'rewrap',
    ]) {
      const source = readFileSync(new URL(`../../../src/adapters/vault/${file}.ts`, import.meta.url), 'utf8');
      for (const [, specifier] of source.matchAll(/from '([^']+)'/g)) {
        expect(specifier).toMatch(
          /^(?:node:(?:crypto|fs\/promises|path)|\.\/[a-z-]+\.ts|\.\.\/\.\.\/core\/.+)$/,
        );
      }
    }
  });
});
