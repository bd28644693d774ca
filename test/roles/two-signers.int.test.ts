import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesOf, filesIn } from '../../src/platform/journal/mirror/folder-files.ts';
import { hasOpenssl } from '../support/signer-certs.ts';
import { LONG, openSignerDesk, type SignerDesk } from './signer-desk.ts';

const PEOPLE = 4;
/**
 * What befalls the signer that signs, a round each: its end, or a time in which it does not run. That is so many milliseconds, or until the
 * other one signs: a process that hangs refuses no connection. The lease is 5,000.
 */
const HARMS = ['kill', 7_000, 'kill', 2_500, 'hang'] as const;
/** SIGNER_STORM=10 for the full size. */
const TIMES = Number(process.env['SIGNER_STORM'] ?? 1);

let desk: SignerDesk;

const startSigner = (name: string): Promise<void> =>
  desk.startMain(name, {
    ROLES: 'signer',
    KEK_FILE: desk.kekFile,
    JOURNAL_DIR: join(desk.folder, `journal-${name}`),
    SIGNER_LISTEN: desk.placeOf(name),
    SIGNER_PEERS: desk.placeOf(name === 'a' ? 'b' : 'a'),
  });

/** The journal's lines of a signer's folder, the older ones first. */
async function linesOf(name: string): Promise<readonly string[]> {
  const folder = join(desk.folder, `journal-${name}`);
  const files = (await filesIn(folder)).filter(({ file }) => file.startsWith('journal'));
  const texts = await Promise.all(
    files.map(async ({ file }) => (await bytesOf(folder, file)).toString('utf8')),
  );
  return texts.flatMap((text) => text.trimEnd().split('\n'));
}

const isTaken = (holder: string): Promise<void> =>
  expect.poll(async () => (await desk.lease())?.holder, { timeout: LONG }).not.toBe(holder);

async function harm(holder: string, how: (typeof HARMS)[number]): Promise<void> {
  if (how === 'kill') {
    await desk.killed(holder);
    return isTaken(holder);
  }
  desk.signal(holder, 'SIGSTOP');
  await (how === 'hang' ? isTaken(holder) : pause(how)).finally(() => desk.signal(holder, 'SIGCONT'));
}

beforeAll(async () => {
  if (!hasOpenssl) return;
  desk = await openSignerDesk('two-signers', {
    ports: ['a', 'b'],
    roles: { a: 'signer', b: 'signer', worker: 'worker', bot: 'bot' },
  });
  await startSigner('a');
  await startSigner('b');
  // The standby first: it sends its callers on.
  await Promise.all(['worker', 'bot'].map((role) => desk.startRole(role, ['b', 'a'])));
}, 180_000);
afterAll(() => desk?.stop());

describe.skipIf(!hasOpenssl)('two signers of real processes', () => {
  it(
    'go on from one to the other when the one that signs is killed or held up, and never sign side by side',
    async () => {
      const people = await Promise.all(Array.from({ length: PEOPLE }, (_, n) => desk.trader(9_100 + n)));
      for (const [round, how] of Array.from({ length: TIMES }, () => HARMS)
        .flat()
        .entries()) {
        // A signer that came back has every line before the next one is harmed.
        await expect.poll(async () => (await desk.lease())?.level.length, { timeout: LONG }).toBe(1);
        const holder = (await desk.lease())?.holder ?? 'a';
        for (const [n, person] of people.entries()) await desk.askToBuy(person, n);
        const taps = people.map((person) => person.tap('Confirm buy'));
        await pause(40 * (round % 7));
        await harm(holder, how);
        await Promise.all(taps);
        for (const person of people)
          await person.waitFor(/Bought|did not|could not|cannot open its key store/i, { timeoutMs: LONG });
        if (how !== 'kill') continue;
        await startSigner(holder);
        expect(desk.said.get(holder)).toContain('standby');
      }
      await expect.poll(desk.openPurchases, { timeout: LONG }).toBe(0);
      const rows = await desk.purchases();
      for (const { status, landed } of rows) expect(landed).toBe(status === 'SUCCEEDED' ? 1 : 0);
      expect(rows.reduce((sum, { n }) => sum + n, 0)).toBeGreaterThan(0);
      expect(await desk.fences()).toBe(0);

      // One chain of lines on both disks, and each signature that left a signer is in it: two that sign side by side make two chains.
      await expect.poll(async () => (await desk.lease())?.level.length, { timeout: LONG }).toBe(1);
      await expect
        .poll(async () => (await linesOf('a')).join('\n') === (await linesOf('b')).join('\n'), {
          timeout: LONG,
        })
        .toBe(true);
      // Other lines name signatures that were only seen in a row.
      const signed = (await linesOf('a')).filter((line) => line.includes('"kind":"signed"')).join('\n');
      const { rows: left } = await desk.watcher.query<{ signature: string }>(
        'SELECT signature FROM attempts',
      );
      expect(left.length).toBeGreaterThan(0);
      expect(left.filter(({ signature }) => !signed.includes(signature))).toEqual([]);
      expect(Number((await desk.lease())?.epoch)).toBeGreaterThan(
        HARMS.filter((how) => how === 'kill').length * TIMES,
      );
    },
    600_000 * TIMES,
  );
});
