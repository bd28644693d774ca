import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { runDoctor } from '../../scripts/ops/doctor.ts';
import { MACHINE, type Machine } from '../../scripts/ops/doctor-disk.ts';
import { recordAct } from '../../scripts/ops/operator.ts';
import { loadOpsConfig } from '../../src/config/index.ts';
import { createKeyRegistry } from '../../src/engine/signing/store/key-registry.ts';
import { startDeskChain } from '../../src/local/desk/index.ts';
import type { Finding } from '../../src/modules/operations/rules/check-up.ts';
import { VERSION } from '../../src/modules/operations/rules/version.ts';
import { createHeartbeat } from '../../src/platform/db/heartbeat.ts';
import { createPrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import { createVault } from '../../src/platform/vault/create-vault.ts';
import { keyring } from '../../src/platform/vault/kek.ts';
import { kekFromFile } from '../../src/platform/vault/kek-file.ts';
import { meetKey } from '../../src/platform/vault/prove-key.ts';
import { newId, userRow, walletRow } from '../conformance/store-rows.ts';
import { administer, createTestDatabase } from './database.ts';
import { PASSED } from './passed.ts';

const GB = 2 ** 30;
/** This disk has room on every machine. */
export const ROOMY = { bytes: 100 * GB, freeBytes: 50 * GB, files: 1_000, freeFiles: 500 };
export const WELL: Machine = { ...MACHINE, space: async () => ROOMY };

type Env = Readonly<Record<string, string>>;
export type Answer = { readonly code: number; readonly text: string; readonly sick: readonly Finding[] };
export type Ward = Awaited<ReturnType<typeof openWard>>;

/** An installation in which all is well: a database with one wallet, its key, a chain, a worker that beats and a fresh dump. */
export async function openWard() {
  const folder = await mkdtemp(join(tmpdir(), 'doctor-'));
  const dumps = join(folder, 'dumps');
  const dump = join(dumps, 'tradepost-2026-01-01T00-00-00-000Z.dump.age');
  await mkdir(dumps);
  const url = await createTestDatabase();
  const db = await createPrismaDatabase({ url });
  const keyFile = async (name: string): Promise<string> => {
    const path = join(folder, `${name}-${randomBytes(4).toString('hex')}`);
    await writeFile(path, randomBytes(32).toString('hex'), { mode: 0o400 });
    return path;
  };
  const ours = await keyFile('ours');
  const ring = keyring(await kekFromFile(ours));
  const { user } = await db.users.insert(userRow());
  const vault = createVault({ keyring: ring, secrets: db.wallets, venuePrograms: [] });
  const walletId = newId();
  const secret = await vault.create({ walletId, userId: user.id });
  await db.wallets.insert(
    PASSED,
    walletRow({ id: walletId, userId: user.id, address: secret.publicKey }),
    secret,
  );
  const meet = () => meetKey(ring.current, createKeyRegistry(db.query), Date.now());
  await meet();
  await recordAct(db, 'operator-command', { command: 'drill', words: [] });
  const chain = await startDeskChain({ slotMs: 20, seed: 'doctor', wsPort: null });
  const beat = (roles: string, version: string) =>
    createHeartbeat(db.query, { id: newId(), roles, version, host: 'here' }).beat();
  const env = (more: Env = {}): Env => ({
    NODE_ENV: 'test',
    DATABASE_URL: url,
    DATABASE_ROLES: 'one',
    LOCAL_DIR: join(folder, 'local'),
    KEK_FILE: ours,
    SOLANA_RPC_URL: chain.rpcUrl,
    ...more,
  });
  return {
    folder,
    dumps,
    dump,
    url,
    ours,
    rpcUrl: chain.rpcUrl,
    keyFile,
    meet,
    beat,
    env,
    heal: async () => {
      await administer(url, 'DELETE FROM processes');
      await beat('worker,bot', VERSION);
      for (const name of await readdir(dumps)) await rm(join(dumps, name));
      await writeFile(dump, 'a dump');
    },
    doctor: (more: Env = {}, machine: Machine = WELL) => askDoctor(env(more), dumps, machine),
    close: async () => {
      await chain.stop();
      await db.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function askDoctor(env: Env, dumps: string, machine: Machine): Promise<Answer> {
  const config = loadOpsConfig(env, () => null);
  const look = async (json: boolean) => {
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line);
    const io = { config: () => config, print, note: () => undefined, local: false, envFile: false };
    const code = await runDoctor(io, { dumps, 'max-age': undefined, folder: [], json }, machine);
    return { code, text: lines.join('\n') };
  };
  const { code, text } = await look(false);
  const { code: same, findings } = JSON.parse((await look(true)).text) as {
    readonly code: number;
    readonly findings: readonly Finding[];
  };
  expect(same).toBe(code);
  return { code, text, sick: findings.filter(({ state }) => state !== 'ok') };
}

/** The one part that is not well, with its command on the page. */
export function expectSick(
  { code, text, sick }: Answer,
  expected: {
    readonly part: string | RegExp;
    readonly code: 1 | 2;
    readonly fact: string;
    readonly mend: string;
  },
): void {
  expect(sick.map(({ part }) => part)).toEqual([expect.stringMatching(expected.part)]);
  expect([code, sick[0]?.fact, sick[0]?.mend]).toEqual([
    expected.code,
    expect.stringContaining(expected.fact),
    expect.stringContaining(expected.mend),
  ]);
  expect(text).toContain(`${expected.code === 2 ? 'BAD ' : 'WARN'}  ${sick[0]?.part}: ${sick[0]?.fact}`);
  expect(text).toContain(`why   ${sick[0]?.why}`);
  expect(text).toContain(`mend  ${sick[0]?.mend}`);
}
