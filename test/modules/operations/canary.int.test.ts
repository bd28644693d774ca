import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressBytes, addressFromBytes } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WalletSecret } from '../../../src/modules/wallets/rules/wallet.ts';
import { createPostgresDialogStore } from '../../../src/platform/cache/postgres-dialog-store.ts';
import { dumpDatabase } from '../../../src/platform/db/dump.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { createLogger } from '../../../src/platform/log/create-logger.ts';
import { createBullQueue } from '../../../src/platform/queue/bull-queue.ts';
import { keyring } from '../../../src/platform/vault/kek.ts';
import { localKek } from '../../../src/platform/vault/local-kek.ts';
import { sealSeed, unsealSeed } from '../../../src/platform/vault/seal.ts';
import { type MoneyRig, startMoneyRig } from '../../engine/transactions/money-rig.ts';
import { encodingsOf, leaksIn } from '../../platform/vault/canary.ts';
import { administer, createTestDatabase } from '../../support/database.ts';

const WALLETS = 50;
const PLANTED = {
  walletId: 'planted',
  userId: null,
  publicKey: addressFromBytes(new Uint8Array(32).fill(8)),
};

/** Whether any 32 bytes in a row, tried as its data key, open its seed: what a thief with nothing but a dump would try. */
async function opensItself(secret: WalletSecret): Promise<boolean> {
  const bytes = Buffer.concat([secret.wrappedDek, secret.sealedSeed]);
  for (let at = 0; at + 32 <= bytes.length; at += 1) {
    const thief = {
      id: secret.kekId,
      wrap: () => Promise.reject(new Error('not asked')),
      unwrap: async () => Uint8Array.from(bytes.subarray(at, at + 32)),
    };
    const opened = await unsealSeed(secret, keyring(thief)).then(
      () => true,
      () => false,
    );
    if (opened) return true;
  }
  return false;
}

/** The seeds of real wallets, looked for wherever the service writes. */
describe('no seed of a wallet stands anywhere', () => {
  let folder: string;
  let url: string;
  let db: PrismaDatabase;
  let rig: MoneyRig;
  const seeds: { readonly seed: Uint8Array; readonly publicKey: Uint8Array }[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'canary-'));
    url = await createTestDatabase();
    db = await createPrismaDatabase({ url });
    rig = await startMoneyRig(db, 'canary');
    // The same key that the rig seals with: only a test that holds it can know what to look for.
    const ring = keyring(localKek(new Uint8Array(32).fill(7)));
    const rich = await rig.person('Canary 0', 2_000_000_000n);
    const people = [rich];
    for (let index = 1; index < WALLETS; index++) people.push(await rig.person(`Canary ${index}`, 0n));
    for (const { wallet } of people) {
      const secret = await db.wallets.secret(wallet.id);
      if (secret === null) throw new Error('a wallet has no secret');
      seeds.push({ seed: await unsealSeed(secret, ring), publicKey: addressBytes(wallet.address) });
    }
    // One that signs, so that its key has been in use.
    const { createIntent } = await import('../../../src/engine/transactions/use/create-intent.ts');
    const { intent } = await createIntent(rig.deps, {
      userId: rich.userId,
      walletId: rich.wallet.id,
      idemKey: 'canary',
      params: {
        kind: 'withdraw-sol',
        destination: people[1]?.wallet.address ?? rich.wallet.address,
        lamports: 1_000_000_000n,
        everything: false,
        tier: 'normal',
      },
    });
    expect((await rig.settled(intent.id)).status).toBe('SUCCEEDED');
  });
  afterAll(async () => {
    await rig.stop();
    await db.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('is a search that finds each planted leak in each encoding', () => {
    for (const one of seeds.slice(0, 5)) {
      for (const [encoding, needle] of Object.entries(encodingsOf(one.seed, one.publicKey))) {
        const planted = Buffer.concat([Buffer.from('{"log":"'), needle, Buffer.from('"}')]);
        expect(leaksIn(planted, seeds)).toContain(`seed ${seeds.indexOf(one)} as ${encoding}`);
      }
    }
    const upper = Buffer.from(
      Buffer.from(seeds[0]?.seed ?? [])
        .toString('hex')
        .toUpperCase(),
    );
    expect(leaksIn(upper, seeds)).toEqual(['seed 0 as hex']);
  });

  it('finds a leak planted in the database through the dump, as text and as bytes', async () => {
    const [one] = seeds;
    const hex = Buffer.from(one?.seed ?? []).toString('hex');
    const scan = async (name: string): Promise<readonly string[]> => {
      const path = join(folder, name);
      await dumpDatabase({ url, path });
      return leaksIn(await readFile(path), seeds);
    };
    await administer(url, `CREATE TABLE leak (text text, bytes bytea)`);
    await administer(url, `INSERT INTO leak VALUES (NULL, '\\x00${hex}ff')`);
    expect(await scan('bytes')).toEqual(['seed 0 as hex']);
    await administer(url, `UPDATE leak SET bytes = NULL, text = '${[...(one?.seed ?? [])].join(',')}'`);
    expect(await scan('text')).toEqual(['seed 0 as JSON array']);
    await administer(url, 'DROP TABLE leak');
    expect(await scan('clean')).toEqual([]);
  });

  it('holds for every table, the queue and the dialogues included', async () => {
    const queue = await createBullQueue({ databaseUrl: url, onProblem: () => undefined });
    await queue.add('intent.step', { intentId: 'x' }, { key: 'i-x' });
    const dialogs = createPostgresDialogStore({ query: db.query });
    expect(dialogs).toBeDefined();
    const tables = await administer(
      url,
      `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
       WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_type = 'BASE TABLE'`,
    );
    expect(tables.map((table) => table['name'])).toEqual(
      expect.arrayContaining(['public.wallet_secrets', 'public.bot_dialogs', 'public.attempts']),
    );
    expect(tables.some((table) => table['name']?.startsWith('bullmq.'))).toBe(true);
    let bytes = 0;
    for (const { name } of tables) {
      const rows = await administer(url, `SELECT row_to_json(whole)::text AS line FROM ${name} AS whole`);
      const text = Buffer.from(rows.map((row) => row['line']).join('\n'));
      bytes += text.length;
      expect(leaksIn(text, seeds), name).toEqual([]);
    }
    expect(bytes).toBeGreaterThan(20_000);
    await queue.close();
  });

  it('holds for data keys too: no bytes of a row open that row', async () => {
    const people = await administer(url, 'SELECT id FROM wallets');
    let tried = 0;
    for (const { id = '' } of people) {
      const secret = await db.wallets.secret(id);
      if (secret === null) continue;
      expect(await opensItself(secret)).toBe(false);
      tried += 1;
    }
    expect(tried).toBeGreaterThan(WALLETS);
    // A thief who finds what is planted: the data key of one row beside it.
    const planted = await sealSeed(new Uint8Array(32).fill(9), PLANTED, {
      ...localKek(new Uint8Array(32).fill(7)),
      wrap: async (dek) => Uint8Array.from(dek),
    });
    expect(await opensItself(planted)).toBe(true);
  });

  it('holds for the log, even when somebody logs a whole secret', () => {
    const lines: string[] = [];
    const log = createLogger('trace', { write: (line: string) => void lines.push(line) });
    const one = seeds[0];
    log.info(
      { seed: one?.seed, wallet: { secret: one?.seed, secretKey: 'x' }, bytes: Buffer.from(one?.seed ?? []) },
      'planted',
    );
    for (const warning of rig.warnings) log.warn({ warning }, 'engine');
    expect(lines.length).toBeGreaterThan(0);
    expect(leaksIn(Buffer.from(lines.join('')), seeds)).toEqual([]);
  });
});
