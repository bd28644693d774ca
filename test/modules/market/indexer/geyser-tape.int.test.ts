import { setTimeout as pause } from 'node:timers/promises';
import type { Address } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DeskChain, startDeskChain } from '../../../../src/local/desk/index.ts';
import { createTestDatabase } from '../../../support/database.ts';
import { hasGeyser, openGeyserHere } from '../../../support/geyser/packages.ts';
import { type GeyserFault, startGeyserStandIn } from '../../../support/geyser/stand-in.ts';
import { dice, startDeskTraders } from './support/desk-traders.ts';
import { expectExact } from './support/expect-exact.ts';
import { heldBy, openTapeRig, vaultsOf } from './support/tape-rig.ts';

let local: DeskChain;
let people: Awaited<ReturnType<typeof startDeskTraders>>;
/** What every vault held before anybody traded. */
let before: ReadonlyMap<Address, bigint>;

beforeAll(async () => {
  local = await startDeskChain({ slotMs: 25, seed: 'geyser-tape' });
  people = await startDeskTraders(local, 10);
  before = await heldBy(people.chain, vaultsOf(local));
});
afterAll(() => local.stop());

/** The indexer behind a stream, while forty swaps go through. */
async function tradedUnder(fault: GeyserFault | null) {
  const standIn = await startGeyserStandIn(local.rpcUrl);
  const losses: string[] = [];
  const rig = await openTapeRig({
    databaseUrl: await createTestDatabase(),
    chain: people.chain,
    desk: people.desk,
    genesisHash: local.genesisHash,
    source: 'blocks',
    urls: [local.rpcUrl],
    wsUrls: [],
    geyser: {
      server: { url: standIn.url, token: null },
      open: await openGeyserHere(),
      lost: (why) => losses.push(why),
    },
  });
  await rig.indexer.start();
  while (standIn.followed() < local.world.pools.length) await pause(20);
  const roll = dice(31);
  // One that forgets ends the stream at once, where nothing was told yet.
  while (standIn.told() === 0) await people.trade(2, roll);
  standIn.tell(fault);
  await people.trade(40, roll);
  const isSeen = (): boolean =>
    fault === null || (fault === 'forgets' ? losses.join().includes('OUT_OF_RANGE') : standIn.faults() > 0);
  while (!isSeen()) await people.trade(2, roll);
  await rig.sealedTo(BigInt(local.chain.slots.tip()));
  return { rig, standIn, losses };
}

describe.skipIf(!hasGeyser)('the tape behind a stream', () => {
  it.each([
    'tells all',
    'drops',
    'drops-blocks',
    'repeats',
    'reorders',
    'forks',
    'lags',
    'cuts',
    'forgets',
  ] as const satisfies readonly (GeyserFault | 'tells all')[])(
    'is exact where the stream %s',
    async (fault) => {
      const { rig, standIn, losses } = await tradedUnder(fault === 'tells all' ? null : fault);
      const after = await heldBy(people.chain, vaultsOf(local));
      for (const market of await rig.markets.all()) {
        expect(market.gapSince).toBeNull();
        await expectExact(rig, market, local, { before, after });
      }
      expect(standIn.told()).toBeGreaterThan(0);
      const isCut = fault === 'cuts' || fault === 'forgets';
      expect(losses.length > 0).toBe(isCut);
      if (isCut) expect(losses.join()).toMatch(fault === 'cuts' ? /UNAVAILABLE/ : /OUT_OF_RANGE/);
      await rig.close();
      await standIn.stop();
    },
    300_000,
  );
});
