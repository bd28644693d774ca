import { writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeStartFailure } from '../../src/compose/start-failure.ts';
import { hasCode } from '../../src/core/errors/app-error.ts';
import { fileProblem } from '../../src/core/errors/file-problem.ts';
import { prepareStateFolder } from '../../src/local/state-folder.ts';

let base = '';
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'state-folder-'));
});
afterEach(() => rm(base, { recursive: true, force: true }));

const problemOf = async (dir: string): Promise<string | undefined> => {
  const failure = await prepareStateFolder(dir).catch((error: unknown) => error);
  return hasCode(failure, 'CONFIG_INVALID') ? failure.details.problems[0] : undefined;
};

const thrownBy = (work: () => void): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  return null;
};

describe('the folder of the local state', () => {
  it('is made with its parents, and nothing is left in it', async () => {
    const dir = join(base, 'a', 'b');
    await prepareStateFolder(dir);
    await prepareStateFolder(dir);
    expect(await readdir(dir)).toEqual([]);
  });

  it('is named where a file is in its place', async () => {
    const file = join(base, 'file');
    await writeFile(file, '');
    expect(await problemOf(file)).toMatch(`LOCAL_DIR: ${file}`);
    expect(await problemOf(join(file, 'below'))).toBe(
      `LOCAL_DIR: ${join(file, 'below')} is no folder. Move that file away, or name another folder in LOCAL_DIR.`,
    );
  });

  it('is named where the system forbids it', async () => {
    // Linux lets no user make a folder there, the superuser neither.
    expect(await problemOf('/sys/tradepost/state')).toMatch(
      /^LOCAL_DIR: (this user may not write )?\/sys\/tradepost/,
    );
  });
});

describe('a fault of the file system is a sentence with the path', () => {
  // A device that is always full.
  const full = thrownBy(() => writeFileSync('/dev/full', 'x'));

  it('a full disk', () => {
    expect(fileProblem(full, { path: '/data/chain', variable: 'LOCAL_DIR' })).toBe(
      'LOCAL_DIR: the disk of /data/chain is full. Make room there, or name another folder in LOCAL_DIR.',
    );
    expect(fileProblem(new Error('wrapped', { cause: full }), { path: '/data', variable: null })).toBe(
      'the disk of /data is full. Make room there, or name another folder.',
    );
    expect(describeStartFailure(full)).toBe(
      'Tradepost cannot start: the disk of a file is full. Make room there, or name another folder.',
    );
  });

  it.each([
    ['EROFS', 'its file system is read-only'],
    ['EACCES', 'this user may not write'],
    ['EDQUOT', 'is full'],
    ['EMFILE', 'too many files are open'],
  ])('%s', (code, words) => {
    const error = Object.assign(new Error(code), { code, path: '/data/kek' });
    const sentence = fileProblem(error, { path: '/data', variable: 'LOCAL_DIR' });
    expect(sentence).toContain(words);
    expect(sentence).toContain('/data/kek');
  });

  it('leaves a port to the words for ports, and other faults as they are', () => {
    const port = Object.assign(new Error('EACCES'), { code: 'EACCES', syscall: 'listen' });
    expect(fileProblem(port, { path: '/data', variable: null })).toBeNull();
    expect(fileProblem(new TypeError('x'), { path: '/data', variable: null })).toBeNull();
  });
});
