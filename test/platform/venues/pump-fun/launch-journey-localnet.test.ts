import type { Address, ChainAccount } from '@tradepost/solana';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { curveAddress, PUMP_PROGRAM } from '../../../../packages/venues/src/pump-fun/layout.ts';
import { PUMP_FEES_PROGRAM } from '../../../../packages/venues/src/shared/pump-fees.ts';
import { lookupTablesOf } from '../../../../src/engine/signing/rules/decode-message.ts';
import { createIntent } from '../../../../src/engine/transactions/use/create-intent.ts';
import { launchProgress } from '../../../../src/modules/launch/use/launch-progress.ts';
import { quoteLaunch } from '../../../../src/modules/launch/use/quote-launch.ts';
import { createTokenRecords } from '../../../../src/platform/chain/token-records.ts';
import { syncLaunchTables } from '../../../engine/lookup-tables/table-rig.ts';
import { type MoneyRig, startMoneyRig } from '../../../engine/transactions/money-rig.ts';
import { fakeDatabase } from '../../../support/fakes/database.ts';
import { describeOnLocalnet } from '../shared/exchange/localnet.ts';
import { plantLaunches } from './on-chain.ts';

const SOL = 1_000_000_000n;
/** Of the curve more is told than the program's build gives it, and of nothing else. */
const TOLD_CURVE_BYTES = 151n;
const LAMPORTS_PER_BYTE = 6_960n;

describeOnLocalnet(
  'a launch at the real pump.fun, vault and policies included',
  { programs: [PUMP_PROGRAM, PUMP_FEES_PROGRAM] },
  () => {
    let rig: MoneyRig;
    let serial = 0;

    beforeAll(async () => {
      rig = await startMoneyRig(fakeDatabase(), 'pump-launches', {
        venuePrograms: [PUMP_PROGRAM],
        programsDir: process.env['LOCALNET_PROGRAMS_DIR'] ?? '',
      });
      const accounts = new Map<Address, ChainAccount>();
      plantLaunches({
        set: (key, account) => accounts.set(key, account),
        get: (key) => accounts.get(key) ?? null,
      });
      for (const [key, account] of accounts) rig.local.chain.plant(key, account);
    });
    afterAll(() => rig.stop());

    async function launch(person: Awaited<ReturnType<MoneyRig['person']>>, firstBuyLamports: bigint) {
      const quote = await quoteLaunch(
        // Tables of its own: a process may look some seconds into the past.
        { ...rig.launch, lookupTables: rig.lookupTables() },
        {
          wallet: person.wallet.address,
          pad: 'pump-fun',
          symbol: 'LONGTICKER',
          name: 'N'.repeat(32),
          metadataUri: `https://meta.example.org/${'u'.repeat(175)}`,
          firstBuyLamports,
          slippageBps: 500,
          tier: 'normal',
        },
      );
      serial += 1;
      const { db, clock, ids, relay, vault } = rig.deps;
      const request = { userId: person.userId, walletId: person.wallet.id, idemKey: `pump-${serial}` };
      const { intent } = await createIntent(
        { db, clock, ids, relay, vault },
        { ...request, params: quote.params },
      );
      const settled = await rig.settled(intent.id);
      const mint = settled.outcome?.receipt?.createdMint;
      if (mint === undefined)
        throw new Error(`no mint: ${JSON.stringify(settled.outcome)} ${rig.warnings.join('\n')}`);
      return { quote, settled, mint };
    }

    /** To the lamport, the network's own fees aside. */
    async function expectCostAsTold({ quote, settled, mint }: Awaited<ReturnType<typeof launch>>) {
      const receipt = settled.outcome?.receipt;
      if (receipt === undefined || receipt === null) throw new Error('no receipt');
      const { totalLamports, networkFeeLamports } = quote.cost;
      const [curve] = (await rig.chain.accounts([curveAddress(mint)])).accounts;
      const room = (TOLD_CURVE_BYTES - BigInt(curve?.data.length ?? 0)) * LAMPORTS_PER_BYTE;
      const paid = -receipt.walletLamportsDelta - receipt.feeLamports;
      expect(totalLamports - networkFeeLamports - paid).toBe(room);
    }

    it('without a first buy it fits as it is, costs what was told and leaves no empty account behind', async () => {
      const person = await rig.person('Patient', SOL);
      const launched = await launch(person, 0n);
      await expectCostAsTold(launched);
      const { quote, mint } = launched;
      expect(await rig.chain.holdings(person.wallet.address)).toEqual([]);
      expect(await createTokenRecords(rig.chain).find(mint)).toMatchObject({
        token: { symbol: 'LONGTICKER', mintAuthority: null, freezeAuthority: null, supply: 10n ** 15n },
        metadata: { uri: quote.uri, updateAuthority: null },
      });
    });

    it('with a first buy and the longest texts it fits by tables, and brings what was quoted', async () => {
      const table = await syncLaunchTables(rig);
      const inviter = await rig.person('Inviter', SOL);
      const person = await rig.person('Creator', 5n * SOL, inviter.userId);
      const launched = await launch(person, 2n * SOL);
      await expectCostAsTold(launched);
      const { quote, settled, mint } = launched;
      const receipt = settled.outcome?.receipt;
      expect(receipt).toMatchObject({
        platformFeeLamports: 20_000_000n,
        tokenDeltas: [{ mint, delta: quote.firstBuy?.quotedTokens }],
      });
      const [attempt] = await rig.deps.db.intents.attempts(settled.id);
      const message = attempt?.signedTransaction.subarray(1 + 64 * 2) ?? new Uint8Array();
      expect(lookupTablesOf(message)).toEqual([table.address]);
      expect(await rig.deps.db.referrals.rewards(inviter.userId, 5)).toMatchObject([
        { lamports: 6_000_000n },
      ]);
      const deps = { ...rig.deps, launchpads: rig.launch.launchpads };
      expect(await launchProgress(deps, mint)).toMatchObject({ soldBps: 835, graduated: false });
    });
  },
);
