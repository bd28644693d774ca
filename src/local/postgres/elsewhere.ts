import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isPostgres, readPostmaster } from './postmaster-file.ts';

/** Where data goes that the server's user could not reach otherwise. */
const ELSEWHERE = '/var/lib';
const NAME = /^tradepost-[0-9a-f]{16}(\.aside-\d+)?$/;
const TIE = 'tie';

/** A folder under /var/lib with the data of a state folder that is elsewhere. */
export type Home = {
  /** The operator types this. */
  readonly name: string;
  readonly path: string;
  /** The state folder that it was made for; null where it is not readable. */
  readonly dir: string | null;
  /** Whether that folder can be seen now, with the password that ties the two. */
  readonly tied: 'tied' | 'out of sight' | 'another password' | 'unreadable';
  readonly isRunning: boolean;
};

/**
 * The home of the data of `dir`, made when there is none; tied to it by its password. Nothing is removed: a folder that is out of sight now
 * may come back, and with it the keys of wallets. Throws a sentence when a home of that name belongs to another password, or when the
 * data of this password has another home.
 */
export async function homeOf(dir: string, password: string, base = ELSEWHERE): Promise<string> {
  const name = `tradepost-${hash(dir).slice(0, 16)}`;
  const home = join(base, name);
  const tie = `${dir}\n${hash(password)}\n`;
  const found = await readTie(home);
  if (found === tie) return home;
  if (found !== null || !(await isEmpty(home))) {
    throw new Error(
      `${home} holds the database of a state folder that was at ${dir} and is not the one there now. Put that folder back, or move its database aside: npm run ops -- local orphans --aside ${name}`,
    );
  }
  const former = (await homes(base)).find(
    (one) => one.name !== name && !one.name.includes('.aside-') && one.secret === hash(password),
  );
  if (former !== undefined) {
    throw new Error(
      `the database of ${dir} is in ${former.path}, made when the folder was at ${former.dir ?? '?'}. Move the folder back there.`,
    );
  }
  await mkdir(home, { recursive: true });
  await chmod(home, 0o755);
  await writeFile(join(home, TIE), tie, { mode: 0o600, flush: true });
  return home;
}

/** Every home whose state folder is not there, or is another one now, by name. */
export async function listOrphans(base = ELSEWHERE): Promise<readonly Home[]> {
  return (await homes(base)).filter(({ tied }) => tied !== 'tied');
}

/** Moves an orphan aside, whole, and returns its new name. Throws a sentence when it is none, or a server runs on it. */
export async function moveAside(name: string, now: number, base = ELSEWHERE): Promise<string> {
  const orphan = await orphanOf(name, base);
  const aside = `${orphan.name.replace(/\.aside-\d+$/, '')}.aside-${now}`;
  await rename(orphan.path, join(base, aside));
  return aside;
}

/** Puts a home that was moved aside back under its own name. Throws a sentence when that name is taken. */
export async function moveBack(name: string, base = ELSEWHERE): Promise<string> {
  const orphan = await orphanOf(name, base);
  const own = orphan.name.replace(/\.aside-\d+$/, '');
  if (own === orphan.name) throw new Error(`${name} was not moved aside.`);
  if (!(await isEmpty(join(base, own))))
    throw new Error(`${join(base, own)} is there. Move that one aside first.`);
  await rename(orphan.path, join(base, own));
  return own;
}

/** Deletes an orphan and its data for good. Throws as `moveAside` does. */
export async function deleteOrphan(name: string, base = ELSEWHERE): Promise<void> {
  await rm((await orphanOf(name, base)).path, { recursive: true, force: true });
}

async function orphanOf(name: string, base: string): Promise<Home> {
  const found = (await homes(base)).find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no ${name} in ${base}. "local orphans" lists them.`);
  if (found.tied === 'tied') throw new Error(`${name} is the database of ${found.dir}, which is there.`);
  if (found.isRunning) throw new Error(`a Postgres runs on ${name}. Stop it first.`);
  return found;
}

async function homes(base: string): Promise<readonly (Home & { readonly secret: string })[]> {
  const names = (await readdir(base).catch(() => [])).filter((name) => NAME.test(name)).toSorted();
  const found = await Promise.all(
    names.map(async (name) => {
      const path = join(base, name);
      // Of another account: neither listed nor touched.
      const tie = await readTie(path).catch((error: unknown) =>
        isForbidden(error) ? false : Promise.reject(error),
      );
      if (tie === false) return [];
      const [dir = '', secret = ''] = (tie ?? '').split('\n');
      const known = dir.startsWith('/') ? dir : null;
      const postmaster = await readPostmaster(join(path, 'data'));
      const isRunning = postmaster !== null && (await isPostgres(postmaster.pid));
      const tied = name.includes('.aside-') ? 'out of sight' : await sightOf(known, secret);
      return [{ name, path, dir: known, secret, tied, isRunning }];
    }),
  );
  return found.flat();
}

const isForbidden = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM');

async function sightOf(dir: string | null, secret: string): Promise<Home['tied']> {
  if (dir === null) return 'unreadable';
  const password = await readFile(join(dir, 'password'), 'utf8').catch(() => null);
  if (password === null) return 'out of sight';
  return hash(password.trim()) === secret ? 'tied' : 'another password';
}

/** Null where there is none. Throws when it cannot be read: that is no proof of anything. */
async function readTie(home: string): Promise<string | null> {
  try {
    return await readFile(join(home, TIE), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

async function isEmpty(folder: string): Promise<boolean> {
  if ((await stat(folder).catch(() => null)) === null) return true;
  return (await readdir(folder)).length === 0;
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
