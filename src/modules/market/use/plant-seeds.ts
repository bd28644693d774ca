import type { Address } from '@tradepost/solana';
import { isYoung } from '../../../core/time/age.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { SeedFile } from '../../../platform/ports/seed-file.ts';
import { readPoolSeeds } from '../rules/pool-seeds.ts';
import { type BelievePoolsDeps, believePools } from './believe-pools.ts';

/** A look at a pool and at all that its price rests on is up to 20 accounts. */
const SEEDS_PER_RUN = 32;
/** The catalogue forgets pools without a question for a month. */
const AGAIN_AFTER_MS = 7 * 86_400_000;
/** As of a pool that people asked for a while ago: it is looked at once a day, and goes first where there is no room. */
const ASKED_BEFORE_MS = 3_600_000;

export type PlantSeedsDeps = BelievePoolsDeps & {
  readonly clock: Clock;
  readonly log: Pick<Logger, 'info' | 'warn'>;
};

/**
 * Carries the pools of an operator's file into the catalogue, a few at each call, and begins anew when the file changes and once a week. A
 * file that is missing, unreadable or without a pool is a line in the log, once. Never throws: a node that is away has its turn again.
 */
export function createSeedPlanter(deps: PlantSeedsDeps, file: SeedFile | null): () => Promise<void> {
  let said = '';
  let known: { readonly version: string; readonly ids: readonly Address[]; readonly since: number } | null =
    null;
  let [at, believed] = [0, 0];
  const warnOnce = (words: string, facts: object): void => {
    if (said === words) return;
    said = words;
    deps.log.warn(facts, words);
  };

  const read = async (seeds: SeedFile, version: string): Promise<readonly Address[]> => {
    const { text, isCut } = await seeds.read();
    const { ids, ...others } = readPoolSeeds(text);
    const facts = { file: seeds.path, pools: ids.length, ...others, isCut };
    if (ids.length === 0) warnOnce('the seed file names no pool', facts);
    else deps.log.info(facts, 'read the seed file of pools');
    known = { version, ids, since: deps.clock.now() };
    [at, believed] = [0, 0];
    return ids;
  };

  const plant = async (seeds: SeedFile): Promise<void> => {
    const version = await seeds.version();
    if (version === null) {
      known = null;
      warnOnce('there is no seed file of pools', { file: seeds.path });
      return;
    }
    const now = deps.clock.now();
    const isNew = known?.version !== version || !isYoung(known.since, AGAIN_AFTER_MS, deps.clock);
    const ids = isNew ? await read(seeds, version) : (known?.ids ?? []);
    if (at >= ids.length) return;
    const batch = ids.slice(at, at + SEEDS_PER_RUN);
    believed += await believePools(deps, batch, { asked: [], now, askedAt: now - ASKED_BEFORE_MS });
    at += batch.length;
    said = '';
    if (at >= ids.length)
      deps.log.info({ pools: ids.length, believed }, 'looked at all pools of the seed file');
  };

  return async () => {
    if (file === null) return;
    try {
      await plant(file);
    } catch (err) {
      warnOnce('the seed file of pools waits: it or the chain cannot be read', { file: file.path, err });
    }
  };
}
