import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The files of the production image in `target`, as the Dockerfile's last stage copies them: read from the Dockerfile itself,
 * so that a file that the image lacks is lacked here too. Packages are those that `npm prune --omit=dev` leaves, by the
 * lockfile. Owned by whoever runs this, readable by all, writable by the owner alone.
 */
export function buildImageTree(target: string): void {
  for (const { from, sources, destination } of copiesOfLastStage(
    readFileSync(join(root, 'Dockerfile'), 'utf8'),
  )) {
    for (const source of sources) {
      const path = from === null ? source : relative('/app', source);
      const into =
        sources.length > 1 || destination.endsWith('/') ? join(destination, lastName(path)) : destination;
      if (path === 'node_modules') linkProductionPackages(join(target, into));
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

/** What `.dockerignore` keeps out of a build must not come in here either; the generated client is copied by its own line. */
function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  const isGenerated = from.endsWith('db/generated');
  cpSync(join(root, from), to, {
    recursive: true,
    filter: (path) => isGenerated || !path.endsWith('db/generated'),
  });
}

function linkProductionPackages(target: string): void {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>;
  };
  for (const [path, { dev = false }] of Object.entries(lock.packages)) {
    if (path === '' || dev || !existsSync(join(root, path))) continue;
    linkTree(join(root, path), join(target, relative('node_modules', path)));
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
