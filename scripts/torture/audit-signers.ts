import { setTimeout as pause } from 'node:timers/promises';
import { bytesOf, filesIn } from '../../src/platform/journal/mirror/folder-files.ts';
import { insist } from './insist.ts';
import { type JudgedTerm, judgeSigners, type SignerProblem } from './judge-signers.ts';
import type { TortureWorld } from './world.ts';

/** In fair weather a signer that came back has every line within this time; the yardstick of slow machines is below it. */
const LEVEL_MS = 90_000;

type Rows = Pick<TortureWorld, 'query'>;

/** Notes each moment in which the lease goes to another signer. Before the first signer starts, and after the migrations. */
export async function noteTerms({ query }: Rows): Promise<void> {
  await query(`CREATE TABLE torture_terms (n bigserial PRIMARY KEY, at timestamptz NOT NULL, holder text NOT NULL,
    ends timestamptz NOT NULL, former text NOT NULL, former_ends timestamptz NOT NULL)`);
  await query(`CREATE FUNCTION torture_note_term() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO torture_terms (at, holder, ends, former, former_ends)
      VALUES (clock_timestamp(), NEW.holder, NEW.until, OLD.holder, OLD.until);
    RETURN NULL; END $$`);
  await query(`CREATE TRIGGER torture_terms AFTER UPDATE ON signer_lease FOR EACH ROW
    WHEN (OLD.holder IS DISTINCT FROM NEW.holder) EXECUTE FUNCTION torture_note_term()`);
}

async function termsOf({ query }: Rows): Promise<readonly JudgedTerm[]> {
  const ms = (column: string): string => `extract(epoch FROM ${column}) * 1000`;
  const rows = await query(
    `SELECT holder, former, (${ms('at')})::text AS at, (${ms('ends')})::text AS ends, (${ms('former_ends')})::text AS "formerEnds"
     FROM torture_terms ORDER BY n`,
  );
  return rows.map(({ holder = '', former = '', at, ends, formerEnds }) => ({
    holder,
    former,
    at: Number(at),
    ends: Number(ends),
    formerEnds: Number(formerEnds),
  }));
}

/** The signer that holds the lease, and whether the other one has each line. Null while Postgres is away. */
export async function leaseNow({
  query,
}: Rows): Promise<{ readonly holder: string; readonly isLevel: boolean } | null> {
  const rows = await query(`SELECT holder, cardinality(level)::text AS level FROM signer_lease`).catch(
    () => [],
  );
  const [row] = rows;
  return row === undefined ? null : { holder: row['holder'] ?? '', isLevel: row['level'] === '1' };
}

/** Terms alone, during a storm. */
export async function auditTerms(world: Rows): Promise<{ readonly problems: readonly SignerProblem[] }> {
  return { problems: judgeSigners({ terms: await termsOf(world), journals: null, given: [] }) };
}

export type SignerFindings = {
  readonly terms: number;
  readonly lines: number;
  readonly problems: readonly SignerProblem[];
};

/** Terms, the journals on both disks and the signatures of all rows, in fair weather: both folders are waited for until they are the same. */
export async function auditSigners(
  world: Rows,
  folders: Readonly<Record<string, string>>,
): Promise<SignerFindings> {
  for (const endsAt = Date.now() + LEVEL_MS; Date.now() < endsAt; await pause(500)) {
    if ((await leaseNow(world))?.isLevel !== true) continue;
    const [one, ...others] = Object.values(await journalsOf(folders)).map((lines) => lines.join('\n'));
    if (others.every((other) => other === one)) break;
  }
  const rows = await insist(() => world.query('SELECT signature FROM attempts'));
  const given = rows.map(({ signature = '' }) => signature);
  // Read after the rows: what left has its line by then.
  const journals = await journalsOf(folders);
  const terms = await termsOf(world);
  const lines = Math.max(...Object.values(journals).map(({ length }) => length));
  return { terms: terms.length, lines, problems: judgeSigners({ terms, journals, given }) };
}

async function journalsOf(
  folders: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const all = await Promise.all(
    Object.entries(folders).map(async ([name, folder]) => [name, await linesIn(folder)] as const),
  );
  return Object.fromEntries(all);
}

async function linesIn(folder: string): Promise<readonly string[]> {
  const files = (await filesIn(folder)).filter(({ file }) => file.startsWith('journal'));
  const texts = await Promise.all(
    files.map(async ({ file }) => (await bytesOf(folder, file)).toString('utf8')),
  );
  return texts.flatMap((text) => text.trimEnd().split('\n'));
}
