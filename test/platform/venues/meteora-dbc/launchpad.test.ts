import { type Address, addressFromBytes, METADATA_PROGRAM, WSOL_MINT } from '@tradepost/solana';
import { createMeteoraDbcLaunchpad } from '@tradepost/venues';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DBC_AUTHORITY, DBC_PROGRAM } from '../../../../packages/venues/src/meteora-dbc/layout.ts';
import { buildDbc, CONFIG_ID, type DbcFixture } from '../../../../packages/venues/test/meteora-dbc/build.ts';
import { buildMint, testAddress } from '../../../../packages/venues/test/shared/build.ts';
import type { IntentParams } from '../../../../src/engine/intents/kinds/params.ts';
import type { Intent } from '../../../../src/engine/intents/rules/intent.ts';
import { lookupTablesOf } from '../../../../src/engine/signing/rules/decode-message.ts';
import { createIntent } from '../../../../src/engine/transactions/use/create-intent.ts';
import { launchProgress, watchLaunches } from '../../../../src/modules/launch/use/launch-progress.ts';
import { type LaunchRequest, quoteLaunch } from '../../../../src/modules/launch/use/quote-launch.ts';
import { quoteRevokeAuthority } from '../../../../src/modules/mint/use/quote-revoke-authority.ts';
import { createTokenRecords } from '../../../../src/platform/chain/token-records.ts';
import { syncLaunchTables } from '../../../engine/lookup-tables/table-rig.ts';
import { type MoneyRig, startMoneyRig } from '../../../engine/transactions/money-rig.ts';
import { fakeDatabase } from '../../../support/fakes/database.ts';
import { describeOnLocalnet } from '../shared/exchange/localnet.ts';

const SOL = 1_000_000_000n;
const Q64 = 1n << 64n;
const SUPPLY = 10n ** 15n;
/** From 0.000028 to 0.000411 lamports a unit for ten SOL. */
const CURVE: DbcFixture = {
  mints: [buildMint(testAddress(10)), buildMint(WSOL_MINT, { decimals: 9 })],
  sqrtStartPrice: (Q64 * 529n) / 100_000n,
  curve: [[(Q64 * 2_030n) / 100_000n, (10n * SOL * 100_000n * Q64) / (2_030n - 529n)]],
  threshold: (99n * SOL) / 10n,
};
const launchOf = (more: Partial<NonNullable<DbcFixture['launch']>> = {}): DbcFixture => ({
  ...CURVE,
  launch: { supply: SUPPLY, ...more },
});

describeOnLocalnet(
  'a launch on the real Meteora curve',
  { programs: [DBC_PROGRAM, METADATA_PROGRAM] },
  () => {
    let rig: MoneyRig;
    let serial = 0;

    /** Puts a configuration onto the chain. */
    const plant = (input: DbcFixture, at: Address = CONFIG_ID): Address => {
      const account = buildDbc(input).accounts.get(CONFIG_ID);
      if (account === undefined) throw new Error('no configuration');
      rig.local.chain.plant(at, account);
      return at;
    };
    beforeAll(async () => {
      rig = await startMoneyRig(fakeDatabase(), 'dbc-launches', {
        pads: { meteoraDbcConfig: CONFIG_ID, launchlabPlatform: null },
        venuePrograms: [DBC_PROGRAM],
        programsDir: process.env['LOCALNET_PROGRAMS_DIR'] ?? '',
      });
      plant(launchOf());
    });
    afterAll(() => rig.stop());

    const request = (wallet: Address, more: Partial<LaunchRequest> = {}): LaunchRequest => ({
      wallet,
      pad: 'meteora-dbc',
      symbol: 'PUPS',
      name: 'Puppies 🐶',
      metadataUri: 'https://meta.example.org/pups.json',
      firstBuyLamports: 0n,
      slippageBps: 500,
      tier: 'normal',
      ...more,
    });

    async function run(
      person: Awaited<ReturnType<MoneyRig['person']>>,
      params: IntentParams,
    ): Promise<Intent> {
      serial += 1;
      const { db, clock, ids, relay, vault } = rig.deps;
      const { intent } = await createIntent(
        { db, clock, ids, relay, vault },
        { userId: person.userId, walletId: person.wallet.id, idemKey: `dbc-${serial}`, params },
      );
      return rig.settled(intent.id);
    }

    const mintOf = (intent: Intent): Address => {
      const mint = intent.outcome?.receipt?.createdMint;
      if (mint === undefined)
        throw new Error(`no mint: ${JSON.stringify(intent.outcome)} ${rig.warnings.join('\n')}`);
      return mint;
    };

    it('is offered beside the desk', () => {
      // With pump.fun's program in the directory that is offered too.
      const names = rig.launch.launchpads.map(({ name }) => name).filter((name) => name !== 'pump-fun');
      expect(names).toEqual(['desk', 'meteora-dbc']);
    });

    it('makes the token, its record and the first buy in one transaction, for what was quoted', async () => {
      const inviter = await rig.person('Inviter', SOL);
      const person = await rig.person('Creator', 5n * SOL, inviter.userId);
      const quote = await quoteLaunch(
        rig.launch,
        request(person.wallet.address, { firstBuyLamports: 2n * SOL }),
      );
      expect(quote.missingLamports).toBe(0n);
      const intent = await run(person, quote.params);
      const mint = mintOf(intent);
      expect(intent).toMatchObject({ status: 'SUCCEEDED', outcome: { reason: null } });

      const receipt = intent.outcome?.receipt;
      expect(receipt?.tokenDeltas).toEqual([{ mint, delta: quote.firstBuy?.quotedTokens }]);
      expect(receipt?.platformFeeLamports).toBe(20_000_000n);
      const spent = 5n * SOL - (await rig.chain.balance(person.wallet.address));
      expect(spent).toBeLessThanOrEqual(quote.cost.totalLamports);
      // Less only where the record turned out smaller, and by the part of the priority fee that the market did not take.
      expect(quote.cost.totalLamports - spent - quote.cost.networkFeeLamports).toBeLessThan(1_000_000n);

      const record = await createTokenRecords(rig.chain).find(mint);
      expect(record).toMatchObject({
        token: {
          symbol: 'PUPS',
          name: 'Puppies 🐶',
          mintAuthority: null,
          freezeAuthority: null,
          supply: SUPPLY,
        },
        metadata: { uri: 'https://meta.example.org/pups.json', updateAuthority: null },
      });
      expect(await rig.deps.db.launches.find(mint)).toMatchObject({ pad: 'meteora-dbc', config: CONFIG_ID });
      expect(await rig.deps.db.referrals.rewards(inviter.userId, 5)).toMatchObject([
        { lamports: 6_000_000n },
      ]);
      // 1 % of two SOL is the curve's fee; 1.98 of 9.9.
      expect(await launchProgress({ ...rig.deps, launchpads: rig.launch.launchpads }, mint)).toMatchObject({
        soldBps: 2_000,
        graduated: false,
      });
    });

    it.each<[string, Partial<NonNullable<DbcFixture['launch']>>, boolean]>([
      [
        'an SPL token whose creator may change its metadata, and a fee',
        { updateAuthority: 0, creationFee: 10_000_000n },
        true,
      ],
      ['a Token-2022 token', { tokenType: 1 }, false],
      [
        'a Token-2022 token whose creator may change its metadata',
        { tokenType: 1, updateAuthority: 0 },
        true,
      ],
    ])(
      'makes %s under another configuration, for what was quoted',
      async (_, launch, isMutable) => {
        plant(launchOf(launch));
        try {
          const person = await rig.person('Other', 5n * SOL);
          const { address } = person.wallet;
          const quote = await quoteLaunch(rig.launch, request(address, { firstBuyLamports: SOL }));
          const intent = await run(person, quote.params);
          const mint = mintOf(intent);
          expect(intent.outcome?.receipt?.tokenDeltas).toEqual([
            { mint, delta: quote.firstBuy?.quotedTokens },
          ]);
          const spent = 5n * SOL - (await rig.chain.balance(address));
          expect(spent).toBeLessThanOrEqual(quote.cost.totalLamports);
          expect(quote.cost.totalLamports - spent - quote.cost.networkFeeLamports).toBeLessThan(1_000_000n);
          expect(await createTokenRecords(rig.chain).find(mint)).toMatchObject({
            token: { symbol: 'PUPS', mintAuthority: null, freezeAuthority: null, supply: SUPPLY },
            metadata: { updateAuthority: isMutable ? address : null },
          });
          if (!isMutable) return;
          const revocation = await quoteRevokeAuthority(
            { db: rig.deps.db, chain: rig.chain, programs: rig.programs },
            { userId: person.userId, mint, authority: 'update', tier: 'normal' },
          );
          expect((await run(person, revocation.params)).status).toBe('SUCCEEDED');
          expect(await createTokenRecords(rig.chain).find(mint)).toMatchObject({
            metadata: { updateAuthority: null },
          });
        } finally {
          plant(launchOf());
        }
      },
      30_000,
    );

    it('works without a first buy and leaves no empty account behind', async () => {
      const person = await rig.person('Patient', SOL);
      const quote = await quoteLaunch(rig.launch, request(person.wallet.address));
      mintOf(await run(person, quote.params));
      expect(await rig.chain.holdings(person.wallet.address)).toEqual([]);
    });

    it('tells its creator once that the curve is complete', async () => {
      const person = await rig.person('Winner', 20n * SOL);
      const quote = await quoteLaunch(
        rig.launch,
        request(person.wallet.address, { symbol: 'MOON', firstBuyLamports: (1_005n * SOL) / 100n }),
      );
      const mint = mintOf(await run(person, quote.params));
      const deps = { ...rig.deps, launchpads: rig.launch.launchpads };
      await Promise.all([watchLaunches(deps), watchLaunches(deps)]);
      await watchLaunches(deps);
      expect(await launchProgress(deps, mint)).toMatchObject({ soldBps: 10_000, graduated: true });
      await expect
        .poll(() => rig.delivered.filter(({ kind }) => kind === 'graduated').map(({ payload }) => payload), {
          timeout: 10_000,
        })
        .toEqual([{ mint, symbol: 'MOON', pad: 'Meteora' }]);
    });

    it('refuses on the quote what no transaction holds, with the link that would fit', async () => {
      const person = await rig.person('Long', 5n * SOL);
      const long = (bytes: number) => `https://meta.example.org/${'u'.repeat(bytes - 25)}`;
      const ask = (metadataUri: string, firstBuyLamports: bigint) =>
        quoteLaunch(rig.launch, request(person.wallet.address, { metadataUri, firstBuyLamports }));
      const refused = await ask(long(200), SOL).catch((error: unknown) => error);
      expect(refused).toMatchObject({
        code: 'LAUNCH_TOO_LARGE',
        details: { pad: 'Meteora', hasFirstBuy: true },
      });
      const { maxUriBytes } = (refused as { details: { maxUriBytes: number } }).details;
      // A shorter link may save the second byte of a length.
      await expect(ask(long(maxUriBytes + 2), SOL)).rejects.toMatchObject({ code: 'LAUNCH_TOO_LARGE' });
      // The longest that is said to fit does.
      const quote = await ask(long(maxUriBytes), SOL);
      expect((await run(person, quote.params)).status).toBe('SUCCEEDED');
      expect((await ask(long(200), 0n)).firstBuy).toBeNull();
    });

    it('holds a first buy and a link to a document of ours with the tables that an operator keeps', async () => {
      const person = await rig.person('Tables', 5n * SOL);
      const ask = (bytes: number) =>
        quoteLaunch(
          // Tables of its own: a process may look some seconds into the past.
          { ...rig.launch, lookupTables: rig.lookupTables() },
          request(person.wallet.address, {
            name: 'N'.repeat(32),
            symbol: 'LONGTICKER',
            metadataUri: `https://meta.example.org/${'u'.repeat(bytes - 25)}`,
            firstBuyLamports: SOL,
          }),
        );
      // `/metadata/`, a SHA-256 in hexadecimal and `.json` behind an origin of 24 bytes.
      const ownLink = 24 + 10 + 64 + 5;
      await expect(ask(ownLink)).rejects.toMatchObject({ code: 'LAUNCH_TOO_LARGE' });
      const table = await syncLaunchTables(rig);
      expect(table.entries).toEqual(expect.arrayContaining([CONFIG_ID, DBC_AUTHORITY, METADATA_PROGRAM]));
      const tooLong = await ask(200).catch((error: unknown) => error);
      const { maxUriBytes } = (tooLong as { details: { maxUriBytes: number } }).details;
      expect(maxUriBytes).toBeGreaterThan(ownLink);
      // The longest that is said to fit does, on the chain too.
      const quote = await ask(maxUriBytes);
      const intent = await run(person, quote.params);
      const mint = mintOf(intent);
      expect(intent.outcome?.receipt).toMatchObject({
        platformFeeLamports: 20_000_000n,
        tokenDeltas: [{ mint, delta: quote.firstBuy?.quotedTokens }],
      });
      const [attempt] = await rig.deps.db.intents.attempts(intent.id);
      const message = attempt?.signedTransaction.subarray(1 + 64 * 2) ?? new Uint8Array();
      expect(lookupTablesOf(message)).toEqual([table.address]);
      expect(await createTokenRecords(rig.chain).find(mint)).toMatchObject({
        metadata: { uri: quote.uri, updateAuthority: null },
      });
      expect(await rig.deps.db.launches.find(mint)).toMatchObject({ firstBuyLamports: SOL });
    });

    it('refuses a first buy that the curve cannot take', async () => {
      const person = await rig.person('Whale', SOL);
      await expect(
        quoteLaunch(rig.launch, request(person.wallet.address, { firstBuyLamports: 11n * SOL })),
      ).rejects.toMatchObject({ code: 'INSUFFICIENT_LIQUIDITY' });
    });

    it.each<[string, DbcFixture]>([
      [
        'sells for another token than SOL',
        { ...launchOf(), mints: [buildMint(testAddress(10)), buildMint(testAddress(11))] },
      ],
      ['makes a supply by its own rounding', launchOf({ fixedSupply: 0 })],
      ['lets its owner change the metadata', launchOf({ updateAuthority: 2 })],
      ['leaves the creator a mint authority', launchOf({ updateAuthority: 3 })],
      ['leaves its owner a mint authority', launchOf({ updateAuthority: 4 })],
      ['limits the rate', { ...launchOf(), baseFeeMode: 2 }],
      ['is of a token type nobody knows', launchOf({ tokenType: 2 })],
    ])('is not offered under a configuration that %s', async (_, input) => {
      const config = plant(input, testAddress(30));
      const pad = createMeteoraDbcLaunchpad({ config, chain: rig.chain, programs: rig.programs });
      expect(await pad.offer()).toBeNull();
    });

    it('is not offered under an account that is none', async () => {
      const pad = createMeteoraDbcLaunchpad({
        config: addressFromBytes(new Uint8Array(32).fill(99)),
        chain: rig.chain,
        programs: rig.programs,
      });
      expect(await pad.offer()).toBeNull();
    });
  },
);
