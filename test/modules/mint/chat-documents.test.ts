import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRehearse } from '../../../src/engine/transactions/use/rehearse-plan.ts';
import { quoteLaunch } from '../../../src/modules/launch/use/quote-launch.ts';
import { createMetadataWay } from '../../../src/modules/mint/use/metadata-way.ts';
import { quoteCreateToken } from '../../../src/modules/mint/use/quote-create-token.ts';
import type { Simulation } from '../../../src/platform/ports/chain.ts';
import { type MoneyRig, startMoneyRig } from '../../engine/transactions/money-rig.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakeMetadataStore } from '../../support/fakes/metadata-store.ts';

const SOL = 1_000_000_000n;
const REFUSED: Simulation = {
  err: '{"InstructionError":[2,{"Custom":1}]}',
  logs: [],
  unitsConsumed: 1_000,
  loadedBytes: null,
  after: [],
  slot: 1n,
};

let rig: MoneyRig;
beforeAll(async () => {
  rig = await startMoneyRig(fakeDatabase(), 'chat-documents');
});
afterAll(() => rig.stop());

/** A desk of its own store, and a count of what the chain was asked to simulate. `refuses`: the chain says no to each. */
function desk(refuses: boolean) {
  const metadata = fakeMetadataStore();
  let simulated = 0;
  const chain: typeof rig.chain = {
    ...rig.chain,
    simulate: async (message, watch) => {
      simulated += 1;
      // Nothing is kept yet when the chain is asked.
      expect(metadata.count()).toBe(0);
      return refuses ? REFUSED : rig.chain.simulate(message, watch);
    },
  };
  const rehearse = createRehearse({ ...rig.deps, chain });
  const launch = { ...rig.launch, metadata, rehearse };
  const mint = {
    ...launch,
    chain: rig.chain,
    wellKnown: [],
    createFeeLamports: () => 20_000_000n,
    metadataWay: createMetadataWay({ chain: rig.chain, clock: rig.deps.clock }),
  };
  return { metadata, launch, mint, simulated: () => simulated };
}

/** What stands in the document; of an ordinary size, and then of one that takes two transactions. */
const ways = {
  'a creation': (on: ReturnType<typeof desk>, wallet: MoneyRig['treasury']['address']) =>
    quoteCreateToken(on.mint, {
      wallet,
      tier: 'normal',
      draft: { symbol: 'DOC', name: 'Document', program: 'token', metadata: { description: 'A dog.' } },
    }),
  'a launch': (on: ReturnType<typeof desk>, wallet: MoneyRig['treasury']['address']) =>
    quoteLaunch(on.launch, {
      wallet,
      pad: 'desk',
      symbol: 'DOC',
      name: 'Document',
      metadata: { description: 'A dog.' },
      firstBuyLamports: SOL / 10n,
      slippageBps: 500,
      tier: 'normal',
    }),
};

describe.each(Object.entries(ways))('the document of %s in the chat', (_, quote) => {
  it('is stored once a simulation has succeeded', async () => {
    const person = await rig.person('Maker', 3n * SOL);
    const on = desk(false);
    const { metadataHash, missingLamports } = await quote(on, person.wallet.address);
    expect(missingLamports).toBe(0n);
    expect(on.simulated()).toBeGreaterThan(0);
    expect(await on.metadata.find(metadataHash ?? '', 'json')).not.toBeNull();
    expect(on.metadata.count()).toBe(1);
  });

  it('is not stored when the chain refuses the creation', async () => {
    const person = await rig.person('Refused', 3n * SOL);
    const on = desk(true);
    await expect(quote(on, person.wallet.address)).rejects.toMatchObject({ code: 'SIMULATION_FAILED' });
    expect(on.simulated()).toBeGreaterThan(0);
    expect(on.metadata.count()).toBe(0);
  });

  it('is neither simulated nor stored for a wallet that cannot pay', async () => {
    const person = await rig.person('Poor', 1_000_000n);
    const on = desk(false);
    expect((await quote(on, person.wallet.address)).missingLamports).toBeGreaterThan(0n);
    expect(on.simulated()).toBe(0);
    expect(on.metadata.count()).toBe(0);
  });
});
