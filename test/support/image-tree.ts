import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeBundle } from '../../scripts/bundle.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The files of the production image in `target`, as the Dockerfile's last stage copies them: read from the Dockerfile itself,
 * so that a file that the image lacks is lacked here too. Packages are those that `npm prune --omit=dev` leaves, by the
 * lockfile. Owned by whoever runs this, readable by all, writable by the owner alone.
 */
export async function buildImageTree(target: string): Promise<void> {
  for (const { from, sources, destination } of copiesOfLastStage(
    readFileSync(join(root, 'Dockerfile'), 'utf8'),
  )) {
    for (const source of sources) {
      const path = from === null ? source : relative('/app', source);
      const into =
        sources.length > 1 || destination.endsWith('/') ? join(destination, lastName(path)) : destination;
      if (path === 'node_modules') linkProductionPackages(join(target, into));
      // From the sources of the tree itself: what the image lacks must be lacked by its bundle too.
      else if (path === 'dist') await writeBundle('src/main.ts', into, target);
      else copy(path, join(target, into));
    }
  }
  chmodSync(target, 0o755);
}

type Copy = {
  /** The stage that is copied from; null = the checkout. */
  readonly from: string | null;
  readonly sources: readonly string[];
  readonly destination: string;
};

/** The COPY lines behind the last FROM. Throws when the file has a form of COPY that is not understood here. */
export function copiesOfLastStage(dockerfile: string): readonly Copy[] {
  const lines = dockerfile.replaceAll('\\\n', ' ').split('\n');
  const last = lines.findLastIndex((line) => line.startsWith('FROM '));
  return lines
    .slice(last)
    .filter((line) => /^(COPY|ADD) /.test(line))
    .map((line) => {
      const [word, ...rest] = line.trim().split(/\s+/);
      const flags = rest.filter((part) => part.startsWith('--'));
      const paths = rest.filter((part) => !part.startsWith('--'));
      const [flag] = flags;
      if (word !== 'COPY' || flags.length > 1 || (flag !== undefined && !flag.startsWith('--from='))) {
        throw new Error(`the test does not understand this line of the Dockerfile: ${line}`);
      }
      return {
        from: flag?.slice('--from='.length) ?? null,
        sources: paths.slice(0, -1),
        destination: paths.at(-1) ?? '',
      };
    });
}

/** The image's own words for how it starts, so that this cannot drift from the Dockerfile. */
export function imageCommand(): readonly string[] {
  const [, command = '[]'] = /^CMD (\[.*\])$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8')) ?? [];
  return JSON.parse(command) as readonly string[];
}

/** What `.dockerignore` keeps out of a build must not come in here either; the generated client is copied by its own line. */
function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  const isGenerated = from.endsWith('db/generated');
  cpSync(join(root, from), to, {
    recursive: true,
    filter: (path) => isGenerated || !path.endsWith('db/generated'),
  });
}

type LockedPackage = {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  /** A folder of the checkout that `node_modules` points at. */
  readonly link?: boolean;
  readonly resolved?: string;
};

function linkProductionPackages(target: string): void {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>;
  };
  for (const path of productionPackages(lock.packages)) {
    const into = join(target, relative('node_modules', path));
    const { link: isLink = false, resolved = '' } = lock.packages[path] ?? {};
    if (isLink) {
      mkdirSync(dirname(into), { recursive: true });
      symlinkSync(relative(dirname(path), resolved), into);
    } else linkTree(join(root, path), into);
  }
}

/**
 * Everything that the product's own `dependencies` lead to. The lockfile's `dev` marks do not tell: to npm the packages of the
 * stand-ins are packages of this project like any other, until the image leaves their folders out.
 */
function productionPackages(packages: Readonly<Record<string, LockedPackage>>): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (from: string): void => {
    const { dependencies, optionalDependencies, peerDependencies } = packages[from] ?? {};
    // Optional peers that are here stay here as well: npm does not count what else asked for them.
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const path = nearest(packages, from, name);
      // A build for another machine stands in the lockfile and not on the disk.
      if (path === null || found.has(path) || !existsSync(join(root, path))) continue;
      found.add(path);
      visit(packages[path]?.link === true ? (packages[path]?.resolved ?? '') : path);
    }
  };
  visit('');
  return found;
}

/** The package that code in `from` gets by this name: the innermost `node_modules` wins. */
function nearest(
  packages: Readonly<Record<string, LockedPackage>>,
  from: string,
  name: string,
): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[path] !== undefined) return path;
    if (folder === '') return null;
  }
}

/** Hard links, so that hundreds of megabytes cost nothing; packages inside a package come by their own lockfile entry. */
function linkTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    if (name === 'node_modules') continue;
    const [source, copied] = [join(from, name), join(to, name)];
    if (lstatSync(source).isDirectory()) linkTree(source, copied);
    else link(source, copied);
  }
}

function link(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    // Another file system, or one without hard links.
    cpSync(from, to);
  }
}

function lastName(path: string): string {
  return path.split('/').at(-1) ?? path;
}
