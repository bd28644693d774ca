/**
 * The program as a few files instead of some two thousand. Node asks a loader for each module that it imports, and that is half
 * of the time from `npm start` to ready. Built again when a source has changed, which takes less than a second; nothing is
 * minified, and stack traces name the sources' lines.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const checkout = dirname(dirname(fileURLToPath(import.meta.url)));
/** A program that runs still loads parts of its own build: the builds before the newest stay for a while. */
const KEPT = 5;
/** Names the newest build, and what it was made of. */
const STAMP = 'newest.json';

/**
 * The URL of `src/main.ts` below `root` as it is now, bundled with all of that repository that it imports; packages stay where
 * they are installed. Each build has a folder of its own, named for its content: two starts at once, and a start while an
 * older one runs, do not disturb each other. Throws where `node_modules` cannot be written.
 */
export async function bundledMain(root = checkout) {
  const folder = join(root, 'node_modules/.tradepost/program');
  const build = newestIfFresh(root, folder) ?? (await buildProgram(root, folder));
  return pathToFileURL(join(folder, build, 'main.js')).href;
}

function newestIfFresh(root, folder) {
  try {
    const { build, inputs } = JSON.parse(readFileSync(join(folder, STAMP), 'utf8'));
    const isFresh = inputs.every(([path, mark]) => markOf(join(root, path)) === mark);
    return isFresh && isWhole(folder, build) ? build : null;
  } catch {
    return null;
  }
}

const isWhole = (folder, build) => existsSync(join(folder, build, 'main.js'));

/** What changes when a file is written. */
function markOf(path) {
  const { size, mtimeMs } = statSync(path);
  return `${size} ${mtimeMs}`;
}

async function buildProgram(root, folder) {
  const { build } = await import('esbuild');
  // Marked before it is read: a file that changes meanwhile makes the next start build again.
  const startedAt = Date.now();
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/main.ts'],
    outdir: join(folder, 'build'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    keepNames: true,
    sourcemap: 'linked',
    sourcesContent: false,
    metafile: true,
    write: false,
    logLevel: 'error',
    plugins: [ownSources(folder)],
  });
  const name = contentHash(outputFiles);
  if (!isWhole(folder, name)) writeWhole(folder, name, outputFiles);
  const inputs = ['package-lock.json', ...Object.keys(metafile.inputs)].map((path) => [
    path,
    statSync(join(root, path)).mtimeMs < startedAt ? markOf(join(root, path)) : 'changed while it was read',
  ]);
  const next = join(folder, `${STAMP}.${process.pid}`);
  writeFileSync(next, JSON.stringify({ build: name, inputs }));
  renameSync(next, join(folder, STAMP));
  forgetOld(folder, name);
  return name;
}

/** This repository's files are bundled, packages are not. A module that asks where it stands is told where its source is. */
const ownSources = (folder) => ({
  name: 'own-sources',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@tradepost/') ? null : { external: true, path },
    );
    build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta.url')) return null;
      const place = relative(join(folder, 'build'), path).split(sep).join('/');
      const url = `new URL(${JSON.stringify(place)}, import.meta.url).href`;
      return { loader: 'ts', contents: text.replaceAll('import.meta.url', url) };
    });
  },
});

function contentHash(files) {
  const hash = createHash('sha256');
  for (const { path, contents } of files.toSorted((a, b) => (a.path < b.path ? -1 : 1)))
    hash.update(basename(path)).update(contents);
  return hash.digest('hex').slice(0, 16);
}

/** Under its name only when it is whole: another process may look for it at this moment. */
function writeWhole(folder, name, files) {
  mkdirSync(folder, { recursive: true });
  if (existsSync(join(folder, name)) && !isWhole(folder, name))
    rmSync(join(folder, name), { recursive: true });
  const draft = mkdtempSync(join(folder, 'draft-'));
  for (const { path, contents } of files) writeFileSync(join(draft, basename(path)), contents);
  try {
    renameSync(draft, join(folder, name));
  } catch (error) {
    rmSync(draft, { recursive: true });
    if (!isWhole(folder, name)) throw error;
  }
}

function forgetOld(folder, newest) {
  const builds = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== newest)
    .map(({ name }) => ({ name, at: statSync(join(folder, name)).mtimeMs }))
    .toSorted((a, b) => b.at - a.at);
  for (const { name } of builds.slice(KEPT)) rmSync(join(folder, name), { recursive: true, force: true });
}
