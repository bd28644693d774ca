import type { Address } from '@tradepost/solana';
import type { Clock } from '../../../platform/ports/clock.ts';
import { MOST_SEEDS, type SeedLine, seedLines } from '../rules/pool-seeds.ts';
import { type BelievePoolsDeps, catalogueNamed, lookAtNamed, type NamedLook } from './believe-pools.ts';

/** A look at a pool and at all that its price rests on is up to 20 accounts. */
const POOLS_PER_LOOK = 32;
/** As of a pool that people asked for a while ago: those that they ask for now go first where there is no room. */
const ASKED_BEFORE_MS = 3_600_000;
/** Characters of a wrong word that are repeated: enough to find it, and no secret where the file is a key. */
const MOST_REPEATED = 12;

export type ImportPoolsDeps = BelievePoolsDeps & {
  readonly clock: Clock;
  /** The reason of the venue's decoder against a pool that it was just asked about; null where it gave none. */
  readonly reasonOf: (pool: Address) => string | null;
};

/** The verdict on one line of the file. */
export type ImportedLine = { readonly line: number } & (
  | {
      readonly kind: 'pool';
      readonly id: Address;
      readonly venue: string;
      readonly mints: readonly [Address, Address];
    }
  | { readonly kind: 'refused'; readonly words: string }
);

/**
 * Looks at the pools that a text names, a line each, by the checks of a seed file, and tells the verdict on every line: first of those that
 * name none, then of the pools in the order named. With `writes` the pools are put into the catalogue, a few at a time, so that an outage loses
 * none that were told; putting one in again changes nothing. Throws CHAIN_UNREACHABLE.
 */
export async function importPools(
  deps: ImportPoolsDeps,
  text: string,
  { writes }: { readonly writes: boolean },
  tell: (line: ImportedLine) => void,
): Promise<void> {
  const lines = new Map<Address, number>();
  for (const one of seedLines(text)) {
    if (one.kind === 'id') lines.set(one.id, one.line);
    else tell({ line: one.line, kind: 'refused', words: wordsOfLine(one) });
  }
  const ids = [...lines.keys()];
  for (let at = 0; at < ids.length; at += POOLS_PER_LOOK) {
    const looks = await lookAtNamed(deps, ids.slice(at, at + POOLS_PER_LOOK), []);
    const now = deps.clock.now();
    if (writes) await catalogueNamed(deps, looks, { now, askedAt: now - ASKED_BEFORE_MS });
    for (const look of looks) {
      const line = lines.get(look.id) ?? 0;
      if (look.kind === 'pool')
        tell({ line, kind: 'pool', id: look.id, venue: look.venue, mints: look.seen.pool.mints });
      else tell({ line, kind: 'refused', words: `${look.id} ${wordsOfLook(look, deps.reasonOf(look.id))}` });
    }
  }
}

/** A word of a file may hold anything: its visible characters are repeated, and others are a question mark each. */
function wordsOfLine(line: Exclude<SeedLine, { readonly kind: 'id' }>): string {
  switch (line.kind) {
    case 'wrong': {
      const seen = line.word.slice(0, MOST_REPEATED).replace(/[^\x20-\x7e]/g, '?');
      return `"${seen}${line.word.length > MOST_REPEATED ? '…' : ''}" is no address`;
    }
    case 'repeated':
      return `${line.id} is on line ${line.before} already`;
    case 'left-out':
      return `beyond the ${MOST_SEEDS} pools or 100000 lines that are read of a file`;
  }
}

function wordsOfLook(look: Exclude<NamedLook, { readonly kind: 'pool' }>, reason: string | null): string {
  switch (look.kind) {
    case 'absent':
      return 'is no account on this chain';
    case 'foreign':
      return `belongs to ${look.owner}, which is no exchange that this service trades on here`;
    case 'unread':
      return `could not be looked at by ${look.venue}; run the command again`;
    case 'refused':
      return `is no pool that ${look.venue} prices now${reason === null ? '' : ` (${reason})`}`;
  }
}
