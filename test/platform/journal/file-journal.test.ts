import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/core/errors/app-error.ts';
import { openBox, sealBox } from '../../../src/platform/gcm-box.ts';
import type { KeyBox } from '../../../src/platform/journal/chain-file.ts';
import {
  type FileJournal,
  type FileJournalOptions,
  openFileJournal,
} from '../../../src/platform/journal/file-journal.ts';
import { type OpenLogFile, openLogFile } from '../../../src/platform/journal/log-file.ts';
import { mirroredFiles } from '../../../src/platform/journal/mirror/mirrored-files.ts';
import type { Journal } from '../../../src/platform/ports/journal.ts';
import { describeJournal, signedEntry } from '../../conformance/journal.ts';

const DAY_MS = 86_400_000;
const keks = new Map<string, Buffer>();
function box(kekId = 'kek-1', known: readonly string[] = [kekId]): KeyBox {
  const kekOf = (id: string): Buffer => {
    if (!keks.has(id)) keks.set(id, randomBytes(32));
    return keks.get(id) ?? Buffer.alloc(0);
  };
  return {
    kekId,
    wrap: async (key, bound) => sealBox(kekOf(kekId), key, bound),
    unwrap: async (id, sealed, bound) => {
      if (!known.includes(id)) throw new AppError('SECRET_UNREADABLE', { walletId: 'journal' });
      return openBox(kekOf(id), sealed, bound);
    },
  };
}

const open: FileJournal[] = [];
const folders: string[] = [];
function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'journal-'));
  folders.push(made);
  return join(made, 'journal');
}
async function opened(place: string, given: Partial<FileJournalOptions> = {}): Promise<FileJournal> {
  const found = await openFileJournal({
    folder: place,
    box: box(),
    installId: 'install-1',
    database: { systemIdentifier: '7', timeline: 1 },
    now: Date.now,
    mayBegin: true,
    ...given,
  });
  open.push(found);
  return found;
}
/** The segments of a book, packed or not; neither a torn end nor a draft that is being packed beside them. */
const segments = (place: string, book = 'journal'): string[] =>
  readdirSync(place)
    .filter((name) => name.startsWith(`${book}-`) && !name.endsWith('.torn') && !name.endsWith('.part'))
    .toSorted();
const newest = (place: string): string => join(place, segments(place).at(-1) ?? '');
async function read(journal: Pick<Journal, 'records'>, since = 0) {
  const records = [];
  for await (const record of journal.records(since)) records.push(record);
  return records;
}

afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
  for (const one of folders.splice(0)) rmSync(one, { recursive: true });
});

/** A disk whose flushes fail on request; earlier bytes stay in the file, as with a real one. */
function failing(at: 'write' | 'flush', code: string): { openFile: OpenLogFile; fails: boolean } {
  const disk = {
    fails: false,
    openFile: ((path) => {
      const file = openLogFile(path);
      const failure = (): Error => Object.assign(new Error(code), { code });
      return {
        ...file,
        write: (bytes) => {
          if (disk.fails && at === 'write') {
            file.write(bytes.subarray(0, bytes.length / 2));
            throw failure();
          }
          file.write(bytes);
        },
        flush: async () => {
          if (disk.fails && at === 'flush') throw failure();
          await file.flush();
        },
      };
    }) satisfies OpenLogFile,
  };
  return disk;
}

for (const [at, code] of [
  ['write', 'ENOSPC'],
  ['flush', 'EIO'],
] as const) {
  describeJournal(`the journal on disk (${code} at ${at})`, async () => {
    const place = folder();
    const disk = failing(at, code);
    let current = await opened(place, disk);
    return {
      journal: current.journal,
      restart: async () => {
        // Killed: its lock is left behind, and nothing of it runs on.
        await current.close();
        current = await opened(place, disk);
        return current.journal;
      },
      fill: (isFull) => {
        disk.fails = isFull;
      },
      close: async () => undefined,
    };
  });
}

describe('the journal on disk', () => {
  it('flushes once for all lines that wait', async () => {
    let flushes = 0;
    const { journal } = await opened(folder(), {
      openFile: (path) => {
        const file = openLogFile(path);
        return {
          ...file,
          flush: async () => {
            flushes += 1;
            await file.flush();
          },
        };
      },
    });
    const before = flushes;
    await Promise.all(Array.from({ length: 200 }, (_one, n) => journal.append(signedEntry(n))));
    expect(flushes - before).toBeLessThanOrEqual(3);
  });

  it('resolves nothing before the flush that covers it', async () => {
    let release: () => void = () => undefined;
    let holds = false;
    const { journal } = await opened(folder(), {
      openFile: (path) => {
        const file = openLogFile(path);
        return {
          ...file,
          flush: async () => {
            if (holds)
              await new Promise<void>((resolve) => {
                release = resolve;
              });
            await file.flush();
          },
        };
      },
    });
    holds = true;
    let isDone = false;
    const appended = journal.append(signedEntry(1)).then(() => {
      isDone = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isDone).toBe(false);
    holds = false;
    release();
    await appended;
  });

  it('cuts a torn end away, puts it aside and goes on', async () => {
    for (const tail of ['{"v":1,"seq":9', `${'\0'.repeat(40)}\n{"v":1}\n`]) {
      const place = folder();
      const first = await opened(place);
      await first.journal.append(signedEntry(1));
      const { seq } = first.journal.head();
      await first.close();
      open.splice(0);
      appendFileSync(newest(place), tail);
      const trouble: string[] = [];
      const { journal } = await opened(place, { onTrouble: (what) => void trouble.push(what) });
      expect(trouble).toHaveLength(1);
      expect(readFileSync(`${newest(place)}.torn`, 'utf8')).toBe(tail);
      expect((await journal.append(signedEntry(2))).seq).toBe(seq + 2);
      await read(journal);
    }
  });

  it('goes on after a cut at any byte of its last line, and never takes half a line for one', async () => {
    const place = folder();
    const first = await opened(place);
    await first.journal.append(signedEntry(1));
    const before = statSync(newest(place)).size;
    await first.journal.append(signedEntry(2));
    const { size } = statSync(newest(place));
    await first.close();
    open.splice(0);
    for (let cut = before + 1; cut < size; cut += 17) {
      const copy = folder();
      cpSync(place, copy, { recursive: true });
      truncateSync(newest(copy), cut);
      const { journal } = await opened(copy);
      const signed = (await read(journal)).map(({ entry }) => entry).filter(({ kind }) => kind === 'signed');
      expect(signed).toEqual([signedEntry(1)]);
    }
  });

  it('refuses a flipped bit in any whole line', async () => {
    const place = folder();
    const first = await opened(place);
    for (let n = 0; n < 3; n += 1) await first.journal.append(signedEntry(n));
    await first.close();
    open.splice(0);
    const bytes = readFileSync(newest(place));
    for (let at = 0; at < bytes.length - 1; at += 37) {
      if (bytes[at] === 10) continue;
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      writeFileSync(newest(place), changed);
      // The first line carries the key: its fault may be said by the key instead.
      await expect(opened(place)).rejects.toSatisfy(
        (error) => error instanceof Error && !/TAKEN|MISSING/.test(error.message),
      );
    }
  });

  it('refuses a line taken out, put in twice, or moved', async () => {
    const place = folder();
    const first = await opened(place);
    for (let n = 0; n < 4; n += 1) await first.journal.append(signedEntry(n));
    await first.close();
    open.splice(0);
    const lines = readFileSync(newest(place), 'utf8').trimEnd().split('\n');
    const [a = '', b = '', c = '', d = '', ...rest] = lines;
    for (const forged of [
      [a, b, d, ...rest],
      [a, b, c, c, d, ...rest],
      [a, b, d, c, ...rest],
    ]) {
      writeFileSync(newest(place), `${forged.join('\n')}\n`);
      await expect(opened(place)).rejects.toMatchObject({ code: 'JOURNAL_BROKEN' });
    }
  });

  it('refuses a journal of another installation, and one that no key of the ring opens', async () => {
    const place = folder();
    await (await opened(place)).close();
    open.splice(0);
    await expect(opened(place, { installId: 'install-2' })).rejects.toMatchObject({ code: 'JOURNAL_BROKEN' });
    await expect(opened(place, { box: box('kek-9') })).rejects.toMatchObject({ code: 'SECRET_UNREADABLE' });
  });

  it('begins nothing in an empty folder unless it may', async () => {
    const place = folder();
    await expect(opened(place, { mayBegin: false })).rejects.toMatchObject({
      code: 'JOURNAL_MISSING',
      details: { folder: place },
    });
    await opened(place);
  });

  it('has one writer, and the next one when that is gone', async () => {
    const place = folder();
    const first = await opened(place);
    const alone: string[] = [];
    const whenAlone = async (): Promise<void> => void alone.push(place);
    await expect(opened(place, { whenAlone })).rejects.toMatchObject({ code: 'JOURNAL_TAKEN' });
    expect(alone).toEqual([]);
    await first.close();
    await opened(place, { whenAlone });
    expect(alone).toEqual([place]);
  });

  it('takes over from a process that died without a word', async () => {
    const place = folder();
    await (await opened(place)).close();
    open.splice(0);
    // No process has this number: it is above the highest that Linux gives.
    writeFileSync(join(place, 'lock'), JSON.stringify({ pid: 2 ** 22 + 1, host: hostname(), token: 'gone' }));
    await (await opened(place)).close();
    open.splice(0);
    // Of another machine: its silence is waited for.
    writeFileSync(join(place, 'lock'), JSON.stringify({ pid: 1, host: 'elsewhere', token: 'gone' }));
    await opened(place);
    expect(readdirSync(place).filter((name) => name.startsWith('lock'))).toEqual(['lock']);
  });

  it('does not take over from a process elsewhere that shows that it lives', async () => {
    const place = folder();
    await (await opened(place)).close();
    open.splice(0);
    const lock = join(place, 'lock');
    writeFileSync(lock, JSON.stringify({ pid: 1, host: 'elsewhere', token: 'alive' }));
    let at = 1_000;
    const beat = setInterval(() => {
      at += 1;
      utimesSync(lock, at, at);
    }, 50);
    await expect(opened(place)).rejects.toMatchObject({ code: 'JOURNAL_TAKEN' });
    clearInterval(beat);
    rmSync(lock);
  });

  it('signs nothing more when somebody else has written the same file', async () => {
    const place = folder();
    const { journal } = await opened(place);
    await journal.append(signedEntry(1));
    appendFileSync(newest(place), 'x');
    await expect(journal.append(signedEntry(2))).rejects.toMatchObject({ code: 'JOURNAL_TAKEN' });
    truncateSync(newest(place), statSync(newest(place)).size - 1);
    await expect(journal.append(signedEntry(3))).rejects.toMatchObject({ code: 'JOURNAL_TAKEN' });
  });

  it('gives nothing away when somebody else writes while a line is flushed', async () => {
    const place = folder();
    let isBeside = false;
    const { journal } = await opened(place, {
      openFile: (path) => {
        const file = openLogFile(path);
        return {
          ...file,
          flush: async () => {
            await file.flush();
            if (isBeside) appendFileSync(path, 'x');
          },
        };
      },
    });
    await journal.append(signedEntry(1));
    isBeside = true;
    await expect(journal.append(signedEntry(2))).rejects.toMatchObject({ code: 'JOURNAL_TAKEN' });
    isBeside = false;
    await expect(journal.append(signedEntry(3))).rejects.toMatchObject({ code: 'JOURNAL_TAKEN' });
  });

  it('calls a packed segment broken that cannot be unpacked', async () => {
    const place = folder();
    const { journal } = await opened(place, { segmentBytes: 2_000 });
    for (let n = 0; n < 12; n += 1) await journal.append(signedEntry(n));
    // The segment itself goes a moment after its packed form came, and is read while it is there.
    const packed = (): string[] =>
      segments(place).filter(
        (name) => name.endsWith('.gz') && !segments(place).includes(name.replace('.gz', '')),
      );
    await expect.poll(() => packed().length, { timeout: 10_000 }).toBeGreaterThan(0);
    const [oldest = ''] = packed();
    const path = join(place, oldest);
    truncateSync(path, statSync(path).size - 9);
    await expect(read(journal)).rejects.toMatchObject({ code: 'JOURNAL_BROKEN', details: { file: path } });
  });

  it('begins a segment each day and when one is full, packs the one before, and reads over all of them', async () => {
    const place = folder();
    let at = Date.UTC(2026, 10, 26, 12);
    const { journal } = await opened(place, { now: () => at, segmentBytes: 4_000 });
    for (let n = 0; n < 30; n += 1) await journal.append(signedEntry(n));
    const count = (): number => new Set(segments(place).map((name) => name.replace('.gz', ''))).size;
    const full = count();
    expect(full).toBeGreaterThan(2);
    at += DAY_MS;
    await journal.append(signedEntry(30));
    await expect
      .poll(() => segments(place).filter((name) => !name.endsWith('.gz')), { timeout: 10_000 })
      .toHaveLength(1);
    expect(count()).toBe(full + 1);
    const signed = (await read(journal)).map(({ entry }) => entry).filter(({ kind }) => kind === 'signed');
    expect(signed).toEqual(Array.from({ length: 31 }, (_one, n) => signedEntry(n)));
    const late = (await read(journal, at)).map(({ entry }) => entry).filter(({ kind }) => kind === 'signed');
    expect(late).toEqual([signedEntry(30)]);
  });

  it('drops segments after 400 days, and the keybook never', async () => {
    const place = folder();
    let at = Date.UTC(2026, 0, 1);
    const { journal, keybook } = await opened(place, { now: () => at });
    await keybook.append({ kind: 'owned', walletId: 'w', telegramId: '1' });
    await journal.append(signedEntry(1));
    at += 2 * DAY_MS;
    await journal.append(signedEntry(2));
    at += 401 * DAY_MS;
    await journal.append(signedEntry(3));
    await expect.poll(() => segments(place), { timeout: 10_000 }).toHaveLength(2);
    await keybook.append({ kind: 'owned', walletId: 'v', telegramId: '1' });
    const owned = (await read(keybook)).map(({ entry }) => entry).filter(({ kind }) => kind === 'owned');
    expect(owned).toHaveLength(2);
  });

  it('begins a segment under a new key-encryption key, after which the former one opens nothing more', async () => {
    const place = folder();
    const first = await opened(place);
    const { seq } = await first.journal.append(signedEntry(1));
    await first.close();
    const second = await opened(place, { box: box('kek-2', ['kek-1', 'kek-2']) });
    await second.journal.append(signedEntry(2));
    await second.close();
    open.splice(0);
    const { journal, keybook } = await opened(place, { box: box('kek-2') });
    expect(segments(place).length).toBe(2);
    expect(await journal.hashAt(seq)).not.toBeNull();
    await read(journal);
    await read(keybook);
  });

  it('forgets a segment whose first line was never flushed', async () => {
    const place = folder();
    const first = await opened(place);
    const { seq } = await first.journal.append(signedEntry(1));
    await first.close();
    open.splice(0);
    writeFileSync(
      join(place, `journal-${String(seq + 1).padStart(12, '0')}-9999999999999.log`),
      '{"v":1,"se',
    );
    const { journal } = await opened(place);
    expect((await journal.append(signedEntry(2))).seq).toBe(seq + 2);
  });

  it('is readable by its own account alone, and refuses a folder that others may write', async () => {
    const place = folder();
    await opened(place);
    expect(statSync(newest(place)).mode & 0o077).toBe(0);
    const { chmodSync, mkdirSync } = await import('node:fs');
    const shared = folder();
    mkdirSync(shared);
    chmodSync(shared, 0o777);
    await expect(opened(shared)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    expect(existsSync(join(shared, 'lock'))).toBe(false);
  });

  it('cuts back lines whose copy another signer refused, for they would make a second chain', async () => {
    const place = folder();
    let isRefused = false;
    const openFile = mirroredFiles(async () => {
      if (isRefused) throw new AppError('JOURNAL_TAKEN', { cause: 'another signer holds the lease' });
    });
    const { journal } = await opened(place, { openFile });
    await journal.append(signedEntry(1));
    const [segment = ''] = segments(place);
    const size = statSync(join(place, segment)).size;
    isRefused = true;
    await expect(journal.append(signedEntry(2))).rejects.toMatchObject({ code: 'JOURNAL_TAKEN' });
    expect(statSync(join(place, segment)).size).toBe(size);
    isRefused = false;
    // Its lease is over for good: nothing is written any more.
    await expect(journal.append(signedEntry(3))).rejects.toMatchObject({ code: 'JOURNAL_TAKEN' });
    expect(statSync(join(place, segment)).size).toBe(size);
  });
});
