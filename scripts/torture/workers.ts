import { mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { CrashPoint } from '../../test/support/chaos/crash-points.ts';
import { atItsPlace } from '../bundle.mjs';
import { type Plant, planted } from './calls/plants.ts';
import { type Child, startChild } from './child.ts';
import type { ProcessOptions } from './compose.ts';
import { EVENT_PLANTS, type EventPlantName } from './plants.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The globals that packages written for CommonJS expect around them. */
const NODE_GLOBALS = `import { createRequire as nodeRequire } from 'node:module';
const require = nodeRequire(import.meta.url);
const __filename = process.argv[1];
const __dirname = __filename.slice(0, __filename.lastIndexOf('/'));`;

/** Migrations, pages and pictures are found relative to their readers. A planted fault is written into its sources. */
const placedIn = (folder: string, plant: Pick<Plant, 'changes'> | null): Plugin => ({
  name: 'places',
  setup(bundler) {
    bundler.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const changed = plant === null ? text : planted(plant, relative(root, path), text);
      if (changed !== text) return { loader: 'ts', contents: changed };
      if (path.includes('node_modules') || !text.includes('import.meta.url')) return null;
      return { loader: 'ts', contents: atItsPlace(folder, path, text) };
    });
  },
});

/**
 * A process of this run as one file, so that a restart costs only the loading of its packages; with a fault where one is given. `entry`: its
 * source, from the root of the project.
 */
export async function bundleProcess(
  entry: string,
  plant: Pick<Plant, 'changes'> | null = null,
): Promise<string> {
  const folder = join(root, 'dist', 'torture', 'bundle');
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, `${basename(entry, '.ts')}-${process.pid}.mjs`);
  await build({
    entryPoints: [join(root, entry)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    // With its packages in the same file a start costs half: five hundred kills are five hundred starts.
    external: [
      'pg-native',
      'bigint-buffer',
      'bufferutil',
      'utf-8-validate',
      // Native code, found beside its own package.
      '@node-rs/argon2',
      // Four megabytes that only queries through the model interface need.
      '@prisma/client/runtime/*.wasm-base64.mjs',
    ],
    banner: { js: NODE_GLOBALS },
    logLevel: 'error',
    plugins: [placedIn(folder, plant)],
  });
  return outfile;
}

/** The worker of the torture. */
export const bundleWorker = (plant: EventPlantName | null = null): Promise<string> =>
  bundleProcess('scripts/torture/worker.ts', plant === null ? null : EVENT_PLANTS[plant]);

/** A crew of worker processes that is always complete: who dies is replaced at once. */
export function createCrew(file: string, size: number, options: () => ProcessOptions) {
  const members = new Map<Child, { atWork: boolean }>();
  const counts = { started: 0, kills: 0, ownDeaths: 0, bugs: [] as string[] };
  let closing = false;
  const crashPoints: CrashPoint[] = [];

  function hire(): void {
    const crashAt = crashPoints.shift() ?? null;
    const child = startChild([file, JSON.stringify({ ...options(), crashAt })]);
    counts.started += 1;
    const member: { atWork: boolean } = { atWork: false };
    members.set(child, member);
    child.stdout.on('data', () => {
      member.atWork = true;
    });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-4_000);
    });
    child.once('exit', (code, signal) => {
      members.delete(child);
      if (closing) return;
      if (signal === 'SIGKILL' && crashAt !== null) counts.ownDeaths += 1;
      if (code === 70) counts.bugs.push(errors);
      // One that cannot start because Postgres is away tries again a little later, as a supervisor would have it.
      setTimeout(hire, code === null ? 0 : 300);
    });
  }

  for (let n = 0; n < size; n += 1) hire();
  return {
    counts,
    /** Kills a member that is in the middle of its work, by its own process id; false when none is. */
    kill(pick: (count: number) => number): boolean {
      const working = [...members].filter(([, { atWork }]) => atWork);
      const victim = working[pick(working.length)]?.[0];
      if (victim === undefined) return false;
      victim.kill('SIGKILL');
      counts.kills += 1;
      return true;
    },
    /** All at once, in any state of work; not counted among the random ones. */
    killAll(): void {
      for (const child of members.keys()) child.kill('SIGKILL');
    },
    /** The next member that is hired kills itself there. */
    plant: (point: CrashPoint): void => void crashPoints.push(point),
    async close(): Promise<void> {
      closing = true;
      const ends = [...members.keys()].map(
        (child) =>
          new Promise<void>((resolve) => {
            child.once('exit', () => resolve());
            child.kill('SIGKILL');
          }),
      );
      await Promise.all(ends);
    },
  };
}

export type Crew = ReturnType<typeof createCrew>;
