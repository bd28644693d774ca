import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { installIdOf, openSignerJournal } from '../../src/compose/open-journal.ts';
import { loadConfirmationSecret } from '../../src/compose/open-key-holder.ts';
import type { JournalEntry } from '../../src/engine/signing/rules/record.ts';
import { createKeyRows } from '../../src/engine/signing/store/key-rows.ts';
import { createSigningBooks } from '../../src/engine/signing/store/signing-books.ts';
import { type KeptKeybook, keepKeybook } from '../../src/engine/signing/use/keep-keybook.ts';
import { withKeybook } from '../../src/engine/signing/use/write-key.ts';
import { isFrozen } from '../../src/modules/guard/rules/freeze.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import { createSecretRotation } from '../../src/platform/db/secret-rotation.ts';
import { createConfirmationSeals } from '../../src/platform/vault/confirmation-seals.ts';
import { createVault } from '../../src/platform/vault/create-vault.ts';
import { type Keyring, keyring } from '../../src/platform/vault/kek.ts';
import { kekFromFile } from '../../src/platform/vault/kek-file.ts';
import { localKek } from '../../src/platform/vault/local-kek.ts';
import { rewrapSecret } from '../../src/platform/vault/rewrap.ts';
import { newId, userRow, walletRow } from '../conformance/store-rows.ts';
import { runOpsHere } from '../modules/operations/run-ops.ts';
import { administer, createTestDatabase } from '../support/database.ts';
import { PASSED } from '../support/passed.ts';

const MINUTE = 60_000;

let root: string;
let url: string;
let db: PrismaDatabase;
let ring: Keyring;
let installId: string;
let folder: string;
let kekFile: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'ops-journal-'));
  url = await createTestDatabase();
  db = await createPrismaDatabase({ url });
  kekFile = join(root, 'kek');
  await writeFile(kekFile, randomBytes(32).toString('hex'), { mode: 0o400 });
  ring = keyring(await kekFromFile(kekFile));
  const secret = await loadConfirmationSecret({ keyring: ring, store: db.sealedSecrets });
  installId = installIdOf(createConfirmationSeals(secret));
  const id = newId();
  const treasury = await vault().create({ walletId: id, userId: null });
  await db.wallets.insert(PASSED, walletRow({ id, userId: null, address: treasury.publicKey }), treasury);
});
afterAll(async () => {
  await db.close();
  await rm(root, { recursive: true, force: true });
});
beforeEach(async () => {
  folder = await mkdtemp(join(root, 'journal-'));
  await db.query('DELETE FROM signer_heads', []);
});

const vault = () =>
  createVault({ keyring: ring, secrets: { secret: (id) => db.wallets.secret(id) }, venuePrograms: [] });
const ops = (...args: readonly string[]) =>
  runOpsHere(args, { DATABASE_URL: url, KEK_FILE: kekFile, JOURNAL_DIR: folder });
const open = (where = folder, install = installId, now: () => number = Date.now) =>
  openSignerJournal({
    folder: where,
    keyring: ring,
    installId: install,
    database: null,
    mayBegin: true,
    now,
    onTrouble: () => undefined,
  });
const signed = (n: number) =>
  ({
    kind: 'signed',
    intentId: `intent-${n}`,
    intentKind: 'withdraw-sol',
    walletId: 'wallet-1',
    messageHash: `hash-${n}`,
    signature: `signature-${n}`,
    diesAfter: 1_400n,
    signedSlot: 900n,
  }) as const;
const newest = async (book: 'journal' | 'keybook'): Promise<string> => {
  const names = (await readdir(folder)).filter((name) => name.startsWith(`${book}-`)).toSorted();
  return join(folder, names.at(-1) ?? '');
};

describe('ops journal status and verify', () => {
  it('say how far it goes and that each line is as it was written', async () => {
    const { journal, close } = await open();
    await journal.append(signed(1));
    await createSigningBooks(db.query).saveHead(journal.head());
    await close();
    const status = await ops('journal', 'status');
    expect(status.code).toBe(0);
    expect(status.out).toMatch(/^journal \S+ in .*: 1 segments$/m);
    expect(status.out).toMatch(/^last line (\d+), .*; the database has seen line \1$/m);
    expect(status.out).toContain('1 signatures are not known to be stored or over');
    const verify = await ops('journal', 'verify');
    expect(verify.code).toBe(0);
    expect(verify.out).toMatch(/^journal: \d+ lines in 1 segments, each as it was written$/m);
    expect(verify.out).toMatch(/^keybook: \d+ lines in 1 segments, each as it was written$/m);
  });

  it('say that a fence is up, and since when', async () => {
    const { journal, close } = await open();
    await journal.append({
      kind: 'fence',
      fenceId: 'f',
      reason: 'the newest stored attempt is gone',
      dataAsOf: 1,
    });
    await close();
    const { code, out } = await ops('journal', 'status');
    expect(code).toBe(1);
    expect(out).toMatch(/^FENCED since \d{4}-.*: the newest stored attempt is gone$/m);
  });

  it('name yesterday’s copy: the database has seen later lines', async () => {
    const first = await open();
    await first.journal.append(signed(1));
    await first.close();
    const copy = join(root, 'yesterday');
    await cp(folder, copy, { recursive: true });
    const again = await open();
    await again.journal.append(signed(2));
    await createSigningBooks(db.query).saveHead(again.journal.head());
    await again.close();
    folder = copy;
    const { code, out } = await ops('journal', 'status');
    expect(code).toBe(1);
    expect(out).toContain('BEHIND: this is an older copy');
  });

  it.each(['journal', 'keybook'] as const)(
    'find one flipped byte in the %s, and name file and line',
    async (book) => {
      const { journal, keybook, close } = await open();
      await journal.append(signed(1));
      await journal.append(signed(2));
      const key = await vault().create({ walletId: newId(), userId: newId() });
      await withKeybook({ keybook }, key);
      await withKeybook({ keybook }, key);
      await close();
      const path = await newest(book);
      const bytes = await readFile(path);
      const lines = bytes.toString('latin1').split('\n');
      const at = (lines[0] ?? '').length + (lines[1] ?? '').length - 60;
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      await writeFile(path, bytes);
      const { code, out } = await ops('journal', 'verify');
      expect(code).toBe(1);
      expect(out).toContain(path);
      if (book === 'journal') expect((await ops('journal', 'status')).code).toBe(1);
    },
  );

  it('refuse the journal of another installation, and a folder without one', async () => {
    expect(await ops('journal', 'verify')).toMatchObject({ code: 1, out: expect.stringContaining(folder) });
    const { close } = await open(folder, 'another');
    await close();
    const { code, out } = await ops('journal', 'verify');
    expect(code).toBe(1);
    expect(out).toContain('another installation');
    expect((await ops('keybook', 'restore', '--yes')).code).toBe(1);
  });

  it('read beside the signer that writes, and never take its lock', async () => {
    const { journal, close } = await open();
    expect((await ops('journal', 'verify')).code).toBe(0);
    await journal.append(signed(1));
    await close();
  });
});

describe('ops keybook', () => {
  /** A signer's keybook over this database. */
  const keeping = async <T>(use: (keybook: KeptKeybook) => Promise<T>): Promise<T> => {
    const files = await open();
    const errors: unknown[] = [];
    const keybook = await keepKeybook({
      keybook: files.keybook,
      rows: createKeyRows(db.query),
      keys: vault(),
      log: { error: (given) => void errors.push(given) },
    });
    const done = await use(keybook);
    await files.close();
    return done;
  };
  const person = async (keybook: KeptKeybook, commits = true) => {
    const user = userRow();
    const walletId = newId();
    const secret = await withKeybook({ keybook }, await vault().create({ walletId, userId: user.id }));
    const wallet = walletRow({ id: walletId, userId: user.id, address: secret.publicKey });
    if (commits) {
      await db.users.insert(user);
      await db.wallets.insert(PASSED, wallet, secret);
    }
    return { user, wallet };
  };
  /** What a dump of before does to these people. */
  const forget = ({ user, wallet }: Awaited<ReturnType<typeof person>>) =>
    administer(
      url,
      `DELETE FROM wallet_secrets WHERE wallet_id = '${wallet.id}'; DELETE FROM wallets WHERE id = '${wallet.id}';
       DELETE FROM users WHERE id = '${user.id}'`,
    );

  it('brings back the keys of wallets that a dump of 16 minutes before lacks, and they sign after a day', async () => {
    const [old, fresh] = await keeping(async (keybook) => {
      const both = [await person(keybook), await person(keybook)] as const;
      await keybook.beat();
      return both;
    });
    expect(await ops('keybook', 'list')).toMatchObject({ code: 0 });
    await forget(fresh);
    const listed = await ops('keybook', 'list');
    expect(listed.code).toBe(1);
    expect(listed.out).toContain(`${fresh.wallet.address}  Telegram id ${fresh.user.telegramId}`);
    expect(listed.out).not.toContain(old.wallet.address);

    expect((await ops('keybook', 'restore')).code).toBe(1);
    expect(await db.wallets.find(fresh.wallet.id)).toBeNull();
    const restored = await ops('keybook', 'restore', '--yes');
    expect(restored).toMatchObject({ code: 0, out: expect.stringContaining('1 of 1 wallets are back') });
    const back = await db.users.find(fresh.user.id);
    expect(back).toMatchObject({ telegramId: fresh.user.telegramId, activeWalletId: fresh.wallet.id });
    const wallet = await db.wallets.find(fresh.wallet.id);
    expect(wallet).toMatchObject({ address: fresh.wallet.address, userId: fresh.user.id });
    expect(await vault().holds(fresh.wallet)).toBe(true);
    const guard = await db.guards.find(fresh.user.id);
    expect(isFrozen(guard, Date.now() + 24 * 60 * MINUTE - MINUTE)).toBe(true);
    expect(isFrozen(guard, Date.now() + 24 * 60 * MINUTE + MINUTE)).toBe(false);
    expect(isFrozen(await db.guards.find(old.user.id), Date.now())).toBe(false);
    const [act] = await db.auditLog.list({}, { limit: 1, offset: 0 });
    expect(act).toMatchObject({ act: 'operator-command', details: { words: [fresh.wallet.id] } });
    // A second time it is there already.
    expect(await ops('keybook', 'restore', '--yes')).toMatchObject({ code: 0 });
  });

  it('gives a person who came back under a new name the wallet under that name', async () => {
    const lost = await keeping(async (keybook) => {
      const one = await person(keybook);
      await keybook.beat();
      return one;
    });
    await forget(lost);
    const again = userRow({ telegramId: lost.user.telegramId });
    await db.users.insert(again);
    expect((await ops('keybook', 'restore', '--yes')).code).toBe(0);
    expect(await db.wallets.find(lost.wallet.id)).toMatchObject({ userId: again.id });
    expect(await vault().holds({ ...lost.wallet, userId: again.id })).toBe(true);
  });

  it('leaves a wallet that was never seen committed to the operator’s word', async () => {
    const lost = await keeping(async (keybook) => {
      const one = await person(keybook, false);
      await keybook.beat();
      return one;
    });
    const asked = await ops('keybook', 'restore', '--yes');
    expect(asked.code).toBe(1);
    expect(asked.out).toContain('--wallet ID --to TELEGRAM_ID');
    expect(await db.wallets.find(lost.wallet.id)).toBeNull();
    expect((await ops('keybook', 'restore', '--yes', '--to', '77')).code).toBe(2);
    expect((await ops('keybook', 'restore', '--yes', '--wallet', lost.wallet.id, '--to', 'x')).code).toBe(2);
    const telegramId = lost.user.telegramId.toString();
    const given = await ops('keybook', 'restore', '--yes', '--wallet', lost.wallet.id, '--to', telegramId);
    expect(given.code).toBe(0);
    expect(await vault().holds(lost.wallet)).toBe(true);
  });

  it('follows what kek rotate moved, and writes down no key that does not open', async () => {
    const files = await open();
    const errors: unknown[] = [];
    const fresh = keyring(localKek(randomBytes(32)), [ring.current]);
    const keybook = await keepKeybook({
      keybook: files.keybook,
      rows: createKeyRows(db.query),
      keys: createVault({ keyring: fresh, secrets: db.wallets, venuePrograms: [] }),
      log: { error: (given) => void errors.push(given) },
    });
    const [moved, planted] = [await person(keybook), await person(keybook)];
    const from = await db.wallets.secret(moved.wallet.id);
    if (from === null) throw new Error('it has a key');
    const to = await rewrapSecret(from, fresh);
    await createSecretRotation(db.query).rewrap([{ from, to }]);
    await administer(
      url,
      `UPDATE wallet_secrets SET kek_id = '${fresh.current.id}' WHERE wallet_id = '${planted.wallet.id}'`,
    );
    await keepBeating(keybook);
    expect(errors).toEqual([{ walletId: planted.wallet.id }]);
    const lines: JournalEntry[] = [];
    for await (const { entry } of files.keybook.records(0)) lines.push(entry);
    await files.close();
    const keysOf = ({ wallet }: typeof moved): readonly string[] =>
      lines.flatMap((entry) => (entry.kind === 'key' && entry.walletId === wallet.id ? [entry.kekId] : []));
    expect(keysOf(moved)).toEqual([ring.current.id, fresh.current.id]);
    expect(keysOf(planted)).toEqual([ring.current.id]);
    const owned = lines.filter(({ kind }) => kind === 'owned');
    expect(owned).toContainEqual({
      kind: 'owned',
      walletId: moved.wallet.id,
      telegramId: moved.user.telegramId.toString(),
    });
    await forget(moved);
    await forget(planted);
  });

  const keepBeating = async (keybook: KeptKeybook): Promise<void> => {
    for (let beat = 0; beat < 3; beat += 1) await keybook.beat();
  };
});
