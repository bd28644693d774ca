/**
 * Runs around `npm pack` in a folder of packages/: `prepack` emits JavaScript and declarations to dist/ and lets package.json point
 * there, `postpack` puts package.json back. In between the package works as well, from dist/. A run that was killed leaves package.json
 * changed, which the next one mends. Packages of this repository that it depends on are emitted first, for their declarations.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = process.cwd();
const path = (name) => join(folder, name);
const [manifest, original] = [path('package.json'), path('package.json.orig')];

function restore() {
  if (existsSync(original)) renameSync(original, manifest);
}

/** `./src/x.ts` → `./dist/x.js`. */
const built = (file, ending) => file.replace('./src/', './dist/').replace(/\.ts$/, ending);

function publishable({ devDependencies: _dev, scripts: _scripts, exports, bin, ...rest }) {
  const entries = Object.entries(exports).map(([name, file]) => [
    name,
    { types: built(file, '.d.ts'), default: built(file, '.js') },
  ]);
  const tools = Object.entries(bin ?? {}).map(([name, file]) => [name, built(file, '.js')]);
  return {
    ...rest,
    exports: Object.fromEntries(entries),
    ...(tools.length === 0 ? {} : { bin: Object.fromEntries(tools) }),
  };
}

/** Writes dist/ of a package, and before it those of the packages beside it that its declarations name. */
function emit(into, done = new Set()) {
  if (done.has(into)) return;
  done.add(into);
  const { dependencies = {} } = JSON.parse(readFileSync(join(into, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies))
    if (name.startsWith('@tradepost/')) emit(join(root, 'packages', name.slice('@tradepost/'.length)), done);
  rmSync(join(into, 'dist'), { recursive: true, force: true });
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const result = spawnSync(process.execPath, [tsc, '--project', 'tsconfig.pack.json'], {
    cwd: into,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (result.status !== 0) process.exit(1);
}

function prepack() {
  restore();
  emit(folder);
  // A page for browsers is bundled from its sources when it is first asked for.
  if (existsSync(path('src/page'))) cpSync(path('src/page'), path('dist/page'), { recursive: true });
  cpSync(join(root, 'LICENSE'), path('LICENSE'));
  const packed = publishable(JSON.parse(readFileSync(manifest, 'utf8')));
  cpSync(manifest, original);
  writeFileSync(`${manifest}.new`, `${JSON.stringify(packed, null, 2)}\n`);
  renameSync(`${manifest}.new`, manifest);
}

const [step] = process.argv.slice(2);
if (step === 'prepack') prepack();
else if (step === 'postpack') restore();
else {
  process.stderr.write('usage, in a folder of packages/: pack-package.mjs prepack | postpack\n');
  process.exit(1);
}
