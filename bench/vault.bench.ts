/** Unsealing a wallet's key and signing with it under the policy, beside a bare Ed25519 signature of Node's own. */
import { generateKeyPairSync, sign } from 'node:crypto';
import type { WalletSecret } from '../src/modules/wallets/rules/wallet.ts';
import { createVault } from '../src/platform/vault/create-vault.ts';
import { keyring } from '../src/platform/vault/kek.ts';
import { localKek } from '../src/platform/vault/local-kek.ts';
import { rewrapSecret } from '../src/platform/vault/rewrap.ts';
import { unsealSeed } from '../src/platform/vault/seal.ts';
import { signWithSeed } from '../src/platform/vault/seed-signer.ts';
import { withdrawal } from '../test/conformance/key-holder.ts';
import { buildIntent, TREASURY } from '../test/engine/intents/build.ts';
import { percentile } from './median.ts';
import type { Row } from './run.ts';

export const name = 'vault';

const ROUNDS = 5_000;

export async function run(): Promise<readonly Row[]> {
  const old = keyring(localKek(new Uint8Array(32).fill(1)));
  const both = keyring(localKek(new Uint8Array(32).fill(2)), [old.current]);
  let stored: WalletSecret | null = null;
  const vault = createVault({ keyring: old, secrets: { secret: async () => stored }, venuePrograms: [] });
  stored = await vault.create({ walletId: 'wallet-1', userId: 'user-1' });
  const wallet = { id: 'wallet-1', userId: 'user-1', address: stored.publicKey };
  const message = withdrawal(wallet.address);
  const { privateKey } = generateKeyPairSync('ed25519');

  const timed = async (work: () => unknown): Promise<readonly number[]> => {
    for (let warm = 0; warm < 500; warm++) await work();
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const startedAt = performance.now();
      await work();
      times.push(performance.now() - startedAt);
    }
    return times;
  };
  const bare = await timed(() => sign(null, message, privateKey));
  const sealed = stored;
  const unsealAndSign = await timed(async () => {
    const seed = await unsealSeed(sealed, old);
    signWithSeed(seed, message);
    seed.fill(0);
  });
  const whole = await timed(() => vault.sign({ intent: buildIntent(), wallet, message, treasury: TREASURY }));
  const startedAt = performance.now();
  for (let round = 0; round < ROUNDS; round++) await rewrapSecret(sealed, both);
  const perSecond = ROUNDS / ((performance.now() - startedAt) / 1_000);
  return [
    { metric: 'unseal + sign, median', value: percentile(unsealAndSign, 50) * 1_000, unit: 'µs' },
    {
      metric: 'unseal + sign, p99',
      value: percentile(unsealAndSign, 99) * 1_000,
      unit: 'µs',
      note: 'goal 1000 µs',
    },
    {
      metric: 'policy + unseal + sign, median',
      value: percentile(whole, 50) * 1_000,
      unit: 'µs',
      baseline: 'a bare signature',
      ratio: percentile(whole, 50) / percentile(bare, 50),
    },
    { metric: 'policy + unseal + sign, p99', value: percentile(whole, 99) * 1_000, unit: 'µs' },
    { metric: 'bare Ed25519 signature, median', value: percentile(bare, 50) * 1_000, unit: 'µs' },
    { metric: 'data keys re-wrapped, in memory', value: perSecond, unit: 'per second' },
  ];
}
