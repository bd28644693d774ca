import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesIn } from '../../src/platform/journal/mirror/folder-files.ts';
import { dialSigner } from '../../src/platform/signer/dial.ts';
import { freePort } from '../support/free-port.ts';
import { hasOpenssl, makeCerts } from '../support/signer-certs.ts';
import { LONG, openSignerDesk, type SignerDesk } from './signer-desk.ts';

let desk: SignerDesk;
let healthPort: number;

const folderOf = (name: string) => join(desk.folder, `journal-${name}`);

const startSigner = (env: Record<string, string> = {}): Promise<void> =>
  desk.startMain('a', {
    ROLES: 'signer',
    KEK_FILE: desk.kekFile,
    JOURNAL_DIR: folderOf('a'),
    SIGNER_LISTEN: desk.placeOf('a'),
    SIGNER_WITNESSES: desk.placeOf('w'),
    ...env,
  });

const startWitness = (): Promise<void> =>
  desk.startMain('w', {
    ROLES: 'witness',
    JOURNAL_DIR: folderOf('w'),
    SIGNER_LISTEN: desk.placeOf('w'),
    HEALTH_PORT: String(healthPort),
  });

const isLevel = async () => (await desk.lease())?.witnesses.includes('w');
const becomesLevel = () => expect.poll(isLevel, { timeout: LONG }).toBe(true);
const place = (name: string) => ({ host: '127.0.0.1', port: desk.ports.get(name) ?? 0 });

/** Every file that the signer has, with its size, and in the witness' folder. */
async function sameFiles(): Promise<void> {
  await expect
    .poll(async () => JSON.stringify(await filesIn(folderOf('w'))), { timeout: LONG })
    .toBe(JSON.stringify(await filesIn(folderOf('a'))));
}

/** The folder of the signer is gone, as with its disk. */
async function lose(name: string): Promise<void> {
  await rename(folderOf(name), `${folderOf(name)}-lost-${Date.now()}`);
}

const attempts = async () =>
  (await desk.watcher.query<{ n: number }>('SELECT count(*)::int AS n FROM attempts')).rows[0]?.n ?? 0;

/** Resolves when a signature of this purchase has left the signer. */
async function buy(person: Awaited<ReturnType<SignerDesk['trader']>>): Promise<void> {
  const before = await attempts();
  await desk.askToBuy(person, 0);
  await person.tap('Confirm buy');
  await expect.poll(attempts, { timeout: LONG, interval: 20 }).toBeGreaterThan(before);
}

beforeAll(async () => {
  if (!hasOpenssl) return;
  desk = await openSignerDesk('witness', {
    ports: ['a', 'w'],
    roles: { a: 'signer', w: 'witness', worker: 'worker', bot: 'bot' },
  });
  healthPort = await freePort();
  await startWitness();
  await startSigner();
  await Promise.all(['worker', 'bot'].map((role) => desk.startRole(role, ['a'])));
}, 180_000);
afterAll(() => desk?.stop());

describe.skipIf(!hasOpenssl)('one signer with a witness, of real processes', () => {
  it('has each line and each key twice, and gets a lost journal back', async () => {
    await becomesLevel();
    const person = await desk.trader(9_200);
    await buy(person);
    expect(await fetch(`http://127.0.0.1:${healthPort}/readyz`).then(({ status }) => status)).toBe(200);
    const keys = (await filesIn(folderOf('w'))).filter(({ file }) => file.startsWith('keybook'));
    expect(await readFile(join(folderOf('w'), keys[0]?.file ?? ''), 'utf8')).toContain('"kind":"key"');

    await desk.killed('a');
    const before = await filesIn(folderOf('w'));
    await lose('a');
    await startSigner();
    expect(desk.said.get('a')).toContain('Signer ready');
    const after = await filesIn(folderOf('a'));
    for (const { file, size } of before) {
      const found = after.find((one) => one.file === file);
      expect(found?.size ?? 0).toBeGreaterThanOrEqual(size ?? 0);
    }
    await becomesLevel();
    await sameFiles();
    await buy(person);
    expect(await desk.fences()).toBe(0);
  }, 300_000);

  it('goes on alone when the witness is killed or silent, and says so first', async () => {
    await becomesLevel();
    const person = await desk.trader(9_201);
    await desk.killed('w');
    await buy(person);
    // The database knew it before the signature left.
    expect(await desk.lease()).toMatchObject({ witnesses: [], behind: [expect.stringMatching(/^(w|tls:)/)] });
    await startWitness();
    await becomesLevel();
    await sameFiles();

    desk.signal('w', 'SIGSTOP');
    const at = performance.now();
    await buy(person);
    expect(await isLevel()).toBe(false);
    expect((await desk.lease())?.behind).toEqual(['w']);
    expect(performance.now() - at).toBeLessThan(LONG);
    desk.signal('w', 'SIGCONT');
    await becomesLevel();
    await sameFiles();
  }, 300_000);

  it('does not begin anew from a copy that was named behind, until the operator says so', async () => {
    await becomesLevel();
    const person = await desk.trader(9_202);
    await desk.killed('w');
    await buy(person);
    await desk.killed('a');
    await lose('a');
    await startWitness();
    const starting = startSigner().then(
      () => 'ready',
      () => 'ended',
    );
    await expect
      .poll(() => desk.said.get('a') ?? '', { timeout: LONG })
      .toContain('the copy that has more of them was named behind');
    expect(await Promise.race([starting, pause(3_000).then(() => 'waits')])).toBe('waits');
    expect((await filesIn(folderOf('a'))).length).toBe(0);
    await desk.killed('a');
    await starting;
  }, 300_000);

  it('believes no forged line of the witness, and no certificate of another authority or role', async () => {
    // The database's word of the copies is put right: the case before left it behind.
    await desk.watcher.query("UPDATE signer_lease SET witnesses = '{w}', behind = '{}'");
    await desk.killed('w');
    const files = await filesIn(folderOf('w'));
    const newest = files.filter(({ file }) => file.startsWith('journal')).at(-1)?.file ?? '';
    const kept = await readFile(join(folderOf('w'), newest), 'utf8');
    const forged = kept.trimEnd().split('\n');
    const last = forged.at(-1) ?? '';
    await writeFile(
      join(folderOf('w'), newest),
      `${kept}${last.replace(/"seq":(\d+)/, (_, n) => `"seq":${Number(n) + 1}`)}\n`,
    );
    await mkdir(folderOf('a'), { recursive: true, mode: 0o700 });
    await startWitness();
    const starting = startSigner({ LOG_LEVEL: 'warn' }).catch(() => undefined);
    await expect
      .poll(() => desk.said.get('a') ?? '', { timeout: LONG })
      .toMatch(/JOURNAL_BROKEN.*cannot be compared/);
    expect(await filesIn(folderOf('a'))).toEqual([]);
    await desk.killed('a');
    await starting;

    const foreign = await makeCerts(join(desk.folder, 'foreign'), 'a', '127.0.0.1', 'signer');
    const ca = desk.filesOf('a').ca;
    const ends = async (files: typeof foreign): Promise<string> => {
      const socket = await dialSigner({ ...place('w'), files }, 'witness').catch(() => null);
      if (socket === null) return 'refused';
      return Promise.race([
        new Promise<string>((resolve) => {
          socket.once('close', () => resolve('refused'));
          socket.on('data', () => resolve('answered'));
        }),
        pause(3_000).then(() => 'open'),
      ]).finally(() => socket.destroy());
    };
    expect(await ends({ ...foreign, ca })).toBe('refused');
    expect(await ends(desk.filesOf('worker'))).toBe('refused');
    expect(await ends(desk.filesOf('w'))).toBe('refused');
    expect(await ends(desk.filesOf('a'))).toBe('open');
    // A caller takes no witness for a signer.
    await expect(dialSigner({ ...place('w'), files: desk.filesOf('bot') })).rejects.toMatchObject({
      code: 'SIGNER_UNAVAILABLE',
    });
  }, 300_000);
});
