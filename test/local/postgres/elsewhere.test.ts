import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  deleteOrphan,
  homeOf,
  listOrphans,
  moveAside,
  moveBack,
} from '../../../src/local/postgres/elsewhere.ts';
import { refuseMainnet } from '../../../src/local/world.ts';
import { MAINNET_GENESIS } from '../../../src/modules/tokens/rules/well-known.ts';

let folder: string;
let base: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'elsewhere-'));
  base = join(folder, 'lib');
  await mkdir(base);
});
afterEach(() => rm(folder, { recursive: true }));

/** A state folder with its password, and a home that holds a wallet's key. */
async function made(
  name = 'state',
  password = 'secret',
): Promise<{ readonly dir: string; readonly home: string }> {
  const dir = join(folder, name);
  await mkdir(dir);
  await writeFile(join(dir, 'password'), `${password}\n`);
  const home = await homeOf(dir, password, base);
  await writeFile(join(home, 'wallet'), 'a key');
  return { dir, home };
}

describe('the data of a state folder that is elsewhere', () => {
  it('is found again, and is kept while its folder is out of sight, also where another starts', async () => {
    const { dir, home } = await made();
    expect(await homeOf(dir, 'secret', base)).toBe(home);
    await rename(dir, join(folder, 'away'));
    await made('another', 'its own');
    expect(await readFile(join(home, 'wallet'), 'utf8')).toBe('a key');
    await rename(join(folder, 'away'), dir);
    expect(await homeOf(dir, 'secret', base)).toBe(home);
    expect(await readdir(home)).toEqual(['tie', 'wallet']);
  });

  it('ends the start of a folder with another password, by its name', async () => {
    const { dir, home } = await made();
    await expect(homeOf(dir, 'another', base)).rejects.toThrow(
      new RegExp(`${home} .* npm run ops -- local orphans --aside ${basename(home)}$`),
    );
    expect(await readFile(join(home, 'wallet'), 'utf8')).toBe('a key');
  });

  it('ends a start where the tie is gone and data are there, and where the tie cannot be read', async () => {
    const { dir, home } = await made();
    await rm(join(home, 'tie'));
    await expect(homeOf(dir, 'secret', base)).rejects.toThrow(/local orphans --aside/);
    await mkdir(join(home, 'tie'));
    await expect(homeOf(dir, 'secret', base)).rejects.toThrow(/EISDIR/);
    expect(await readFile(join(home, 'wallet'), 'utf8')).toBe('a key');
  });

  it('ends the start of a folder that was moved, with the place that it belongs to', async () => {
    const { dir, home } = await made();
    await rename(dir, join(folder, 'moved'));
    await expect(homeOf(join(folder, 'moved'), 'secret', base)).rejects.toThrow(
      `is in ${home}, made when the folder was at ${dir}. Move the folder back there.`,
    );
  });
});

describe('local orphans', () => {
  it('lists them, moves aside and back, and deletes by name alone', async () => {
    const { dir, home } = await made();
    const { home: other } = await made('there', 'its own');
    const name = basename(home);
    expect(await listOrphans(base)).toEqual([]);
    await rename(dir, join(folder, 'away'));
    expect(await listOrphans(base)).toEqual([
      expect.objectContaining({ name, dir, tied: 'out of sight', isRunning: false }),
    ]);
    // Of a folder that is there, nothing is touched.
    for (const act of [(one: string) => deleteOrphan(one, base), (one: string) => moveAside(one, 7, base)]) {
      await expect(act(basename(other))).rejects.toThrow('which is there');
      for (const wrong of ['', '..', 'lib', `${name}/..`, name.slice(0, -1)])
        await expect(act(wrong)).rejects.toThrow('there is no ');
    }
    const aside = await moveAside(name, 7, base);
    expect(await listOrphans(base)).toEqual([expect.objectContaining({ name: aside, dir })]);
    // A new one takes the place, and the former keeps its wallet.
    await made('state', 'fresh');
    await expect(moveBack(aside, base)).rejects.toThrow('Move that one aside first');
    expect(await readFile(join(base, aside, 'wallet'), 'utf8')).toBe('a key');
    await rm(join(folder, 'state'), { recursive: true });
    await moveAside(name, 8, base);
    expect(await moveBack(aside, base)).toBe(name);
    await rename(join(folder, 'away'), dir);
    expect(await homeOf(dir, 'secret', base)).toBe(home);
    expect(await readFile(join(home, 'wallet'), 'utf8')).toBe('a key');
    await deleteOrphan(`${name}.aside-8`, base);
    expect(await listOrphans(base)).toEqual([]);
  });

  it('names a folder that is there with another password, and one whose tie nobody can read', async () => {
    const { dir } = await made();
    await writeFile(join(dir, 'password'), 'another\n');
    await mkdir(join(base, `tradepost-${'0'.repeat(16)}`));
    expect((await listOrphans(base)).map(({ tied }) => tied).toSorted()).toEqual([
      'another password',
      'unreadable',
    ]);
  });
});

describe('mainnet beside the embedded database', () => {
  it('is refused by its genesis, unless real keys there are meant', async () => {
    let genesis = MAINNET_GENESIS;
    const server = createServer((request, response) => {
      request
        .resume()
        .on('end', () => response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: genesis })));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const rpcUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const ask = (postgres: boolean, mayBeMainnet: boolean) =>
      refuseMainnet({ postgres, cluster: { rpcUrl, mayBeMainnet } });
    try {
      await expect(ask(true, false)).rejects.toMatchObject({
        code: 'CONFIG_INVALID',
        details: {
          problems: [expect.stringMatching(/^EMBEDDED_MAINNET: .*EMBEDDED_DATABASE=real-keys-here/)],
        },
      });
      await ask(true, true);
      await ask(false, false);
      genesis = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';
      await ask(true, false);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
