import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Wallet } from '../../../src/modules/wallets/rules/wallet.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { createVault } from '../../../src/platform/vault/create-vault.ts';
import { type Keyring, keyring } from '../../../src/platform/vault/kek.ts';
import { kekFromFile } from '../../../src/platform/vault/kek-file.ts';
import { keyDigits } from '../../../src/platform/vault/prove-key.ts';
import { isSignedBy, withdrawal } from '../../conformance/key-holder.ts';
import { newId, walletRow } from '../../conformance/store-rows.ts';
import { buildIntent, TREASURY } from '../../engine/intents/build.ts';
import { administer, createTestDatabase } from '../../support/database.ts';
import { runOps } from './run-ops.ts';

/** KEK_WALLETS=10000 KEK_KILLS=20 for the full size. */
const WALLETS = Number(process.env['KEK_WALLETS'] ?? 1_200);
const KILLS = Number(process.env['KEK_KILLS'] ?? 5);

describe('rotating the key-encryption key', () => {
  let folder: string;
  let url: string;
  let db: PrismaDatabase;
  let files: readonly [string, string];
  let rings: { readonly old: Keyring; readonly fresh: Keyring; readonly both: Keyring };
  let wallets: readonly Wallet[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rotate-'));
    url = await createTestDatabase();
    db = await createPrismaDatabase({ url });
    files = [join(folder, 'old'), join(folder, 'new')];
    for (const path of files) await writeFile(path, randomBytes(32).toString('hex'), { mode: 0o400 });
    const [old, fresh] = await Promise.all([kekFromFile(files[0]), kekFromFile(files[1])]);
    rings = { old: keyring(old), fresh: keyring(fresh), both: keyring(fresh, [old]) };
    const vault = vaultOf(rings.old);
    const made: Wallet[] = [];
    for (let index = 0; index < WALLETS; index++) {
      const id = newId();
      const secret = await vault.create({ walletId: id, userId: null });
      // One treasury is all that may belong to nobody, so each row gets a person of its own by SQL.
      made.push(walletRow({ id, userId: null, address: secret.publicKey }));
      secrets.push({ id, secret });
    }
    wallets = made;
    await administer(
      url,
      `BEGIN; DROP INDEX wallets_one_treasury_key;
       INSERT INTO wallets (id, name, address, created_at) VALUES
         ${made.map((wallet) => `('${wallet.id}', '${wallet.name}', '${wallet.address}', now())`).join(',')};
       INSERT INTO wallet_secrets VALUES ${secrets
         .map(
           ({ id, secret }) =>
             `('${id}', NULL, '${secret.publicKey}', 1, '${secret.kekId}', '\\x${hex(secret.wrappedDek)}', '\\x${hex(secret.sealedSeed)}')`,
         )
         .join(',')};
       COMMIT`,
    );
  }, 900_000);
  afterAll(async () => {
    await db.close();
    await rm(folder, { recursive: true, force: true });
  });

  const secrets: {
    readonly id: string;
    readonly secret: Awaited<ReturnType<ReturnType<typeof vaultOf>['create']>>;
  }[] = [];
  const vaultOf = (ring: Keyring) =>
    createVault({ keyring: ring, secrets: { secret: (id) => db.wallets.secret(id) }, venuePrograms: [] });
  const signs = async (wallet: Wallet, ring: Keyring): Promise<boolean> => {
    const message = withdrawal(wallet.address);
    const signature = await vaultOf(ring).sign({
      intent: { ...buildIntent(), walletId: wallet.id },
      wallet: { id: wallet.id, userId: null, address: wallet.address },
      message,
      treasury: TREASURY,
    });
    return isSignedBy(wallet.address, message, signature);
  };
  const rotate = (onLine?: (line: string, kill: () => void) => void) =>
    runOps(
      ['kek', 'rotate', '--batch', '60', '--to', keyDigits(rings.fresh.current.id)],
      { DATABASE_URL: url, KEK_FILE: files[1], KEK_OLD_FILES: files[0] },
      onLine,
    );
  const counts = async () =>
    (await administer(
      url,
      'SELECT kek_id, count(*)::text AS count FROM wallet_secrets GROUP BY kek_id ORDER BY kek_id',
    )) as readonly { readonly kek_id: string; readonly count: string }[];

  it('survives kill -9 again and again, while every wallet goes on signing, and ends with the old key useless', async () => {
    let signed = 0;
    let stop = false;
    const signing = (async () => {
      for (let index = 0; !stop; index = (index + 37) % WALLETS) {
        expect(await signs(wallets[index]!, rings.both)).toBe(true);
        signed += 1;
      }
    })();
    for (let kill = 0; kill < KILLS; kill++) {
      let batches = 0;
      const { code } = await rotate((line, stopIt) => {
        if (line.startsWith('rewrapped') && ++batches === 1 + (kill % 3)) stopIt();
      });
      expect(code).toBeNull();
    }
    const half = await counts();
    expect(half).toHaveLength(2);
    const { code, out } = await rotate();
    expect(out).toMatch(/data keys are now under local-[0-9a-f]{16} in .* per second/);
    expect(code).toBe(0);
    if (KILLS > 5) process.stdout.write(out);
    stop = true;
    await signing;
    expect(signed).toBeGreaterThan(100);

    expect(await counts()).toEqual([{ kek_id: rings.fresh.current.id, count: String(WALLETS) }]);
    for (const wallet of wallets) expect(await signs(wallet, rings.fresh)).toBe(true);
    for (const wallet of wallets.slice(0, 50)) {
      await expect(signs(wallet, rings.old)).rejects.toMatchObject({ code: 'SECRET_UNREADABLE' });
    }
    // Only the wrap of the data key changed: no seed was opened.
    const [untouched] = await administer(
      url,
      `SELECT count(*)::text AS count FROM wallet_secrets JOIN (VALUES ${secrets
        .map(({ id, secret }) => `('${id}', '\\x${hex(secret.sealedSeed)}'::bytea)`)
        .join(',')}) AS was (id, seed) ON was.id = wallet_id AND was.seed = sealed_seed`,
    );
    expect(untouched?.['count']).toBe(String(WALLETS));
    expect((await rotate()).out).toContain('0 data keys');
  }, 900_000);

  it('tells which keys the wallets need, and fails when one is missing', async () => {
    const status = (env: Record<string, string>) => runOps(['kek', 'status'], { DATABASE_URL: url, ...env });
    const good = await status({ KEK_FILE: files[1] });
    expect(good.out).toContain(`${WALLETS} wallets under ${rings.fresh.current.id}  (current)`);
    expect(good.code).toBe(0);
    const bad = await status({ KEK_FILE: files[0] });
    expect(bad.out).toContain('MISSING');
    expect(bad.code).toBe(1);
    const lost = await runOps(['kek', 'rotate'], { DATABASE_URL: url, KEK_FILE: files[0] });
    expect(lost.code).toBe(1);
    expect(lost.out).toContain('no key of the ring opens the wallets here');
  });

  it('answers a wrong use with the usage and code 2', async () => {
    for (const args of [['nonsense'], ['kek', 'rotate', '--batch', 'x'], ['dump']]) {
      const { code, out } = await runOps(args, {});
      expect(out).toContain('npm run ops -- ');
      expect(code).toBe(2);
    }
  });
});

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
