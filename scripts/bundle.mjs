/**
 * A program as a few files instead of some two thousand. Node asks a loader for each module that it imports, and that is half of the time
 * from `npm start` to ready; and the loader's code for keeping the names of functions costs more at run time than many of the functions.
 * Nothing is minified, and stack traces name the sources' lines.
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
/** Names the newest build, and its sources. */
const STAMP = 'newest.json';

/**
 * The URL of a module of `root` as it is now, bundled with all of that repository that it imports; packages stay where they are
 * installed. Built again when a source has changed, which takes less than a second. Each build has a folder of its own, named
 * for its content: two starts at once, and a start while an older program runs, do not disturb each other. Throws where
 * `node_modules` cannot be written.
 */
export async function bundled(entry, root = checkout) {
  const module = `${basename(entry, '.ts')}.js`;
  const folder = join(root, 'node_modules/.tradepost/bundles', module);
  const program = { root, entry, module, folder };
  const build = newestIfFresh(program) ?? (await buildAgain(program));
  return pathToFileURL(join(folder, build, module)).href;
}

/**
 * Writes the bundle of a module of `root` into a folder below it, and replaces the folder's content. `change` may replace the text of a
 * source, named by its path below `root`.
 */
export async function writeBundle(entry, outdir, root = checkout, change = (_path, text) => text) {
  const { outputFiles } = await bundle({ root, entry, change }, join(root, outdir));
  rmSync(join(root, outdir), { recursive: true, force: true });
  mkdirSync(join(root, outdir), { recursive: true });
  for (const { path, contents } of outputFiles) writeFileSync(path, contents);
}

function newestIfFresh({ root, module, folder }) {
  try {
    const { build, inputs } = JSON.parse(readFileSync(join(folder, STAMP), 'utf8'));
    const isFresh = inputs.every(([path, mark]) => markOf(join(root, path)) === mark);
    return isFresh && existsSync(join(folder, build, module)) ? build : null;
  } catch {
    return null;
  }
}

/** The mark that changes when a file is written. */
function markOf(path) {
  const { size, mtimeMs } = statSync(path);
  return `${size} ${mtimeMs}`;
}

async function buildAgain({ root, entry, module, folder }) {
  // Taken before the files are read: one that changes meanwhile makes the next start build again.
  const startedAt = Date.now();
  const { outputFiles, metafile } = await bundle({ root, entry }, join(folder, 'build'));
  const name = contentHash(outputFiles);
  if (!existsSync(join(folder, name, module))) writeWhole(join(folder, name), module, outputFiles);
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

async function bundle({ root, entry, change = (_path, text) => text }, outdir) {
  const { build } = await import('esbuild');
  return build({
    absWorkingDir: root,
    entryPoints: [entry],
    outdir,
    entryNames: '[name]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'linked',
    sourcesContent: false,
    metafile: true,
    write: false,
    logLevel: 'error',
    plugins: [ownSources(root, outdir, change)],
  });
}

/** The text of a source for a bundle in `outdir`: a module that asks for its place gets the place of its source. */
export function atItsPlace(outdir, path, text) {
  const place = relative(outdir, path).split(sep).join('/');
  return text.replaceAll('import.meta.url', `new URL(${JSON.stringify(place)}, import.meta.url).href`);
}

/** This repository's files are bundled, packages are not. A module that asks for its place gets the place of its source. */
const ownSources = (root, outdir, change) => ({
  name: 'own-sources',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
      // The image is built without the stand-ins' folders: packages that it never loads may be missing there.
      const isOwn = path.startsWith('@tradepost/') && existsSync(join(root, 'node_modules', packageOf(path)));
      return kind === 'entry-point' || isOwn ? null : { external: true, path };
    });
    build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const text = change(relative(root, path).split(sep).join('/'), source);
      if (text === source && !text.includes('import.meta.url')) return null;
      return { loader: 'ts', contents: atItsPlace(outdir, path, text) };
    });
  },
});

const packageOf = (path) => path.split('/').slice(0, 2).join('/');

function contentHash(files) {
  const hash = createHash('sha256');
  for (const { path, contents } of files.toSorted((a, b) => (a.path < b.path ? -1 : 1)))
    hash.update(basename(path)).update(contents);
  return hash.digest('hex').slice(0, 16);
}

/** Under its name only when it is whole: another process may look for it at this moment. */
function writeWhole(target, module, files) {
  mkdirSync(dirname(target), { recursive: true });
  if (existsSync(target) && !existsSync(join(target, module))) rmSync(target, { recursive: true });
  const draft = mkdtempSync(join(dirname(target), 'draft-'));
  for (const { path, contents } of files) writeFileSync(join(draft, basename(path)), contents);
  try {
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { recursive: true });
    if (!existsSync(join(target, module))) throw error;
  }
}

function forgetOld(folder, newest) {
  const builds = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== newest)
    .map(({ name }) => ({ name, at: statSync(join(folder, name)).mtimeMs }))
    .toSorted((a, b) => b.at - a.at);
  for (const { name } of builds.slice(KEPT)) rmSync(join(folder, name), { recursive: true, force: true });
}
