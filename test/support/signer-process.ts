/**
 * The signer over its real adapters in a process of its own, which kills itself where the first argument (JSON) says: the moments
 * around a signature and around a confirmation. Prints a line when it listens.
 */

import { createPrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import type { Vault } from '../../src/platform/ports/vault.ts';
import { serveVault } from '../../src/platform/signer/serve-vault.ts';
import { createVault } from '../../src/platform/vault/create-vault.ts';
import { keyring } from '../../src/platform/vault/kek.ts';
import { localKek } from '../../src/platform/vault/local-kek.ts';
import { fakeClock } from './fakes/clock.ts';
import { testSigner } from './signer.ts';

export const MOMENTS = ['before-confirm', 'after-confirm', 'before-sign', 'after-sign'] as const;
export type Moment = (typeof MOMENTS)[number];
export type SignerProcessOptions = {
  readonly databaseUrl: string;
  readonly path: string;
  readonly kek: string;
  readonly dieAt: Moment | null;
};

/** Only as a program, and not where a test reads the types above. */
const text = process.argv[2];
if (text?.startsWith('{') === true) {
  const options = JSON.parse(text) as SignerProcessOptions;
  const dying = (moment: Moment): void => {
    if (moment === options.dieAt) process.kill(process.pid, 'SIGKILL');
  };
  const db = await createPrismaDatabase({ url: options.databaseUrl, poolSize: 4 });
  const ring = keyring(localKek(Buffer.from(options.kek, 'hex')));
  const keys = createVault({ keyring: ring, secrets: db.wallets, venuePrograms: [] });
  const clock = { ...fakeClock(), now: () => Date.now() };
  const signer = testSigner(
    { db, clock },
    {
      ring,
      keys: {
        ...keys,
        sign: async (request) => {
          dying('before-sign');
          const signature = await keys.sign(request);
          dying('after-sign');
          return signature;
        },
      },
    },
  );
  const vault: Vault = {
    ...signer,
    confirm: async (request, pin) => {
      dying('before-confirm');
      const code = await signer.confirm(request, pin);
      dying('after-confirm');
      return code;
    },
  };
  await serveVault(() => vault, {
    path: options.path,
    log: { warn: () => undefined, error: () => undefined },
  });
  process.stdout.write('ready\n');
}
