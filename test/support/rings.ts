import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

const SRC = join(import.meta.dirname, '../../src');

/** The name of a folder or file below a noun → its ring. A part with several files is a folder, one with one file is that file. */
const PARTS: Readonly<Record<string, string>> = {
  rules: 'rules',
  use: 'use',
  store: 'platform',
  chat: 'chat',
  api: 'api',
  pages: 'api',
  jobs: 'jobs',
  indexer: 'indexer',
  index: 'face',
};

/** Parts of a kind of intent, and their registries. */
const KIND_PARTS: Readonly<Record<string, string>> = {
  'kind.ts': 'rules',
  'params.ts': 'rules',
  'policy.ts': 'rules',
  'retry.ts': 'rules',
  'rules.ts': 'rules',
  'row.ts': 'platform',
  'rows.ts': 'platform',
  'view.ts': 'chat',
  'views.ts': 'chat',
};

/** Folders of the platform whose code speaks to people, programs and the clock; the others are the world below the use cases. */
const PLATFORM: Readonly<Record<string, string>> = {
  ports: 'rules',
  telegram: 'chat',
  http: 'api',
  worker: 'jobs',
};

/** The registries and openings of the composition, each with the ring that it belongs to; the others keep a row of their own. */
const COMPOSITION: Readonly<Record<string, string>> = {
  'adapters.ts': 'platform',
  'open-stores.ts': 'platform',
  'open-sources.ts': 'platform',
  'open-journal.ts': 'platform',
  'open-key-holder.ts': 'platform',
  'open-keyring.ts': 'platform',
  'prove-folder.ts': 'platform',
  'assemble-bot.ts': 'chat',
  'bot.ts': 'chat',
  texts: 'chat',
  'api-deps.ts': 'api',
  'start-api.ts': 'api',
  'create-worker.ts': 'jobs',
};

/**
 * The ring of a file, told by its name: `rules` of a noun are pure as `core` is, `use` are its verbs, `store` its tables,
 * `chat`, `api`, `pages`, `jobs` and `indexer` are what calls them, and `index.ts` is its face. A store's port is a rule. Null where the name says none.
 */
export function ringOf(path: string): string | null {
  const [top = '', second = '', third = ''] = path.split('/');
  if (top === 'core') return 'rules';
  if (top === 'local' || top === 'config') return top;
  if (top === 'compose') return COMPOSITION[second] ?? path;
  if (top === 'platform')
    return third === 'rules' || third === 'rules.ts' ? 'rules' : (PLATFORM[second] ?? 'platform');
  if (top !== 'engine' && top !== 'modules') return path;
  if (path.endsWith('-port.ts')) return 'rules';
  if (path.startsWith('engine/intents/kinds/')) return KIND_PARTS[path.split('/').at(-1) ?? ''] ?? 'use';
  if (/^([a-z]+-)?texts\.(en|es)\.ts$/.test(third)) return 'chat';
  return PARTS[third.replace(/\.ts$/, '')] ?? null;
}

/** Every file of `src` with one of these rings, by its path below `src`; the generated client is none of them. */
export function filesOfRing(
  ...rings: readonly string[]
): readonly { readonly path: string; readonly text: string }[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .map((path) => path.split(sep).join('/'))
    .filter((path) => path.endsWith('.ts') && !path.includes('/generated/'))
    .filter((path) => rings.includes(ringOf(path) ?? ''))
    .map((path) => ({ path, text: readFileSync(join(SRC, path), 'utf8') }));
}
