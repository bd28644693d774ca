import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressFromBytes } from '@tradepost/solana';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { installIdOf, openSignerJournal } from '../../src/compose/open-journal.ts';
import { loadConfirmationSecret } from '../../src/compose/open-key-holder.ts';
import { createCertificateRows } from '../../src/engine/signing/store/certificate-rows.ts';
import { createSigningBooks } from '../../src/engine/signing/store/signing-books.ts';
import { newIntent, stepJob } from '../../src/engine/transactions/use/new-intent.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import { createCertifier } from '../../src/platform/vault/certifier.ts';
import { createConfirmationSeals } from '../../src/platform/vault/confirmation-seals.ts';
import { type Keyring, keyring } from '../../src/platform/vault/kek.ts';
import { kekFromFile } from '../../src/platform/vault/kek-file.ts';
import { type MoneyRig, startMoneyRig, until } from '../engine/transactions/money-rig.ts';
import { type OpsResult, runOps } from '../modules/operations/run-ops.ts';
import { administer, createEmptyDatabase, createTestDatabase } from '../support/database.ts';
import { WITHOUT_PIN } from '../support/signer.ts';

const SOL = 1_000_000_000n;
const STRANGER = addressFromBytes(randomBytes(32));

let folder: string;
let url: string;
let db: PrismaDatabase;
let rig: MoneyRig;
let ring: Keyring;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'promoted-'));
  url = await createTestDatabase();
  db = await createPrismaDatabase({ url });
  rig = await startMoneyRig(db, 'promoted');
  await rig.fund(rig.treasury.address, SOL);
  await writeFile(join(folder, 'kek'), randomBytes(32).toString('hex'), { mode: 0o400 });
  ring = keyring(await kekFromFile(join(folder, 'kek')));
});
afterAll(async () => {
  await rig.stop();
  await db.close();
  await rm(folder, { recursive: true, force: true });
});

/** The command as an operator starts it, in a process of its own. */
const ops = (of: string, ...args: readonly string[]): Promise<OpsResult> =>
  runOps(args, {
    DATABASE_URL: of,
    SOLANA_RPC_URL: rig.local.rpcUrl,
    KEK_FILE: join(folder, 'kek'),
    JOURNAL_DIR: join(folder, 'journal'),
    LOCAL_DIR: join(folder, 'local'),
  });

/** A withdrawal of a person of its own, written down and not begun. */
async function confirmed(name: string) {
  const { userId, wallet } = await rig.person(name, SOL);
  const params = {
    kind: 'withdraw-sol',
    destination: STRANGER,
    lamports: SOL / 5n,
    everything: false,
    tier: 'normal',
  } as const;
  const asked = { id: rig.deps.ids.ulid(), userId, walletId: wallet.id, idemKey: `promoted/${name}`, params };
  const confirmation = await WITHOUT_PIN.confirm(asked, null);
  const intent = newIntent(rig.deps, { ...asked, notBefore: null, confirmation });
  await db.intents.insert(intent);
  return intent;
}
type Confirmed = Awaited<ReturnType<typeof confirmed>>;

/** Until it is carried out, final, and in the signer's journal: its signature. */
async function carriedOut(intent: Confirmed): Promise<string> {
  await db.transact((stores) => stores.outbox.add([stepJob(rig.deps, intent)]));
  rig.deps.relay.nudge();
  expect(await rig.settled(intent.id)).toMatchObject({ status: 'SUCCEEDED' });
  const [attempt] = await db.intents.attempts(intent.id);
  if (attempt === undefined) throw new Error('it was never signed');
  const { signature } = attempt;
  await until(async () => {
    const [status] = await rig.chain.statuses([signature]);
    return status?.level === 'finalized';
  }, 'the withdrawal to be final');
  await journaled(intent, signature);
  return signature;
}

/** The line that a signer writes before the signature leaves. */
async function journaled({ id: intentId, walletId }: Confirmed, signature: string): Promise<void> {
  const secret = await loadConfirmationSecret({ keyring: ring, store: db.sealedSecrets });
  const { journal, close } = await openSignerJournal({
    folder: join(folder, 'journal'),
    keyring: ring,
    installId: installIdOf(createConfirmationSeals(secret)),
    database: null,
    mayBegin: false,
    now: Date.now,
    onTrouble: () => undefined,
  });
  await journal.append({
    kind: 'signed',
    intentId,
    intentKind: 'withdraw-sol',
    walletId: walletId ?? '',
    messageHash: `of ${intentId}`,
    signature,
    diesAfter: 1_000_000n,
    signedSlot: 1n,
  });
  await createSigningBooks(db.query).saveHead(journal.head());
  await close();
}

/** What the signer of this installation gave everybody: the rig's own is another one. */
async function certify(): Promise<void> {
  const certifier = createCertifier(await loadConfirmationSecret({ keyring: ring, store: db.sealedSecrets }));
  const rows = createCertificateRows(db.query);
  const set = (table: string, id: string, certificate: string) =>
    db.query(`UPDATE ${table} SET certificate = $2 WHERE id = $1`, [id, certificate]);
  for (const person of await rows.people('', 100)) await set('users', person.id, certifier.person(person));
  for (const wallet of await rows.wallets('', 100)) await set('wallets', wallet.id, certifier.wallet(wallet));
}

/** The database as it is now, in another one that knows of no restore: an asynchronous replica that is promoted. */
async function replica(): Promise<string> {
  const path = join(folder, 'replica.dump');
  const copy = await createEmptyDatabase();
  expect(await ops(url, 'dump', path)).toMatchObject({ code: 0 });
  expect(await ops(copy, 'restore', path)).toMatchObject({ code: 0 });
  await administer(copy, 'DELETE FROM quarantines; DELETE FROM system_flags');
  return copy;
}

it('a promoted replica without the last commits: audit names them, reconcile says whose they are, adopt and audit end with 0', async () => {
  expect(await ops(url, 'journal', 'adopt')).toMatchObject({ code: 0 });
  const kept = await carriedOut(await confirmed('Kept'));
  const waiting = [await confirmed('One'), await confirmed('Two')] as const;
  await certify();
  const promoted = await replica();
  const lost = [await carriedOut(waiting[0]), await carriedOut(waiting[1])] as const;
  expect(await ops(url, 'audit')).toMatchObject({ code: 0, out: expect.stringMatching(/^0 mismatches/m) });

  const audited = await ops(promoted, 'audit');
  expect(audited.code).toBe(1);
  for (const [n, signature] of lost.entries()) {
    expect(audited.out).toMatch(new RegExp(`^wallet-unbooked +${signature}: .*${waiting[n]?.id}`, 'm'));
  }
  // All three lines were read; the journal names none by itself within ten minutes, for an attempt may be on its way.
  expect(audited.out).toMatch(/^journal: 3 signatures compared/m);
  expect(audited.out).not.toContain(kept);

  const refused = await ops(promoted, 'journal', 'adopt');
  expect([refused.code, refused.out]).toEqual([1, expect.stringContaining('NOT ADOPTED')]);

  const reconciled = await ops(promoted, 'reconcile');
  for (const signature of lost) {
    expect(reconciled.out).toMatch(
      new RegExp(`^completed +${signature}: withdraw-sol .* was CREATED here`, 'm'),
    );
  }
  expect(reconciled.out).toContain('The quarantine is lifted.');
  expect(reconciled.code).toBe(0);

  expect(await ops(promoted, 'journal', 'adopt')).toMatchObject({ code: 0 });
  const after = await ops(promoted, 'audit');
  expect(after.out).toMatch(/^0 mismatches/m);
  expect(after.out).toMatch(/^journal: /m);
  expect(after.code).toBe(0);
}, 900_000);
