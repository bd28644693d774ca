/** The names that `docker-compose.yml`, the files of `deploy/compose` and `deploy/roles.sh` read from the `.env` of this folder, and hand on to every process. */
export const OTHERS_NAMES: ReadonlySet<string> = new Set([
  'API_DOMAIN',
  'BACKUP_RECIPIENT',
  'BOT_DOMAIN',
  'FIRST_HEALTH_PORT',
  'HOST_A',
  'HOST_B',
  'HOST_C',
  'HOST_PRIMARY',
  'HOST_WITNESS',
  'PRO_API_DOMAIN',
]);

/** Names near ours that others set: systemd, and the image of Postgres. */
const NEAR_NAMES: ReadonlySet<string> = new Set(['JOURNAL_STREAM', 'POSTGRES_DB']);

/** First words that other programs share with us, and set without asking: Node's own, the SDK of AWS, Vault's client, Postgres' images. */
const SHARED_WORDS: ReadonlySet<string> = new Set(['NODE', 'AWS', 'VAULT', 'POSTGRES']);

/** The names that Kubernetes sets for each Service of a namespace, by the Service's name. */
const SERVICE_LINK =
  /_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/;
const LINK_VALUE = /^(tcp|udp|sctp):\/\//;

type Given = Readonly<Record<string, string | undefined>>;

/**
 * A sentence for each name that looks like ours and is none: every unknown name of an env file; in the environment, which other programs
 * share, those at most two letters from one of ours or with our first word. `allowed` are let through. An ignored name is a setting that
 * an operator believes to be on.
 */
export function unknownNames(
  environment: Given,
  {
    known,
    inFile,
    allowed,
  }: {
    readonly known: readonly string[];
    /** Names that stand in an env file. */
    readonly inFile: ReadonlySet<string>;
    readonly allowed: ReadonlySet<string>;
  },
): readonly string[] {
  const ours = new Set(known);
  const words = new Set(known.map((name) => `${firstWord(name)}_`));
  const isLink = (name: string): boolean =>
    (SERVICE_LINK.test(name) && !ours.has(name)) ||
    (name.endsWith('_PORT') && LINK_VALUE.test(environment[name] ?? ''));
  const names = [...new Set([...Object.keys(environment), ...inFile])].filter(
    (name) => !allowed.has(name) && !OTHERS_NAMES.has(name) && !NEAR_NAMES.has(name),
  );
  const suspects = names.filter((name) => {
    if (ours.has(name)) return isLink(name) && environment[name] !== undefined;
    if (inFile.has(name)) return true;
    if (!/^[A-Z][A-Z0-9_]*$/.test(name)) return false;
    const word = firstWord(name);
    return (
      (words.has(`${word}_`) && name.includes('_') && !SHARED_WORDS.has(word)) ||
      nearest(name, known, 2) !== null
    );
  });
  const links = suspects.filter((name) => isLink(name));
  const others = suspects.filter((name) => !isLink(name)).toSorted();
  const [link] = links.toSorted();
  return [
    ...(link === undefined
      ? []
      : [
          `${link}: Kubernetes set this and ${links.length - 1} more for a Service. Put "enableServiceLinks: false" into the pod.`,
        ]),
    ...others.map((name) => {
      const near = nearest(name, known, Number.POSITIVE_INFINITY);
      return `${name}: unknown.${near === null ? '' : ` Did you mean ${near}?`}`;
    }),
  ];
}

function firstWord(name: string): string {
  return name.split('_')[0] ?? name;
}

/** The known name with the fewest letters to change, at most `within`; of a short name at most a third of its letters. */
function nearest(name: string, known: readonly string[], within: number): string | null {
  let found: string | null = null;
  let least = within + 1;
  for (const candidate of known) {
    const letters = distance(name, candidate);
    if (letters >= least || (within < Number.POSITIVE_INFINITY && letters * 3 > candidate.length)) continue;
    found = candidate;
    least = letters;
  }
  return found;
}

/** How many letters are put in, taken out or changed. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let at = 1; at <= a.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= b.length; to += 1) {
      const change = (row[to - 1] ?? 0) + (a[at - 1] === b[to - 1] ? 0 : 1);
      next.push(Math.min((row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1, change));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
