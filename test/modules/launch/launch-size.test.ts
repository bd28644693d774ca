import { type Address, addressFromBytes, type ChainAccount, lamports, WSOL_MINT } from '@tradepost/solana';
import { createPumpFunLaunchpad, createRaydiumLaunchlabLaunchpad, type Launchpad } from '@tradepost/venues';
import { describe, expect, it } from 'vitest';
import { launchWorld as pumpWorld } from '../../../packages/venues/test/pump-fun/build.ts';
import {
  launchWorld as launchlabWorld,
  PLATFORM_ID,
} from '../../../packages/venues/test/raydium-launchlab/build.ts';
import type { LaunchDeps } from '../../../src/engine/intents/kinds/launch/deps.ts';
import { createLaunchPlanBuilder, planLaunch } from '../../../src/engine/intents/kinds/launch/plan.ts';
import type { LookupTable } from '../../../src/engine/lookup-tables/rules/lookup-table.ts';
import { wantedEntries } from '../../../src/engine/lookup-tables/use/wanted-entries.ts';
import { lookupTablesOf } from '../../../src/engine/signing/rules/decode-message.ts';
import { assertPolicy } from '../../../src/engine/signing/rules/policy.ts';
import { compileFitting } from '../../../src/engine/transactions/use/compile-fitting.ts';
import { type LaunchRequest, quoteLaunch } from '../../../src/modules/launch/use/quote-launch.ts';
import { readCreation } from '../../../src/modules/mint/rules/read-creation.ts';
import { createMessageCompiler } from '../../../src/platform/chain/compiler.ts';
import { addressOf, buildIntent, INTENT_ID, TREASURY, WALLET } from '../../engine/intents/build.ts';
import { padWorld } from '../../platform/venues/shared/exchange/pad-stub.ts';
import { fakeMetadataStore } from '../../support/fakes/metadata-store.ts';
import { buildWallet } from '../trading/desk-rig.ts';

const MINT = addressOf(31);
const TABLE = addressOf(90);
const PACKET = 1_232;
const compiler = createMessageCompiler();
/** A name and a ticker of usual length, and a link as long as those of the desk's own documents are. */
const OWN_LINK = `https://desk.example.org/metadata/${'a'.repeat(64)}.json`;

const pads: readonly [
  string,
  string,
  ReadonlyMap<Address, ChainAccount>,
  (world: ReturnType<typeof padWorld>) => Launchpad,
][] = [
  ['pump.fun', `https://x.example/${'u'.repeat(182)}`, pumpWorld(), (world) => createPumpFunLaunchpad(world)],
  [
    'Raydium LaunchLab',
    OWN_LINK,
    launchlabWorld(),
    (world) => createRaydiumLaunchlabLaunchpad({ ...world, platform: PLATFORM_ID }),
  ],
];

describe.each(pads)('a launch with a first buy at %s', (_, metadataUri, accounts, open) => {
  const world = padWorld(accounts);
  const pad = open(world);
  const deps: LaunchDeps = {
    chain: { ...world.chain, balance: async () => lamports(0n), takesVersion1: async () => false },
    programs: world.programs,
    metadata: fakeMetadataStore(),
    mintKeys: { generate: () => ({ address: MINT, sign: () => new Uint8Array(64) }) },
    launchpads: [pad],
    treasury: TREASURY,
    launchFeeLamports: () => 20_000_000n,
    receivableFee: async (fee) => fee,
    rehearse: () => Promise.reject(new Error('a wallet without money rehearses nothing')),
  };
  const withTables = (...tables: readonly LookupTable[]): LaunchDeps => ({
    ...deps,
    lookupTables: { usable: async () => tables, verified: async () => tables },
  });
  const request: LaunchRequest = {
    wallet: WALLET,
    pad: pad.name,
    symbol: 'PUPS',
    name: 'Puppies',
    metadataUri,
    firstBuyLamports: 1_000_000_000n,
    slippageBps: 500,
    tier: 'normal',
  };
  const wanted = () =>
    wantedEntries({ venues: [], launchpads: [pad], hubs: [WSOL_MINT], own: [TREASURY] }, []);
  const table = async (): Promise<LookupTable> => ({ address: TABLE, entries: await wanted() });

  async function built(using: LaunchDeps) {
    const { params } = await quoteLaunch(using, request);
    const intent = buildIntent({ params });
    const plan = await createLaunchPlanBuilder(using)({ ...intent, params }, buildWallet(WALLET), INTENT_ID);
    const message = compileFitting(compiler, {
      payer: WALLET,
      blockhash: addressOf(99),
      instructions: [
        ...world.programs.computeBudget({ units: 400_000, microLamportsPerUnit: 100n }),
        world.programs.memo(INTENT_ID),
        ...plan.instructions,
      ],
      lookupTables: plan.lookupTables ?? [],
      ...(plan.version1 === true ? { version1: { loadedBytes: 1_000_000 } } : {}),
    });
    const judge = (...lookupTables: readonly LookupTable[]) =>
      assertPolicy(message.bytes, {
        intent,
        wallet: WALLET,
        treasury: TREASURY,
        venuePrograms: pad.program === null ? [] : [pad.program],
        lookupTables,
      });
    return { params, message, judge, wire: Uint8Array.from([2, ...new Uint8Array(128), ...message.bytes]) };
  }

  it('is refused without tables, and fits one packet with what "lut sync" writes', async () => {
    await expect(quoteLaunch(deps, request)).rejects.toMatchObject({
      code: 'LAUNCH_TOO_LARGE',
      details: { pad: pad.label, hasFirstBuy: true },
    });
    const { message, judge, wire } = await built(withTables(await table()));
    expect(lookupTablesOf(message.bytes)).toEqual([TABLE]);
    expect(wire.length).toBeLessThanOrEqual(PACKET);
    expect(message.signers).toEqual([WALLET, MINT]);
    expect(() => judge()).toThrow();
    judge(await table());
  });

  it('fits version 1 without a table, and with a tip it does not take it', async () => {
    const active = { ...deps, chain: { ...deps.chain, takesVersion1: async () => true } };
    const { message, judge, params } = await built(active);
    expect(message.version).toBe(1);
    expect(lookupTablesOf(message.bytes)).toEqual([]);
    expect(message.signers).toEqual([WALLET, MINT]);
    judge();
    const tip = { sender: 'jito', protects: false, to: TREASURY, lamports: 1n, atMost: 1n } as const;
    await expect(
      planLaunch(active, { id: INTENT_ID, params: { ...params, tip } }, WALLET),
    ).rejects.toMatchObject({
      code: 'LAUNCH_TOO_LARGE',
    });
  });

  it('says how long a link may be with tables, and no byte more fits', async () => {
    const using = withTables(await table());
    const ask = (bytes: number) =>
      quoteLaunch(using, {
        ...request,
        name: 'N'.repeat(32),
        symbol: 'S'.repeat(10),
        metadataUri: `https://x.example/${'u'.repeat(bytes - 18)}`,
      });
    const refused = await ask(200).catch((error: unknown) => error);
    if (pad.name === 'pump-fun') {
      expect(refused).toMatchObject({ firstBuy: { lamports: 1_000_000_000n } });
      return;
    }
    expect(refused).toMatchObject({ code: 'LAUNCH_TOO_LARGE' });
    const { maxUriBytes } = (refused as { details: { maxUriBytes: number } }).details;
    expect(maxUriBytes).toBeGreaterThan(60);
    expect((await ask(maxUriBytes)).uri).toHaveLength(maxUriBytes);
    await expect(ask(maxUriBytes + 2)).rejects.toMatchObject({ code: 'LAUNCH_TOO_LARGE' });
  });

  it('keeps out of the table whoever signs, whatever is one launch’s own, and every program that is called', async () => {
    const entries = await wanted();
    const { params } = await quoteLaunch(withTables(await table()), request);
    expect(entries).toContain(TREASURY);
    expect(params.program === null || entries.includes(params.program)).toBe(false);
    if (params.config !== null) expect(entries).toContain(params.config);
    const offer = await pad.offer();
    const named = async (seed: number) => {
      const [creator, mint, holding] = [seed, seed + 1, seed + 2].map((byte) =>
        addressFromBytes(new Uint8Array(32).fill(byte)),
      ) as [Address, Address, Address];
      const order = {
        creator,
        mint,
        holding,
        firstBuy: { lamports: 5n, minTokens: 1n },
        seed: 'x'.repeat(26),
      };
      const all = (await offer?.build({ ...order, name: 'a', symbol: 'b', uri: 'c' })) ?? [];
      return new Set(all.flatMap((one) => one.accounts.map(({ address }) => address)));
    };
    const [a, b] = await Promise.all([named(150), named(160)]);
    for (const entry of entries) expect(a.has(entry)).toBe(b.has(entry));
  });

  it('is denied when the treasury, the configuration or SOL means another account, and when the table is not known whole', async () => {
    const real = await table();
    const { judge, params } = await built(withTables(real));
    const thief = addressOf(66);
    const swapped = (victim: Address): LookupTable => ({
      ...real,
      entries: real.entries.map((entry) => (entry === victim ? thief : entry)),
    });
    for (const told of [
      swapped(TREASURY),
      ...(params.config === null ? [] : [swapped(params.config), swapped(WSOL_MINT)]),
      { ...real, entries: real.entries.slice(0, 2) },
      { ...real, address: thief },
    ]) {
      expect(() => judge(told)).toThrow(expect.objectContaining({ code: 'POLICY_DENIED' }));
    }
  });

  it('can be read after its tables are closed: the mint, and the fee to the treasury', async () => {
    const { wire } = await built(withTables(await table()));
    expect(readCreation(wire, TREASURY)).toEqual({ mint: MINT, feeLamports: 20_000_000n });
  });

  it('is given up, and nothing else, when the tables are gone by the time that it is built', async () => {
    const { params } = await quoteLaunch(withTables(await table()), request);
    const intent = buildIntent({ params });
    const build = createLaunchPlanBuilder(withTables())(
      { ...intent, params },
      buildWallet(WALLET),
      INTENT_ID,
    );
    await expect(build).rejects.toMatchObject({ code: 'LAUNCH_TOO_LARGE' });
  });
});
