import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { type Address, addressFromBytes } from '@tradepost/solana';
import { issueApiKey } from '../../../src/modules/keys/use/issue-api-key.ts';
import { createHmacSecrets } from '../../../src/platform/api-keys/hmac-secrets.ts';
import { systemClock } from '../../../src/platform/clock/clock.ts';
import type { PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { PASSED } from '../../../test/support/passed.ts';
import { airdrop } from '../people.ts';
import type { TortureWorld } from '../world.ts';

const FUNDS = 20_000_000_000n;

/** A wallet whose key only its owner has. */
export type Wallet = { readonly address: Address; readonly key: KeyObject };

/** A program of a caller: its own keypair, an account of the service, and a key of that account. */
export type Integrator = {
  readonly wallet: Wallet;
  readonly account: string;
  readonly apiKey: string;
};

/** A new wallet with nothing in it. */
export function newWallet(): Wallet {
  const { privateKey: key } = generateKeyPairSync('ed25519');
  const raw = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
  return { address: addressFromBytes(new Uint8Array(raw)), key };
}

/** `count` programs of `accounts`, in turn, each with a funded wallet. */
export async function settleIntegrators(of: {
  readonly count: number;
  readonly accounts: readonly string[];
  readonly db: PrismaDatabase;
  readonly apiKeySecret: Uint8Array;
  readonly world: Pick<TortureWorld, 'chain'>;
}): Promise<readonly Integrator[]> {
  const { count, accounts, db, apiKeySecret, world } = of;
  const issuing = { keys: db.apiKeys, secrets: createHmacSecrets(apiKeySecret), clock: systemClock() };
  const settle = async (account: string): Promise<Integrator> => {
    const wallet = newWallet();
    const { text } = await issueApiKey(issuing, PASSED, {
      account,
      scopes: ['submit', 'swap'],
      ratePerSecond: 10_000,
      burst: 10_000,
      maxReferrerFeeBps: 0,
      expiresAt: null,
    });
    await airdrop(world, wallet.address, FUNDS);
    return { wallet, account, apiKey: text };
  };
  const integrators: Integrator[] = [];
  // One of each account at a time: more would wait for a connection longer than they may.
  while (integrators.length < count)
    integrators.push(...(await Promise.all(accounts.slice(0, count - integrators.length).map(settle))));
  return integrators;
}
