import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Address } from '@tradepost/solana';
import { STORED_MINUTES } from '@tradepost/tape';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DeskChain, startDeskChain } from '../../../../src/local/desk/index.ts';
import { createTestDatabase } from '../../../support/database.ts';
import { dice, startDeskTraders } from './support/desk-traders.ts';
import { expectExact } from './support/expect-exact.ts';
import { heldBy, openTapeRig, type TapeRig, vaultsOf } from './support/tape-rig.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const KILLS = 20;

let local: DeskChain;
let people: Awaited<ReturnType<typeof startDeskTraders>>;
let before: ReadonlyMap<Address, bigint>;

beforeAll(async () => {
  local = await startDeskChain({ slotMs: 25, seed: 'killed-indexer' });
  people = await startDeskTraders(local, 20);
  before = await heldBy(people.chain, vaultsOf(local));
});
afterAll(() => local.stop());

const rigOver = (databaseUrl: string): Promise<TapeRig> =>
  openTapeRig({
    databaseUrl,
    chain: people.chain,
    desk: people.desk,
    genesisHash: local.genesisHash,
    source: 'blocks',
    urls: [local.rpcUrl],
    wsUrls: [local.wsUrl],
  });

function startProcess(databaseUrl: string) {
  const child = spawn(
    process.execPath,
    [
      '--import',
      './scripts/register.mjs',
      'test/modules/market/indexer/support/indexer-process.ts',
      databaseUrl,
      local.rpcUrl,
      local.wsUrl,
      local.deskUrl,
      local.genesisHash,
    ],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  return {
    ready: new Promise<void>((resolve) => child.stdout.on('data', () => resolve())),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    kill: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** Everything that a reader can see of a tape, but when it was written down. */
async function contentsOf(rig: TapeRig): Promise<unknown> {
  const markets = (await rig.markets.all()).toSorted((a, b) => (a.address < b.address ? -1 : 1));
  return Promise.all(
    markets.map(async (market) => {
      const trades = await rig.tradesOf(market);
      const bars = await Promise.all(
        STORED_MINUTES.map((minutes) =>
          rig.tape.candles(market.id, minutes, { from: 0, to: 2 ** 40, limit: 10_000 }),
        ),
      );
      return {
        address: market.address,
        gap: market.gapSince,
        trades: trades.map((trade) => ({ ...trade, createdAt: 0, marketId: 0 })),
        bars,
      };
    }),
  );
}

describe('an indexer that is killed', () => {
  it('has in the end, to the unit and once, what one that never was has, wherever the blows fell', async () => {
    const databaseUrl = await createTestDatabase();
    const roll = dice(23);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const process = startProcess(databaseUrl);
      // Every third dies while it starts, the others while people trade.
      if (kill % 3 === 0) await pause(roll(1_500));
      else {
        await process.ready;
        await people.trade(1 + roll(12), roll);
        await pause(roll(1_500));
      }
      await process.kill();
      await people.trade(roll(4), roll);
    }
    await expectAsSpared(databaseUrl);
  }, 900_000);

  it('between the row of a market and its cursor leaves nothing that is never read', async () => {
    const spared = await rigOver(await createTestDatabase());
    await spared.indexer.start();
    await spared.sealedTo(BigInt(local.chain.slots.tip()));
    const markets = await spared.markets.all();
    await spared.close();

    const rig = await rigOver(await createTestDatabase());
    const mints = new Set(markets.flatMap(({ baseMint, quoteMint }) => [baseMint, quoteMint]));
    await rig.markets.nameMints(
      [...mints].map((mint) => ({ mint, symbol: null, verified: false, imitates: false })),
    );
    const rows = await rig.markets.record(markets);
    expect(await rig.tape.cursors()).toEqual([]);
    await people.trade(6, dice(31));
    await rig.indexer.start();
    await until(async () => (await rig.tape.cursors()).length === rows.length);
    await rig.sealedTo(BigInt(local.chain.slots.tip()));
    const after = await heldBy(people.chain, vaultsOf(local));
    for (const market of await rig.markets.all()) await expectExact(rig, market, local, { before, after });
    await rig.close();
  });

  it('lives on where Postgres cuts its connections, and has the same in the end', async () => {
    const databaseUrl = await createTestDatabase();
    const process = startProcess(databaseUrl);
    await process.ready;
    const admin = new pg.Client({ connectionString: databaseUrl });
    await admin.connect();
    const roll = dice(29);
    let cut = 0;
    for (let blow = 0; blow < KILLS; blow += 1) {
      await people.trade(1 + roll(4), roll);
      await pause(roll(700));
      const { rowCount } = await admin.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
      cut += rowCount ?? 0;
    }
    await admin.end();
    expect(cut).toBeGreaterThan(0);
    expect(process.hasEnded()).toBe(false);
    await process.kill();
    await expectAsSpared(databaseUrl);
  }, 900_000);
});

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 20_000;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error('it did not become so');
    await pause(50);
  }
}

/** What a tape that was hit says once it is sealed: what the vaults say, and what one says that never was hit. */
async function expectAsSpared(databaseUrl: string): Promise<void> {
  const slot = BigInt(local.chain.slots.tip());
  const survivor = await rigOver(databaseUrl);
  const spared = await rigOver(await createTestDatabase());
  for (const rig of [survivor, spared]) await rig.indexer.start();
  for (const rig of [survivor, spared]) await rig.sealedTo(slot);

  const after = await heldBy(people.chain, vaultsOf(local));
  for (const market of await survivor.markets.all())
    await expectExact(survivor, market, local, { before, after });
  expect(await contentsOf(survivor)).toEqual(await contentsOf(spared));

  const kept = await contentsOf(survivor);
  for (const { id } of await survivor.markets.all()) await survivor.tape.rebuild(id);
  expect(await contentsOf(survivor)).toEqual(kept);
  for (const rig of [survivor, spared]) await rig.close();
}
