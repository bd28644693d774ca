import { describe, expect, it } from 'vitest';
import { testAddress } from '../../../packages/venues/test/shared/build.ts';
import { MOST_SEEDS } from '../../../src/modules/market/rules/pool-seeds.ts';
import { type ImportedLine, importPools } from '../../../src/modules/market/use/import-pools.ts';
import { A, B, FIXTURE, FOREIGN, FORGED, namedRig } from './named-pools-rig.ts';

const ALL = { venue: 'raydium-cpmm', askedSince: 0, seenBefore: Number.MAX_SAFE_INTEGER, limit: 99 };

function rig() {
  const named = namedRig();
  const reasonOf = (id: ReturnType<typeof testAddress>): string | null => {
    const refusal = named.refusals.get(id);
    return refusal === undefined ? null : `${refusal.reason}: ${refusal.detail}`;
  };
  const run = async (text: string, writes = true): Promise<readonly ImportedLine[]> => {
    const told: ImportedLine[] = [];
    await importPools({ ...named.deps, reasonOf }, text, { writes }, (line) => told.push(line));
    return told;
  };
  const taken = async () => (await named.deps.catalogue.duePools(ALL)).map(({ id }) => id);
  return { ...named, run, taken };
}
const words = (line: ImportedLine | undefined): string => (line?.kind === 'refused' ? line.words : '');

describe('an import of pools', () => {
  it('tells the pool of a line with its venue and mints, and puts it where quotes look', async () => {
    const { run, known } = rig();
    expect(await run(`# mine\n${FIXTURE.id}\n`)).toEqual([
      { line: 2, kind: 'pool', id: FIXTURE.id, venue: 'raydium-cpmm', mints: [A, B] },
    ]);
    expect(await known()).toEqual([FIXTURE.id]);
  });

  it('writes nothing where it only looks, and changes nothing where it is run again', async () => {
    const { run, taken, deps } = rig();
    expect(await run(FIXTURE.id, false)).toHaveLength(1);
    expect(await taken()).toEqual([]);
    await run(FIXTURE.id);
    const before = await deps.catalogue.duePools(ALL);
    await run(FIXTURE.id);
    expect(await deps.catalogue.duePools(ALL)).toEqual(before);
  });

  it.each(Object.keys(FORGED))('refuses an account with %s, with a reason', async (fault) => {
    const { run, forged, taken } = rig();
    const id = forged[Object.keys(FORGED).indexOf(fault)] ?? FOREIGN;
    const told = await run(`${FIXTURE.id}\n${id}`);
    expect(told.map(({ kind }) => kind)).toEqual(['pool', 'refused']);
    expect(words(told[1])).toMatch(
      /is no pool that raydium-cpmm prices now( \([a-z-]+: .+\))?$|belongs to \w+, which is no exchange/,
    );
    expect(await taken()).toEqual([FIXTURE.id]);
  });

  it('names the reason of the decoder', async () => {
    const { run, forged } = rig();
    const id = forged[Object.keys(FORGED).indexOf('another discriminator')] ?? FOREIGN;
    expect(words((await run(id))[0])).toMatch(/\(not-a-pool: /);
  });

  it('refuses lines by their number: no address, an address twice, an account that is not there, one of no exchange', async () => {
    const { run, taken } = rig();
    const absent = testAddress(77_777);
    const text = `not an address\n${FIXTURE.id} # here\n\n${FIXTURE.id}\n${absent}\n${A}\n<html>\u001b[2J`;
    const told = await run(text);
    const at = (line: number) => words(told.find((one) => one.line === line));
    expect(at(1)).toBe('"not an addre…" is no address');
    expect(at(4)).toBe(`${FIXTURE.id} is on line 2 already`);
    expect(at(5)).toBe(`${absent} is no account on this chain`);
    expect(at(6)).toMatch(/^\S+ (is no account on this chain|belongs to )/);
    expect(at(7)).toBe('"<html>?[2J" is no address');
    expect(told).toHaveLength(6);
    expect(await taken()).toEqual([FIXTURE.id]);
  });

  it('repeats no more than the beginning of an endless line', async () => {
    const { run } = rig();
    expect(words((await run('1'.repeat(1_000_000)))[0]).length).toBeLessThan(40);
  });

  it('reads no more of a file than its bound, and says so of each line beyond', async () => {
    const { run, calls } = rig();
    const ids = Array.from({ length: MOST_SEEDS + 2 }, (_, n) => testAddress(200_000 + n));
    const told = await run(ids.join('\n'), false);
    expect(told).toHaveLength(MOST_SEEDS + 2);
    expect(told.filter((line) => words(line).startsWith('beyond the 20000 pools'))).toHaveLength(2);
    expect(calls.asked).toBe(MOST_SEEDS);
  });

  it('says that a venue could not look, and takes the pools of the others', async () => {
    const { deps, accounts, run, forged } = rig();
    const [id] = forged;
    const broken = { ...deps.venues[0], name: 'broken', programId: FOREIGN } as (typeof deps.venues)[number];
    (deps.venues as (typeof broken)[]).push({
      ...broken,
      upkeep: {
        search: async () => ({ pools: [], outcome: 'whole' }),
        look: async () => [],
        recognize: async () => {
          throw new Error('nonsense');
        },
      },
    });
    expect(accounts.get(id ?? FOREIGN)?.owner).toBe(FOREIGN);
    const told = await run(`${id}\n${FIXTURE.id}`);
    expect(words(told[0])).toMatch(/could not be looked at by broken; run the command again$/);
    expect(told[1]?.kind).toBe('pool');
  });

  it('keeps what was taken before the node went away', async () => {
    const { run, state, taken, deps } = rig();
    const add = deps.catalogue.add.bind(deps.catalogue);
    deps.catalogue.add = async (...given) => {
      await add(...given);
      state.isAway = true;
    };
    const rest = Array.from({ length: 64 }, (_, n) => testAddress(300_000 + n));
    await expect(run([FIXTURE.id, ...rest].join('\n'))).rejects.toThrow('no node answers');
    expect(await taken()).toEqual([FIXTURE.id]);
  });
});
