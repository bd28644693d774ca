/** `npm run ops -- pools import`: looks at the pools that a file names, and puts those into the catalogue that their venues price. */
import type { Address } from '../../src/core/address/address.ts';
import { MOST_SEEDS, type SeedLine, seedLines } from '../../src/modules/market/rules/pool-seeds.ts';
import { createPoolCatalogue } from '../../src/modules/market/store/pool-catalogue.ts';
import {
  catalogueNamed,
  type LookAtNamedDeps,
  lookAtNamed,
  type NamedLook,
} from '../../src/modules/market/use/believe-pools.ts';
import { createProgramAccounts } from '../../src/platform/chain/program-accounts.ts';
import { createPrograms } from '../../src/platform/chain/programs.ts';
import { systemClock } from '../../src/platform/clock/clock.ts';
import { createSeedFile } from '../../src/platform/files/seed-file.ts';
import { openVenues } from '../../src/platform/venues/index.ts';
import type { Refusal } from '../../src/platform/venues/shared/exchange/refusal.ts';
import type { Io } from './command.ts';
import { chainUrls, openChain, openDatabase } from './open.ts';
import { recordAct } from './operator.ts';
import { OpsError } from './ops-error.ts';

/** A look at a pool and at all that its price rests on is up to 20 accounts. */
const POOLS_PER_LOOK = 32;
/** Refused lines that are printed; the others are counted. */
const MOST_PRINTED = 200;
/** As of a pool that people asked for a while ago: one that they ask for now keeps its room before these. */
const ASKED_BEFORE_MS = 3_600_000;
const WORD_PRINTED = 60;

/**
 * Without `yes` it only looks and prints. 0 = every line is a pool and was taken; 1 = a line was refused, or nothing was taken. What was taken
 * before an outage stays, and taking it again changes nothing. Throws an OpsError where there is no such file.
 */
export async function importPools(io: Io, path: string, { yes }: { readonly yes: boolean }): Promise<number> {
  const file = createSeedFile(path);
  if ((await file.version()) === null) throw new OpsError(`${path} is no file`);
  const { text, isCut } = await file.read();
  if (isCut) io.note(`${path} is longer than 4 MB: the rest is not read`);
  const { refuse, counts } = createRefusals(io);
  const named = new Map<Address, number>();
  for (const line of seedLines(text)) {
    if (line.kind === 'id') named.set(line.id, line.line);
    else refuse(line.line, wordsOfLine(line));
  }
  const { db, close } = await openDatabase(io);
  try {
    const { deps, refusals } = await openLook(io);
    if (yes && named.size > 0)
      await recordAct(db, 'operator-command', { command: 'pools import', words: [String(named.size)] });
    const catalogue = db.open(createPoolCatalogue);
    let taken = 0;
    const ids = [...named.keys()];
    for (let at = 0; at < ids.length; at += POOLS_PER_LOOK) {
      refusals.clear();
      const looks = await lookAtNamed(deps, ids.slice(at, at + POOLS_PER_LOOK), []);
      const now = systemClock().now();
      if (yes) await catalogueNamed({ catalogue }, looks, { now, askedAt: now - ASKED_BEFORE_MS });
      for (const look of looks) {
        const line = named.get(look.id) ?? 0;
        if (look.kind !== 'pool') {
          refuse(line, `${look.id} ${wordsOfLook(look, refusals)}`);
          continue;
        }
        taken += 1;
        const [a, b] = look.seen.pool.mints;
        io.print(`line ${line}: ${look.id} is a pool of ${look.venue}: ${a} and ${b}`);
      }
    }
    summarize(io, { taken, refused: counts(), yes });
    return taken > 0 && counts() === 0 && yes ? 0 : 1;
  } finally {
    await close();
  }
}

function summarize(
  io: Io,
  { taken, refused, yes }: { readonly taken: number; readonly refused: number; readonly yes: boolean },
): void {
  if (refused > MOST_PRINTED) io.print(`${refused - MOST_PRINTED} more lines were refused.`);
  const done = yes ? 'are in the catalogue' : 'would be taken';
  io.print(`${taken} pools ${done}, ${refused} lines were refused.`);
  if (!yes && taken > 0) io.print('Nothing was written. Add --yes to take them.');
}

/** Prints the first refused lines and counts all. */
function createRefusals(io: Io): {
  readonly refuse: (line: number, words: string) => void;
  readonly counts: () => number;
} {
  let refused = 0;
  return {
    refuse: (line, words) => {
      refused += 1;
      if (refused <= MOST_PRINTED) io.print(`line ${line}: refused: ${words}`);
    },
    counts: () => refused,
  };
}

/** A word of a file may hold anything: only what can be seen is printed, in quotes. */
function wordsOfLine(line: Exclude<SeedLine, { readonly kind: 'id' }>): string {
  switch (line.kind) {
    case 'wrong': {
      const seen = line.word.slice(0, WORD_PRINTED).replace(/[^\x20-\x7e]/g, '?');
      return `"${seen}${line.word.length > WORD_PRINTED ? '…' : ''}" is no address`;
    }
    case 'repeated':
      return `${line.id} is on line ${line.before} already`;
    case 'left-out':
      return `beyond the ${MOST_SEEDS} pools or 100000 lines that are read of a file`;
  }
}

function wordsOfLook(
  look: Exclude<NamedLook, { readonly kind: 'pool' }>,
  refusals: ReadonlyMap<Address, Refusal>,
): string {
  switch (look.kind) {
    case 'absent':
      return 'is no account on this chain';
    case 'foreign':
      return `belongs to ${look.owner}, which is no exchange that this service trades on here`;
    case 'unread':
      return `could not be looked at by ${look.venue}; run the command again`;
    case 'refused': {
      const refusal = refusals.get(look.id);
      const why = refusal === undefined ? '' : ` (${refusal.reason}: ${refusal.detail})`;
      return `is no pool that ${look.venue} prices now${why}`;
    }
  }
}

/** The venues that this chain has, with the reason of each refused pool. Throws CHAIN_UNREACHABLE. */
async function openLook(
  io: Io,
): Promise<{ readonly deps: LookAtNamedDeps; readonly refusals: Map<Address, Refusal> }> {
  const config = io.config();
  const { chain } = openChain(config);
  const refusals = new Map<Address, Refusal>();
  const { venues } = await openVenues({
    chain,
    programs: createPrograms(),
    deskUrl: null,
    programAccounts: createProgramAccounts({ urls: chainUrls(config) }),
    onRefusal: (pool, refusal) => void refusals.set(pool, refusal),
    onFailure: () => undefined,
  });
  const log = {
    warn: (facts: object, words: string) => io.note(`${words}: ${'err' in facts ? String(facts.err) : ''}`),
  };
  return { deps: { chain, venues, log }, refusals };
}
