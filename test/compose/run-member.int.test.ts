import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect as connectPlain } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runMember, type SignerMember } from '../../src/compose/run-member.ts';
import { createSignerLeases } from '../../src/engine/signing/store/signer-lease.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import { openBox, sealBox } from '../../src/platform/gcm-box.ts';
import { readChainFile } from '../../src/platform/journal/chain-file.ts';
import { openFileJournal } from '../../src/platform/journal/file-journal.ts';
import { filesIn } from '../../src/platform/journal/mirror/folder-files.ts';
import type { Journal } from '../../src/platform/ports/journal.ts';
import type { Vault } from '../../src/platform/ports/vault.ts';
import { dialSigner } from '../../src/platform/signer/dial.ts';
import { serveTls } from '../../src/platform/signer/serve-tls.ts';
import { createSocketVault } from '../../src/platform/signer/socket-vault.ts';
import type { TlsFiles } from '../../src/platform/signer/tls-identity.ts';
import { signedEntry } from '../conformance/journal.ts';
import { createTestDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { certsOf, hasOpenssl, makeCerts } from '../support/signer-certs.ts';

const LONG = 20_000;
const kek = randomBytes(32);
const box = {
  kekId: 'kek-1',
  wrap: async (key: Uint8Array, bound: Uint8Array) => sealBox(kek, key, bound),
  unwrap: async (_id: string, sealed: Uint8Array, bound: Uint8Array) => openBox(kek, sealed, bound),
};

let root: string;
let db: PrismaDatabase;
const said: string[] = [];
const log = {
  warn: (_fields: object, text: string) => void said.push(text),
  error: (_fields: object, text: string) => void said.push(text),
  info: () => undefined,
};

beforeAll(async () => {
  if (!hasOpenssl) return;
  root = await mkdtemp(join(tmpdir(), 'members-'));
  db = await createPrismaDatabase({ url: await createTestDatabase() });
  for (const [name, hosts, roles] of [
    ['a', '127.0.0.1', 'signer'],
    ['b', '127.0.0.1', 'signer'],
    ['worker', '', 'worker'],
    ['api', '', 'api'],
    ['elsewhere', '10.9.9.9', 'signer'],
  ] as const)
    await makeCerts(join(root, 'certs'), name, hosts, roles);
  await makeCerts(join(root, 'foreign'), 'worker', '', 'worker');
}, LONG);
afterAll(async () => {
  if (!hasOpenssl) return;
  await db.close();
  await rm(root, { recursive: true, force: true });
});

const certs = (name: string, folder = 'certs'): TlsFiles => certsOf(join(root, folder), name);

type Running = {
  readonly member: SignerMember;
  readonly place: { readonly host: string; readonly port: number };
  readonly folder: string;
  readonly stop: () => Promise<void>;
  /** Ends the port alone: the other one and its callers do not reach this signer any more. */
  readonly cut: () => Promise<void>;
};

const running: Running[] = [];
afterEach(async () => {
  if (!hasOpenssl) return;
  for (const one of running.splice(0)) await one.stop();
  await db.query('DELETE FROM signer_lease', []);
  said.length = 0;
});

let ports: { readonly a: number; readonly b: number };
let scene = 0;
/** Ports and folders of a new pair. */
async function newPair(): Promise<void> {
  scene += 1;
  ports = { a: await freePort(), b: await freePort() };
}
const folderOf = (name: 'a' | 'b') => join(root, `${scene}-${name}`);

let journal: Journal | null = null;

/** As a signer proves a folder with its own keys. */
async function proveBooks(folder: string): Promise<void> {
  for (const book of ['journal', 'keybook'] as const) {
    const files = await filesIn(folder);
    if (!files.some(({ file }) => file.startsWith(book))) continue;
    const { records } = await readChainFile({ folder, book, box, installId: 'install-1' });
    for await (const _ of records(0));
  }
}

/** A signer with the real journal, port, mirror and lease. Its signature is the number of its line. */
async function start(name: 'a' | 'b'): Promise<Running> {
  const other = name === 'a' ? 'b' : 'a';
  const folder = folderOf(name);
  const member = runMember({
    name,
    folder,
    peers: [
      {
        name: other,
        isWitness: false,
        dial: () => dialSigner({ host: '127.0.0.1', port: ports[other], files: certs(name) }),
      },
    ],
    leases: createSignerLeases(db.query),
    prove: proveBooks,
    knowsJournal: async () => false,
    steadyMs: () => performance.now(),
    now: Date.now,
    pause,
    log,
    open: async (openFile) => {
      const files = await openFileJournal({
        folder,
        box,
        installId: 'install-1',
        database: { systemIdentifier: '7', timeline: 1 },
        now: Date.now,
        mayBegin: true,
        openFile,
      });
      journal = files.journal;
      let n = 0;
      const vault = {
        certificateKey: async () => 'key',
        sign: async () => {
          n += 1;
          const { seq } = await files.journal.append(signedEntry(n));
          return new Uint8Array([seq]);
        },
      };
      return { vault: vault as unknown as Vault, stop: files.close };
    },
  });
  const server = await serveTls(member.vault, {
    host: '127.0.0.1',
    port: ports[name],
    files: certs(name),
    log,
    peer: member.accept,
  });
  let isStopped = false;
  let isCut = false;
  const cut = async (): Promise<void> => {
    if (!isCut) await server.stop();
    isCut = true;
  };
  const one: Running = {
    member,
    place: { host: '127.0.0.1', port: server.port },
    folder,
    cut,
    stop: async () => {
      if (isStopped) return;
      isStopped = true;
      await cut();
      await member.stop();
    },
  };
  running.push(one);
  return one;
}

const signs = ({ member }: Running) => member.vault() !== null;
const level = async () => (await createSignerLeases(db.query).read())?.level;
const sign = ({ member }: Running) => (member.vault() as Vault).sign({} as never);
const contents = async (folder: string) =>
  (await filesIn(folder)).filter(({ file }) => file.startsWith('journal'));

/** Both, the first of them signing and the second with every line. */
async function startPair(): Promise<{ readonly a: Running; readonly b: Running }> {
  await newPair();
  const a = await start('a');
  await expect.poll(() => signs(a), { timeout: LONG }).toBe(true);
  const b = await start('b');
  await expect.poll(level, { timeout: LONG }).toEqual(['b']);
  return { a, b };
}

describe.skipIf(!hasOpenssl)('two signers with one journal', () => {
  it('keep each line on both disks before a signature leaves, and hand over when one stops', async () => {
    const { a, b } = await startPair();
    expect(signs(b)).toBe(false);
    expect(await b.member.settled).toBe('standby');
    for (let n = 0; n < 40; n += 1) await sign(a);
    expect(await contents(b.folder)).toEqual(await contents(a.folder));
    const { seq } = journal?.head() ?? { seq: 0 };
    await a.stop();
    await expect.poll(() => signs(b), { timeout: LONG }).toBe(true);
    // The line that opens the file again, and the new signature.
    expect(await sign(b)).toEqual(new Uint8Array([seq + 2]));
    const again = await start('a');
    await expect.poll(level, { timeout: LONG }).toEqual(['a']);
    expect(signs(again)).toBe(false);
    expect(await contents(again.folder)).toEqual(await contents(b.folder));
  }, 60_000);

  it('go on alone when the standby is gone, and it takes nothing until it has every line or the operator says so', async () => {
    const { a, b } = await startPair();
    await sign(a);
    await b.cut();
    await sign(a);
    expect(await level()).toEqual([]);
    const behind = await contents(b.folder);
    await a.stop();
    await pause(3_000);
    expect(signs(b)).toBe(false);
    expect(await contents(b.folder)).toEqual(behind);
    await createSignerLeases(db.query).giveTo('b');
    await expect.poll(() => signs(b), { timeout: LONG }).toBe(true);
  }, 60_000);

  it('let no signature leave once another one holds the lease, whatever the rows say', async () => {
    const { a } = await startPair();
    await sign(a);
    await db.query(
      "UPDATE signer_lease SET holder = 'c', epoch = epoch + 1, until = now() + interval '5 seconds'",
      [],
    );
    const at = performance.now();
    const answers = await Promise.allSettled(
      Array.from({ length: 60 }, async (_, n) => {
        await pause(n * 100);
        if (!signs(a)) throw new Error('it is no holder');
        await sign(a);
        return performance.now() - at;
      }),
    );
    const late = answers.flatMap((one) =>
      one.status === 'fulfilled' && one.value > 4_500 ? [one.value] : [],
    );
    expect(late).toEqual([]);
    expect(signs(a)).toBe(false);
  }, 60_000);

  it.each([
    ['and the standby hears that its holder signs', false],
    ['and the standby does not reach its holder', true],
  ])(
    'do not sign side by side when a writer of the database ends the lease %s',
    async (_, isCut) => {
      const { a, b } = await startPair();
      await sign(a);
      if (isCut) await a.cut();
      let writes = 0;
      const writer = (async () => {
        while (!signs(b) && writes < 500) {
          writes += 1;
          await db.query("UPDATE signer_lease SET until = now() WHERE holder = 'a'", []);
          await pause(10);
        }
      })();
      let both = 0;
      for (let n = 0; n < 300; n += 1) {
        const answers = await Promise.allSettled(
          [b, a].map((signer) => (signs(signer) ? sign(signer) : Promise.reject(new Error('no holder')))),
        );
        if (answers.every(({ status }) => status === 'fulfilled')) both += 1;
        await pause(10);
      }
      await writer;
      expect(both).toBe(0);
      await expect.poll(() => [signs(a), signs(b)], { timeout: LONG }).toEqual([!isCut, isCut]);
    },
    60_000,
  );

  it('take nothing over where the folders are of two journals', async () => {
    const { a, b } = await startPair();
    await sign(a);
    await a.stop();
    await expect.poll(() => signs(b), { timeout: LONG }).toBe(true);
    await sign(b);
    await b.stop();
    // A's folder gets lines of its own, as after a take-over by force.
    const forked = folderOf('a');
    const files = await openFileJournal({
      folder: forked,
      box,
      installId: 'install-1',
      database: null,
      now: Date.now,
      mayBegin: false,
    });
    await files.journal.append(signedEntry(1));
    await files.close();
    await start('b');
    await expect.poll(() => running.some(signs), { timeout: LONG }).toBe(true);
    await start('a');
    await expect.poll(() => said, { timeout: LONG }).toContain('a standby of the signer is behind');
    await pause(2_000);
    expect(await level()).toEqual([]);
  }, 60_000);

  it('bring a new folder to the lines so far, while more are written', async () => {
    await newPair();
    const a = await start('a');
    await expect.poll(() => signs(a), { timeout: LONG }).toBe(true);
    let isOver = false;
    const writing = (async () => {
      while (!isOver) await Promise.all(Array.from({ length: 20 }, () => sign(a)));
    })();
    const b = await start('b');
    await expect.poll(level, { timeout: LONG }).toEqual(['b']);
    isOver = true;
    await writing;
    expect(await contents(b.folder)).toEqual(await contents(a.folder));
  }, 60_000);
});

describe.skipIf(!hasOpenssl)('a port of the signer', () => {
  const ask = async (a: Running, files: TlsFiles) => {
    const client = createSocketVault({ places: [{ ...a.place, files }], timeoutMs: 2_000 });
    try {
      return await Promise.allSettled([client.vault.sign({} as never), client.vault.certificateKey()]);
    } finally {
      client.close();
    }
  };
  const code = (one: PromiseSettledResult<unknown> | undefined) =>
    one?.status === 'rejected' ? (one.reason as { code?: string }).code : 'answered';

  it('answers the calls of the certificate’s roles alone', async () => {
    await newPair();
    const a = await start('a');
    await expect.poll(() => signs(a), { timeout: LONG }).toBe(true);
    expect((await ask(a, certs('api'))).map(code)).toEqual(['POLICY_DENIED', 'answered']);
  }, 60_000);

  it.each([
    ['of another authority', () => certs('worker', 'foreign')],
    [
      'of the right authority, and believes another one',
      () => ({ ...certs('worker'), ca: certs('a', 'foreign').ca }),
    ],
  ])(
    'answers no certificate %s',
    async (_, files) => {
      await newPair();
      const a = await start('a');
      await expect.poll(() => signs(a), { timeout: LONG }).toBe(true);
      expect((await ask(a, files())).map(code)).toEqual(['SIGNER_UNAVAILABLE', 'SIGNER_UNAVAILABLE']);
    },
    60_000,
  );

  it('cuts plain bytes, and goes on', async () => {
    await newPair();
    const a = await start('a');
    await expect.poll(() => signs(a), { timeout: LONG }).toBe(true);
    const plain = connectPlain(a.place.port, a.place.host);
    plain.on('error', () => undefined);
    const ended = new Promise<void>((resolve) => plain.once('close', () => resolve()));
    plain.write('GET / HTTP/1.1\r\n\r\n');
    await ended;
    expect((await ask(a, certs('worker'))).map(code).at(1)).toBe('answered');
  }, 60_000);

  it('is asked at the one that signs, whichever is named first', async () => {
    const { a, b } = await startPair();
    const files = certs('api');
    const client = createSocketVault({
      places: [
        { ...b.place, files },
        { ...a.place, files },
      ],
    });
    expect(await client.vault.certificateKey()).toBe('key');
    await a.stop();
    await expect.poll(() => signs(b), { timeout: LONG }).toBe(true);
    expect(await client.vault.certificateKey()).toBe('key');
    client.close();
  }, 60_000);

  it('believes no certificate of a caller or of another host as a signer’s', async () => {
    await newPair();
    const server = (name: string) =>
      serveTls(() => null, { host: '127.0.0.1', port: 0, files: certs(name), log, peer: () => undefined });
    for (const name of ['worker', 'elsewhere']) {
      const impostor = await server(name);
      const client = createSocketVault({
        places: [{ host: '127.0.0.1', port: impostor.port, files: certs('api') }],
      });
      await expect(client.vault.certificateKey()).rejects.toMatchObject({ code: 'SIGNER_UNAVAILABLE' });
      client.close();
      await impostor.stop();
    }
  }, 60_000);
});
