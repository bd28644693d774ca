import { createPublicKey, verify } from 'node:crypto';
import { type Address, addressBytes } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import type { WalletSecret } from '../../src/modules/wallets/rules/wallet.ts';
import { createMessageCompiler } from '../../src/platform/chain/compiler.ts';
import { createPrograms } from '../../src/platform/chain/programs.ts';
import type { KeyHolder } from '../../src/platform/ports/key-holder.ts';
import { addressOf, buildIntent, DESTINATION, INTENT_ID, PARAMS, TREASURY } from '../engine/intents/build.ts';

/** A key holder under test, with the rows it reads in the test's hands. */
export type KeyHolderUnderTest = { readonly vault: KeyHolder; readonly secrets: Map<string, WalletSecret> };

const programs = createPrograms();
const compiler = createMessageCompiler();

/** The message that `PARAMS.withdrawSol` asks for. */
export function withdrawal(from: Address, to: Address = DESTINATION): Uint8Array {
  return compiler.compile({
    payer: from,
    blockhash: addressOf(99),
    instructions: [
      programs.memo(INTENT_ID),
      programs.transferSol({ from, to, lamports: PARAMS.withdrawSol.lamports }),
    ],
  }).bytes;
}

export function isSignedBy(owner: Address, message: Uint8Array, signature: Uint8Array): boolean {
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), addressBytes(owner)]);
  return verify(null, message, createPublicKey({ key: spki, format: 'der', type: 'spki' }), signature);
}

/** What every key holder promises. */
export function describeKeyHolder(title: string, make: () => KeyHolderUnderTest): void {
  describe(title, () => {
    const open = async (userId: string | null = 'user-1') => {
      const under = make();
      const secret = await under.vault.create({ walletId: 'wallet-1', userId });
      under.secrets.set('wallet-1', secret);
      const wallet = { id: 'wallet-1', userId, address: secret.publicKey };
      const sign = (message: Uint8Array, patch: Partial<typeof wallet> = {}) =>
        under.vault.sign({
          intent: buildIntent(),
          wallet: { ...wallet, ...patch },
          message,
          treasury: TREASURY,
        });
      return { ...under, secret, wallet, sign };
    };

    it('signs a message that the intent asks for with the wallet’s own key', async () => {
      const { wallet, sign } = await open();
      const message = withdrawal(wallet.address);
      expect(isSignedBy(wallet.address, message, await sign(message))).toBe(true);
    });

    it('signs for the service’s own wallet, which belongs to nobody', async () => {
      const { wallet, sign } = await open(null);
      const message = withdrawal(wallet.address);
      expect(isSignedBy(wallet.address, message, await sign(message))).toBe(true);
    });

    it('makes a different key each time', async () => {
      const [a, b] = [await open(), await open()];
      expect(a.secret.publicKey).not.toBe(b.secret.publicKey);
    });

    it('signs nothing that the intent does not say', async () => {
      const { wallet, sign } = await open();
      await expect(sign(withdrawal(wallet.address, addressOf(66)))).rejects.toMatchObject({
        code: 'POLICY_DENIED',
        details: { rule: 'sol-destination' },
      });
      await expect(sign(new Uint8Array(10))).rejects.toMatchObject({ code: 'POLICY_DENIED' });
    });

    it('signs nothing for an intent of another wallet', async () => {
      const { wallet, sign, secrets, secret } = await open();
      secrets.set('wallet-2', { ...secret, walletId: 'wallet-2' });
      await expect(sign(withdrawal(wallet.address), { id: 'wallet-2' })).rejects.toMatchObject({
        code: 'POLICY_DENIED',
        details: { rule: 'signers' },
      });
    });

    it('refuses a victim’s row under the attacker’s wallet', async () => {
      const { vault, secrets, wallet, sign } = await open();
      const victim = await vault.create({ walletId: 'wallet-2', userId: 'victim' });
      const message = withdrawal(wallet.address);
      secrets.set('wallet-1', victim);
      await expect(sign(message)).rejects.toMatchObject({ code: 'SECRET_UNREADABLE' });
      secrets.set('wallet-1', { ...victim, walletId: 'wallet-1', userId: 'user-1' });
      await expect(sign(message)).rejects.toMatchObject({ code: 'SECRET_UNREADABLE' });
      // Even with the victim's public key in the attacker's wallet row.
      await expect(sign(withdrawal(victim.publicKey), { address: victim.publicKey })).rejects.toMatchObject({
        code: 'SECRET_UNREADABLE',
      });
    });

    it('refuses a wallet whose secret is gone', async () => {
      const { secrets, wallet, sign } = await open();
      secrets.clear();
      await expect(sign(withdrawal(wallet.address))).rejects.toMatchObject({
        code: 'SECRET_UNREADABLE',
        details: { walletId: 'wallet-1' },
      });
    });

    it('keeps the seed out of the row it hands over', async () => {
      const { secret } = await open();
      expect(Object.keys(secret).sort()).toEqual([
        'kekId',
        'publicKey',
        'sealedSeed',
        'userId',
        'version',
        'walletId',
        'wrappedDek',
      ]);
      expect(secret.sealedSeed).toHaveLength(12 + 32 + 16);
    });
  });
}
