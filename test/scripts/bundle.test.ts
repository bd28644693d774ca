import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bundled, writeBundle } from '../../scripts/bundle.mjs';

let checkout: string;

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'tradepost-bundle-'));
  write('package-lock.json', '{}');
  write('src/deep/place.ts', 'export const place: string = import.meta.url;');
  write('src/late.ts', "export const late: string = 'late';");
  write('src/main.ts', MAIN);
});

afterEach(() => rmSync(checkout, { recursive: true, force: true }));

const MAIN = `
  import { place } from './deep/place.ts';
  export { place };
  export const word: string = 'first';
  export const later = async (): Promise<string> => (await import('./late.ts')).late;
`;

type Program = { readonly place: string; readonly word: string; readonly later: () => Promise<string> };

/** A file of an hour ago: what is written in the moment of a build is never taken for built. */
function write(path: string, text: string, ageMs = 3_600_000): void {
  const file = join(checkout, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  const at = new Date(Date.now() - ageMs);
  utimesSync(file, at, at);
}

const bundledMain = (): Promise<string> => bundled('src/main.ts', checkout);

const load = async (url: string): Promise<Program> => (await import(/* @vite-ignore */ url)) as Program;

const builds = (): readonly string[] =>
  readdirSync(join(checkout, 'node_modules/.tradepost/bundles/main.js'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

it('runs as its sources would, and a module that asks where it stands gets its source', async () => {
  const program = await load(await bundledMain());
  expect(program.word).toBe('first');
  expect(program.place).toBe(pathToFileURL(join(checkout, 'src/deep/place.ts')).href);
});

it('is built once, again when a source changed, and the build that runs stays whole', async () => {
  const first = await bundledMain();
  const stamp = join(checkout, 'node_modules/.tradepost/bundles/main.js/newest.json');
  rmSync(join(checkout, 'src/late.ts'));
  await expect(bundledMain()).rejects.toThrow(/late\.ts/);
  write('src/late.ts', "export const late: string = 'late';");
  expect(await bundledMain()).toBe(first);
  expect(existsSync(stamp)).toBe(true);

  write('src/late.ts', "export const late: string = 'other';", 1_800_000);
  const second = await bundledMain();
  expect(second).not.toBe(first);
  expect(await (await load(first)).later()).toBe('late');
  expect(await (await load(second)).later()).toBe('other');
});

it('takes no build that is not whole', async () => {
  const first = await bundledMain();
  rmSync(fileURLToPath(first));
  expect(await bundledMain()).toBe(first);
  expect((await load(first)).word).toBe('first');
});

it('two starts at once get the same build, and leave no draft', async () => {
  const urls = await Promise.all(Array.from({ length: 8 }, () => bundledMain()));
  expect(new Set(urls).size).toBe(1);
  expect(builds()).toHaveLength(1);
});

it('keeps a few older builds, for programs that still run', async () => {
  for (let n = 0; n < 9; n++) {
    write('src/late.ts', `export const late: string = 'late ${n}';`, 1_000_000 - n * 10_000);
    await bundledMain();
  }
  expect(builds()).toHaveLength(6);
});

it('is written where it is wanted, and what stood there is gone', async () => {
  write('dist/old.js', '');
  await writeBundle('src/main.ts', 'dist', checkout);
  expect(readdirSync(join(checkout, 'dist'))).not.toContain('old.js');
  const program = await load(pathToFileURL(join(checkout, 'dist/main.js')).href);
  expect(program.place).toBe(pathToFileURL(join(checkout, 'src/deep/place.ts')).href);
  expect(await program.later()).toBe('late');
});

it('leaves a package of the project that is not there to whoever loads it', async () => {
  write('src/late.ts', "export { start as late } from '@tradepost/absent';");
  await expect((await load(await bundledMain())).later()).rejects.toThrow(/@tradepost\/absent/);
});
