import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChainAccount, WSOL_MINT } from '@tradepost/solana';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cpmmPools } from '../../../packages/venues/src/raydium-cpmm/derive.ts';
import { raydiumCpmm } from '../../../packages/venues/src/raydium-cpmm/index.ts';
import { RAYDIUM_CPMM_PROGRAM } from '../../../packages/venues/src/raydium-cpmm/layout.ts';
import { testAddress } from '../../../packages/venues/test/shared/build.ts';
import { hasCode } from '../../../src/core/errors/app-error.ts';
import { MOST_SEEDS, readPoolSeeds } from '../../../src/modules/market/rules/pool-seeds.ts';
import { createSeedPlanter } from '../../../src/modules/market/use/plant-seeds.ts';
import { createHistorySearch } from '../../../src/modules/market/use/search-history.ts';
import { createPoolIndex } from '../../../src/platform/chain/pool-index.ts';
import { createSeedFile } from '../../../src/platform/files/seed-file.ts';
import { createExchangeVenue } from '../../../src/platform/venues/exchange-venue.ts';
import { A, B, FIXTURE, FOREIGN, FORGED, namedRig as rig } from './named-pools-rig.ts';

const DAY = 86_400_000;

function seedFile(text: string | null): {
  readonly path: string;
  readonly file: ReturnType<typeof createSeedFile>;
} {
  const dir = mkdtempSync(join(tmpdir(), 'pool-seeds-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const path = join(dir, 'pools.txt');
  if (text !== null) writeFileSync(path, text);
  return { path, file: createSeedFile(path) };
}

describe('pools that a file names', () => {
  it('are quoted once the decoder saw them, also where no search found them and no node lists any', async () => {
    const { deps, known, state } = rig();
    const { file } = seedFile(`# deepest pools\n\n  ${FIXTURE.id}   # SOL/USDC\r\n`);
    const plant = createSeedPlanter(deps, file);
    expect(await known()).toEqual([]);
    await plant();
    state.now += 10_001;
    expect(await known()).toEqual([FIXTURE.id]);
    const [pool] = await deps.catalogue.duePools({
      venue: 'raydium-cpmm',
      askedSince: 0,
      seenBefore: state.now + 1,
      limit: 9,
    });
    expect(pool?.seen).toMatchObject({ slot: 77n, reserves: [1_000_000n, 2_000_000n] });
  });

  it('are known to the first question about their pair', async () => {
    const { deps, known } = rig();
    await createSeedPlanter(deps, seedFile(FIXTURE.id).file)();
    expect(await known()).toEqual([FIXTURE.id]);
  });

  it.each(Object.keys(FORGED))('are none with %s', async (fault) => {
    const { deps, forged, accounts, known } = rig();
    const id = forged[Object.keys(FORGED).indexOf(fault)] ?? FOREIGN;
    expect(accounts.has(id)).toBe(true);
    await createSeedPlanter(deps, seedFile(`${id}\n${FIXTURE.id}\n`).file)();
    expect(await known()).toEqual([FIXTURE.id]);
    const all = { venue: 'raydium-cpmm', askedSince: 0, seenBefore: Number.MAX_SAFE_INTEGER, limit: 99 };
    expect(await deps.catalogue.duePools(all)).toHaveLength(1);
  });

  it('cost a few calls a run, and all have their turn', async () => {
    const { deps, forged, calls, known, lines } = rig();
    const many = Array.from({ length: 100 }, (_, n) => testAddress(50_000 + n));
    const plant = createSeedPlanter(deps, seedFile([...many, ...forged, FIXTURE.id].join('\n')).file);
    for (let run = 0; run < 4; run += 1) {
      const before = { ...calls };
      await plant();
      expect(calls.accounts - before.accounts).toBeLessThanOrEqual(4);
    }
    expect(await known()).toEqual([FIXTURE.id]);
    const done = { ...calls };
    await plant();
    expect(calls).toEqual(done);
    expect(lines.at(-1)).toMatchObject({ facts: { pools: 116, believed: 1 } });
  });

  it('are read anew when the file changes, and once a week', async () => {
    const { deps, calls, state } = rig();
    const { path, file } = seedFile(`${testAddress(50_000)}\n`);
    const plant = createSeedPlanter(deps, file);
    await plant();
    await plant();
    expect(calls.accounts).toBe(1);
    appendFileSync(path, `${testAddress(50_001)}\n`);
    await plant();
    expect(calls.accounts).toBe(2);
    state.now += 7 * DAY + 1;
    await plant();
    await plant();
    expect(calls.accounts).toBe(3);
  });

  it('wait for a node that is away, and are then looked at from the same place', async () => {
    const { deps, state, known, lines } = rig();
    const plant = createSeedPlanter(deps, seedFile(FIXTURE.id).file);
    state.isAway = true;
    for (let run = 0; run < 3; run += 1) await plant();
    expect(lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
    state.isAway = false;
    await plant();
    expect(await known()).toEqual([FIXTURE.id]);
  });

  it.each<[string, (path: string) => void, string]>([
    ['is not there', () => undefined, 'there is no seed file of pools'],
    ['is a folder', (path) => mkdirSync(path), 'there is no seed file of pools'],
    ['is empty', (path) => writeFileSync(path, ''), 'the seed file names no pool'],
    [
      'is a page',
      (path) => writeFileSync(path, '<!doctype html>\n<html><body>Sign in</body></html>'),
      'the seed file names no pool',
    ],
    [
      'is one endless line',
      (path) => writeFileSync(path, '1'.repeat(9_000_000)),
      'the seed file names no pool',
    ],
    ['is of bytes', (path) => writeFileSync(path, Buffer.alloc(50_000, 0xfe)), 'the seed file names no pool'],
  ])('are none where the file %s: one line in the log, and no call', async (_, make, words) => {
    const { deps, calls, lines } = rig();
    const { path, file } = seedFile(null);
    make(path);
    const plant = createSeedPlanter(deps, file);
    for (let run = 0; run < 3; run += 1) await plant();
    expect(lines.map((line) => [line.level, line.words])).toEqual([['warn', words]]);
    expect(calls.asked).toBe(0);
  });

  it('are bounded in a file of a million lines, which is read in part and says so', async () => {
    const { deps, calls, lines } = rig();
    const { file } = seedFile(
      Array.from({ length: 1_000_000 }, (_, n) => `${testAddress(200_000 + n)}\n`).join(''),
    );
    await createSeedPlanter(deps, file)();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ level: 'info', facts: { pools: MOST_SEEDS, isCut: true } });
    expect(calls.asked).toBe(32);
  });
});

describe('the lines of a seed file', () => {
  it('count once, whatever is between and behind them', () => {
    const [one, two] = [testAddress(1), testAddress(2)];
    const text = `${one}\n${two} # deep\n#${testAddress(3)}\n${one}\nnot an address\n${two}${two}\n0OIl\n\n`;
    expect(readPoolSeeds(text)).toEqual({ ids: [one, two], wrong: 3, repeated: 1, leftOut: 0 });
  });

  it('are bounded in number', () => {
    const lines = Array.from({ length: 150_000 }, () => 'x').join('\n');
    expect(readPoolSeeds(lines)).toMatchObject({ ids: [], wrong: 100_000, leftOut: 50_000 });
    const ids = Array.from({ length: MOST_SEEDS + 7 }, (_, n) => testAddress(n)).join('\n');
    expect(readPoolSeeds(ids)).toMatchObject({ wrong: 0, leftOut: 7 });
  });
});

describe('an account at the place where a pool of the mints would be', () => {
  /** A quote of the pair, by a venue that knows nothing but that place. */
  const quotedWith = async (account: ChainAccount | undefined) => {
    const { deps, accounts } = rig();
    const [place = FOREIGN] = cpmmPools.near(A, B);
    if (account === undefined) throw new Error('no such account');
    accounts.set(place, account);
    const poolIndex = createPoolIndex({
      store: deps.catalogue,
      now: deps.clock.now,
      onProblem: () => undefined,
    });
    const venue = createExchangeVenue(raydiumCpmm, {
      chain: deps.chain,
      programAccounts: { find: async () => null },
      poolIndex,
    });
    const pools = await venue.pools(A, B).catch((error: unknown) => {
      if (hasCode(error, 'SEARCHING')) return [];
      throw error;
    });
    return pools.map(({ id }) => id === place);
  };

  it('is a pool as it is', async () => {
    expect(await quotedWith(FIXTURE.accounts.get(FIXTURE.id))).toEqual([true]);
  });

  it.each(Object.entries(FORGED))('is not quoted with %s', async (_, account) => {
    expect(await quotedWith(account)).toEqual([]);
  });
});

describe('pools that a mint’s transactions name', () => {
  it('are found among 15 forged ones, within a bounded number of calls, and the forged ones are not', async () => {
    const { deps, forged, calls, state, known } = rig();
    expect(forged).toHaveLength(15);
    state.history = [
      forged.slice(0, 8),
      [...forged.slice(8), FIXTURE.id, A],
      [RAYDIUM_CPMM_PROGRAM],
      [FOREIGN],
    ];
    const search = createHistorySearch(deps);
    expect(await search(A)).toBe(true);
    expect([calls.signatures, calls.landed]).toEqual([1, 3]);
    expect(calls.accounts).toBeLessThanOrEqual(4);
    expect(await known()).toEqual([FIXTURE.id]);
    const all = { venue: 'raydium-cpmm', askedSince: 0, seenBefore: Number.MAX_SAFE_INTEGER, limit: 99 };
    expect(await deps.catalogue.duePools(all)).toHaveLength(1);
  });

  it('are none where the decoder says that they are of other mints', async () => {
    const { deps, state, known } = rig();
    state.history = [[FIXTURE.id]];
    await createHistorySearch(deps)(FOREIGN);
    expect(await known()).toEqual([]);
  });

  it('cost two reads of accounts where three transactions name hundreds', async () => {
    const { deps, calls, state } = rig();
    state.history = Array.from({ length: 15 }, (_, n) =>
      Array.from({ length: 256 }, (_one, m) => testAddress(100_000 + 256 * n + m)),
    );
    await createHistorySearch(deps)(A);
    expect(calls).toMatchObject({ signatures: 1, landed: 3, accounts: 2, asked: 200 });
  });

  it('are searched once in ten minutes for a mint', async () => {
    const { deps, calls, state } = rig();
    const search = createHistorySearch(deps);
    expect([await search(A), await search(A), await search(WSOL_MINT)]).toEqual([true, false, true]);
    state.now += 600_000;
    expect(await search(A)).toBe(true);
    expect(calls.signatures).toBe(3);
  });
});
