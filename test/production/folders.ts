import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildImageTree } from '../support/image-tree.ts';
import type { Walls } from './contained.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export type Folders = Awaited<ReturnType<typeof makeFolders>>;

/** What the compose file mounts, each in a place of its own. */
export async function makeFolders(scratch: string, walls: Walls) {
  const folder = (name: string, mode: number, isTheirs = false): string => {
    const path = join(scratch, name);
    mkdirSync(path, { recursive: true, mode });
    chmodSync(path, mode);
    if (isTheirs && walls.user !== null) chownSync(path, walls.user.uid, walls.user.gid);
    return path;
  };
  const tree = folder('app', 0o755);
  await buildImageTree(tree);
  const folders = {
    tree,
    tmp: folder('tmp', 0o700, true),
    socket: folder('socket', 0o700, true),
    journal: folder('journal', 0o700, true),
    backups: join(scratch, 'backups'),
    hook: folder('hook', 0o755),
    secrets: folder('secrets', 0o700),
    secretsOf: (service: string): string => folder(`secrets-${service}`, 0o500, true),
  };
  /** Where a path of the container is here. */
  const place = (service: string, path: string): string =>
    path
      .replace(/^\/run\/secrets(?=\/|$)/, join(scratch, `secrets-${service}`))
      .replace(/^\/run\/tradepost(?=\/|$)/, folders.socket)
      .replace(/^\/var\/lib\/tradepost\/journal(?=\/|$)/, folders.journal)
      .replace(/^\/backups(?=\/|$)/, folders.backups);
  return { ...folders, place };
}

/** As the operator makes them; the answer is the password of the database, which holds all that means something in a URL. */
export function makeSecrets(
  { secrets: folder, backups }: Folders,
  token: string,
  kek: string | undefined,
): string {
  const password = "p/a@s:s%w#o?r'd";
  writeFileSync(join(folder, 'postgres_password'), `${password}\n`, { mode: 0o400 });
  if (kek !== undefined) writeFileSync(join(folder, 'kek'), `${kek}\n`, { mode: 0o400 });
  execFileSync(join(root, 'deploy/make-secrets.sh'), [folder, backups], {
    input: `${token}\n`,
    stdio: 'pipe',
  });
  return password;
}

/** The files that the compose file mounts into one service, and no other. */
export function giveSecrets(folders: Folders, service: string, names: readonly string[], walls: Walls): void {
  const own = folders.secretsOf(service);
  for (const name of names) {
    const path = join(own, name);
    copyFileSync(join(folders.secrets, name), path);
    chmodSync(path, 0o400);
    if (walls.user !== null) chownSync(path, walls.user.uid, walls.user.gid);
  }
}
