import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Address } from '@tradepost/solana';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { installIdOf, openSignerJournal } from '../../src/compose/open-journal.ts';
import { loadConfirmationSecret } from '../../src/compose/open-key-holder.ts';
import { createCertificateRows } from '../../src/engine/signing/store/certificate-rows.ts';
import { createKeyRows } from '../../src/engine/signing/store/key-rows.ts';
import { createSigningBooks } from '../../src/engine/signing/store/signing-books.ts';
import { keepKeybook } from '../../src/engine/signing/use/keep-keybook.ts';
import { withKeybook } from '../../src/engine/signing/use/write-key.ts';
import { readLastDrill } from '../../src/modules/operations/store/last-drill.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import type { Certifier } from '../../src/platform/ports/certificates.ts';
import { createCertifier } from '../../src/platform/vault/certifier.ts';
import { createConfirmationSeals } from '../../src/platform/vault/confirmation-seals.ts';
import { createVault } from '../../src/platform/vault/create-vault.ts';
import { keyring } from '../../src/platform/vault/kek.ts';
import { kekFromFile } from '../../src/platform/vault/kek-file.ts';
import { localKek } from '../../src/platform/vault/local-kek.ts';
import { newAddress, newId, secretRow, userRow, walletRow } from '../conformance/store-rows.ts';
import { runOpsHere } from '../modules/operations/run-ops.ts';
import { administer } from '../support/database.ts';
import { expectSick, openWard, type Ward } from '../support/doctor-ward.ts';
import { PASSED } from '../support/passed.ts';

let ward: Ward;
let dump: string;
let before: number;
let db: PrismaDatabase;
beforeAll(async () => {
  ward = await openWard();
  dump = join(ward.folder, 'sound.dump');
  db = await createPrismaDatabase({ url: ward.url });
  await dumpTo(dump);
});
beforeEach(async () => {
  await ward.heal();
  before = (await drills()).length;
});
afterAll(async () => {
  await db.close();
  await ward.close();
});

/** A dump with a treasury whose key is of nowhere: no drill opens it. The ward is well beside the dump, without that wallet. */
async function dumpTo(path: string, certifier: Certifier | null = null): Promise<void> {
  const treasury = walletRow({ userId: null, address: newAddress() });
  await db.wallets.insert(PASSED, treasury, secretRow(treasury));
  if (certifier !== null) await certifyAll(certifier);
  expect(await runOpsHere(['dump', path], ward.env())).toMatchObject({ code: 0 });
  await db.query('DELETE FROM wallet_secrets WHERE wallet_id = $1', [treasury.id]);
  await db.query('DELETE FROM wallets WHERE id = $1', [treasury.id]);
}

/** Every person and wallet as the signer of the ward would have certified them. */
async function certifyAll(certifier: Certifier): Promise<void> {
  const rows = createCertificateRows(db.query);
  const [people, wallets] = await Promise.all([rows.people('', 100), rows.wallets('', 100)]);
  await rows.write({
    people: people.map((one) => ({ id: one.id, certificate: certifier.person(one) })),
    wallets: wallets.map((one) => ({ id: one.id, certificate: certifier.wallet(one) })),
    orders: [],
    receivings: [],
    guards: [],
    addresses: [],
    copies: [],
    periods: [],
  });
}

const drill = (path: string, env: Readonly<Record<string, string>> = {}, ...more: readonly string[]) =>
  runOpsHere(['drill', path, ...more], ward.env({ JOURNAL_DIR: join(ward.folder, 'journal'), ...env }));
const drills = () =>
  administer(
    ward.url,
    `SELECT outcome, details -> 'words' AS words FROM audit_log WHERE details ->> 'command' = 'drill' ORDER BY id`,
  );
/** What the drill of this test left in the trail. */
const left = async () => (await drills()).slice(before);

it('a path or an identity that cannot be read is a wrong use: nothing is opened, and no drill is written down', async () => {
  const nowhere = join(ward.folder, 'nowhere');
  expect((await drill(nowhere)).code).toBe(2);
  expect((await drill(dump, {}, '--identity', nowhere)).code).toBe(2);
  expect(await left()).toEqual([]);
});

it.each([
  ['a torn dump', async (): Promise<string> => (await readFile(dump, 'utf8')).slice(0, -200)],
  ['a dump of something else', async (): Promise<string> => '-- PostgreSQL database dump\n'],
] as const)('%s fails the drill, and the doctor names no older good one', async (_, bytes) => {
  const bad = join(ward.folder, 'bad.dump');
  await writeFile(bad, await bytes());
  expect((await drill(bad)).code).toBe(1);
  expect(await left()).toEqual([{ outcome: 'refused', words: ['not restored'] }]);
  // A drill takes longer on a busy machine than a process may be silent.
  await ward.heal();
  expectSick(await ward.doctor(), {
    part: /^drill$/,
    code: 2,
    fact: 'the last drill failed',
    mend: 'npm run ops -- drill',
  });
});

it('a folder without a dump fails the drill', async () => {
  const empty = join(ward.folder, 'empty');
  await mkdir(empty);
  const { code, out } = await drill(empty);
  expect([code, out]).toEqual([1, expect.stringContaining('holds no dump')]);
  expect(await left()).toEqual([{ outcome: 'refused', words: ['not restored'] }]);
});

it('without the key it is good only but for the keybook, in its words, in the trail and for the doctor', async () => {
  const { code, out } = await drill(dump, { KEK_FILE: '', SIGNER_SOCKET: join(ward.folder, 'signer.sock') });
  expect(out).toMatch(/^The drill is good, without keybook check\.$/m);
  expect(code).toBe(0);
  expect(await left()).toEqual([
    {
      outcome: 'done',
      words: [expect.stringMatching(/^RPO/), expect.stringMatching(/^RTO/), 'without keybook check'],
    },
  ]);
  // The ward's own drill read the keybook, too: only that one counts as whole.
  const { at, goodAt, wholeAt } = await readLastDrill(db.query);
  expect(goodAt).toBe(at);
  expect(wholeAt).toBeLessThan(at ?? 0);
});

/** The signer of the ward, which runs and holds its folder. */
async function startSigner() {
  const ring = keyring(await kekFromFile(ward.ours));
  const secret = await loadConfirmationSecret({ keyring: ring, store: db.sealedSecrets });
  const folder = join(ward.folder, 'journal');
  const files = await openSignerJournal({
    folder,
    keyring: ring,
    installId: installIdOf(createConfirmationSeals(secret)),
    database: null,
    mayBegin: true,
    now: Date.now,
    onTrouble: () => undefined,
  });
  const keys = createVault({ keyring: ring, secrets: db.wallets, venuePrograms: [] });
  const keybook = await keepKeybook({
    keybook: files.keybook,
    rows: createKeyRows(db.query),
    keys,
    log: { error: () => undefined },
  });
  await keybook.beat();
  await createSigningBooks(db.query).saveHead(files.journal.head());
  return { ...files, keybookFile: files.keybook, folder, keybook, keys, certifier: createCertifier(secret) };
}

/** A person with a wallet, in the keybook and with `commits` in the database. */
async function joinedBy(signer: Awaited<ReturnType<typeof startSigner>>, commits: boolean): Promise<Address> {
  const user = userRow();
  const walletId = newId();
  const made = await signer.keys.create({ walletId, userId: user.id });
  const secret = await withKeybook({ keybook: signer.keybook }, made);
  if (commits) {
    await db.users.insert(user);
    await db.wallets.insert(
      PASSED,
      walletRow({ id: walletId, userId: user.id, address: secret.publicKey }),
      secret,
    );
  }
  await signer.keybook.beat();
  return secret.publicKey;
}

it('a wallet that is newer than the dump comes back from the keybook, and the running signer’s books keep their bytes', async () => {
  const signer = await startSigner();
  const path = join(ward.folder, 'older.dump');
  await dumpTo(path, signer.certifier);
  const [newer, uncommitted] = [await joinedBy(signer, true), await joinedBy(signer, false)];
  const bytes = () => books(signer.folder);
  const were = await bytes();
  expect(Object.keys(were)).toHaveLength(2);

  const { code, out } = await drill(path);
  expect(out).toMatch(new RegExp(`^ +${newer} +is back`, 'm'));
  expect(out).toMatch(new RegExp(`^ +${uncommitted} +LEFT: it was never seen committed`, 'm'));
  expect(out).toMatch(/^The drill is good\.$/m);
  expect(code).toBe(0);
  expect(await bytes()).toEqual(were);
  expect(await db.wallets.findByAddress(uncommitted)).toBeNull();
  await signer.journal.append({ kind: 'pin-right', user: 'still the only writer' });
  expect(await bytes()).not.toEqual(were);
  await signer.close();
});

it('a wallet that the keybook cannot give back fails the drill', async () => {
  const signer = await startSigner();
  const path = join(ward.folder, 'unreadable.dump');
  await dumpTo(path, signer.certifier);
  const foreign = createVault({
    keyring: keyring(localKek(randomBytes(32))),
    secrets: db.wallets,
    venuePrograms: [],
  });
  const user = userRow();
  const lost = await withKeybook(
    { keybook: signer.keybook },
    await foreign.create({ walletId: newId(), userId: user.id }),
  );
  await signer.keybookFile.append({
    kind: 'owned',
    walletId: lost.walletId,
    telegramId: user.telegramId.toString(),
  });
  const { code, out } = await drill(path);
  expect(out).toMatch(new RegExp(`^ +${lost.publicKey} +LEFT: no key of the ring opens it`, 'm'));
  expect([code, out]).toEqual([1, expect.stringContaining('The drill FAILED: keybook.')]);
  await signer.close();
});

/** The segments by name; the lock beats and is none. */
async function books(folder: string): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(folder)).filter((name) => /^(journal|keybook)-.*\.log$/.test(name));
  const read = async (name: string) =>
    [name, (await readFile(join(folder, name))).toString('base64')] as const;
  return Object.fromEntries(await Promise.all(names.map(read)));
}
