/** `npm run ops -- pools import`: looks at the pools that a file names, and puts those into the catalogue that their venues price. */
import type { Address } from '@tradepost/solana';
import { createPoolCatalogue } from '../../src/modules/market/store/pool-catalogue.ts';
import {
  type ImportedLine,
  type ImportPoolsDeps,
  importPools as importLines,
} from '../../src/modules/market/use/import-pools.ts';
import { createProgramAccounts } from '../../src/platform/chain/program-accounts.ts';
import { createPrograms } from '../../src/platform/chain/programs.ts';
import { systemClock } from '../../src/platform/clock/clock.ts';
import type { PrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import { createSeedFile } from '../../src/platform/files/seed-file.ts';
import { openVenues } from '../../src/platform/venues/index.ts';
import type { Io } from './command.ts';
import { chainUrls, openChain, openDatabase } from './open.ts';
import { recordAct } from './operator.ts';
import { OpsError } from './ops-error.ts';

/** Refused lines that are printed; the others are counted. */
const MOST_PRINTED = 200;

/**
 * Without `yes` it looks and prints alone. 0 = every line is a pool and was taken; 1 = a line was refused, or nothing was taken. Throws an
 * OpsError where there is no such file.
 */
export async function importPools(io: Io, path: string, { yes }: { readonly yes: boolean }): Promise<number> {
  const file = createSeedFile(path);
  if ((await file.version()) === null) throw new OpsError(`${path} is no file`);
  const { text, isCut } = await file.read();
  if (isCut) io.note(`${path} is longer than 4 MB: the rest is not read`);
  const counts = { pool: 0, refused: 0 };
  const tell = (line: ImportedLine): void => {
    counts[line.kind] += 1;
    if (line.kind === 'pool')
      io.print(`line ${line.line}: ${line.id} is a pool of ${line.venue}: ${line.mints.join(' and ')}`);
    else if (counts.refused <= MOST_PRINTED) io.print(`line ${line.line}: refused: ${line.words}`);
  };
  const { db, close } = await openDatabase(io);
  try {
    const deps = await openLook(io, db);
    if (yes) await recordAct(db, 'operator-command', { command: 'pools import', words: [path.slice(-100)] });
    await importLines(deps, text, { writes: yes }, tell);
  } finally {
    await close();
  }
  if (counts.refused > MOST_PRINTED) io.print(`${counts.refused - MOST_PRINTED} more lines were refused.`);
  const done = yes ? 'are in the catalogue' : 'would be taken';
  io.print(`${counts.pool} pools ${done}, ${counts.refused} lines were refused.`);
  if (!yes && counts.pool > 0) io.print('Nothing was written. Add --yes to take them.');
  return yes && counts.pool > 0 && counts.refused === 0 ? 0 : 1;
}

/** The venues that this chain has, with the reason against each refused pool. Throws CHAIN_UNREACHABLE. */
async function openLook(io: Io, db: PrismaDatabase): Promise<ImportPoolsDeps> {
  const config = io.config();
  const { chain } = openChain(config);
  const reasons = new Map<Address, string>();
  const { venues } = await openVenues({
    chain,
    programs: createPrograms(),
    deskUrl: null,
    programAccounts: createProgramAccounts({ urls: chainUrls(config) }),
    onRefusal: (pool, { reason, detail }) => void reasons.set(pool, `${reason}: ${detail}`),
    onFailure: () => undefined,
  });
  const warn = (_facts: object, words: string): void => io.note(words);
  return {
    chain,
    venues,
    catalogue: db.open(createPoolCatalogue),
    clock: systemClock(),
    log: { warn },
    reasonOf: (pool) => reasons.get(pool) ?? null,
  };
}
