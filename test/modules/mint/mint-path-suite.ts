import { SYSTEM_PROGRAM } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wordsFor } from '../../../src/compose/texts/words.ts';
import { feesOf } from '../../../src/engine/fees/rules/fee-table.ts';
import { resultView } from '../../../src/engine/intents/chat/result-view.ts';
import { standingOf } from '../../../src/engine/intents/chat/standing.ts';
import type { CreateTokenParams } from '../../../src/engine/intents/kinds/create-token/params.ts';
import { createTokenPlanBuilder } from '../../../src/engine/intents/kinds/create-token/plan.ts';
import { createIntent } from '../../../src/engine/transactions/use/create-intent.ts';
import { LOCAL_RULES } from '../../../src/modules/guard/rules/guard-rules.ts';
import { finishToken } from '../../../src/modules/mint/use/finish-token.ts';
import { liveAuthorities } from '../../../src/modules/mint/use/quote-revoke-authority.ts';
import { recoverIntent } from '../../../src/modules/operations/use/recover-intent.ts';
import { DEFAULT_SETTINGS } from '../../../src/modules/settings/rules/settings.ts';
import { confirmWithdrawal } from '../../../src/modules/withdrawals/use/confirm-withdrawal.ts';
import { prepareWithdrawal } from '../../../src/modules/withdrawals/use/prepare-withdrawal.ts';
import { createRpcHistory } from '../../../src/platform/chain/rpc-history.ts';
import type { QuarantineStore } from '../../../src/platform/ports/operations.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import { createMintKeys } from '../../../src/platform/vault/mint-keys.ts';
import { type MoneyRig, startMoneyRig, until } from '../../engine/transactions/money-rig.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakeMetadataStore } from '../../support/fakes/metadata-store.ts';
import { fakePins, givePin, TEST_PIN } from '../../support/fakes/pins.ts';
import { testSigner } from '../../support/signer.ts';
import { throughRow } from '../../support/through-row.ts';
import { createMintDesk, type Person, type Request } from './mint-desk.ts';

const SOL = 1_000_000_000n;
const FEE = 20_000_000n;

/** Creations and revocations by custodial wallets end to end; run over the database in memory and over Postgres. */
export function describeMintPath(title: string, open: () => Promise<Database>): void {
  describe(title, () => {
    let db: Database;
    let rig: MoneyRig;
    const metadata = fakeMetadataStore();
    beforeAll(async () => {
      db = await open();
      rig = await startMoneyRig(db, title);
    });
    afterAll(() => rig?.stop());

    const { key, receivableFee, quote, confirming, confirm, create, revoke, mintAt } = createMintDesk({
      rig: () => rig,
      metadata,
      title,
      feeLamports: FEE,
    });

    it('makes the token that was agreed, for the lamports that were said, and remembers it', async () => {
      const inviter = await rig.person('Ida', SOL);
      const maker = await rig.person('Max', SOL, inviter.userId);
      const before = await rig.chain.balance(rig.treasury.address);
      const { agreed, intent } = await create(maker, {
        symbol: 'PUP',
        name: 'Puppy',
        program: 'token2022',
        freezeAuthority: true,
        transferFeeConfigAuthority: maker.wallet.address,
        transferFeeWithdrawalAuthority: maker.wallet.address,
        transferFeeBps: 100,
        transferFeeMax: '5000',
        metadata: { description: 'A good dog.' },
      });
      expect(agreed.missingLamports).toBe(0n);
      expect(intent).toMatchObject({ status: 'SUCCEEDED', outcome: { reason: null } });
      const receipt = intent.outcome?.receipt;
      const mint = receipt?.createdMint ?? '';
      expect(receipt).toMatchObject({
        platformFeeLamports: FEE,
        rentLamports: agreed.cost.rentLamports,
        tokenDeltas: [{ mint, delta: 10n ** 15n }],
      });
      // Rent, network fee and the stated fee; not a lamport more.
      expect(-(receipt?.walletLamportsDelta ?? 0n)).toBe(
        agreed.cost.rentLamports + FEE + (receipt?.feeLamports ?? 0n),
      );
      expect(-(receipt?.walletLamportsDelta ?? 0n)).toBeLessThanOrEqual(agreed.cost.totalLamports);
      expect(await mintAt(mint)).toMatchObject({
        mintAuthority: maker.wallet.address,
        freezeAuthority: maker.wallet.address,
        transferFee: { bps: 100, maximum: 5_000n },
        metadata: { name: 'Puppy', symbol: 'PUP', uri: agreed.uri },
      });

      const known = await db.createdTokens.find(mint as never);
      expect(known).toMatchObject({
        userId: maker.userId,
        walletId: maker.wallet.id,
        creator: maker.wallet.address,
        intentId: intent.id,
        signature: receipt?.signature,
        spec: agreed.params.spec,
        way: 'native',
        uri: agreed.uri,
        metadataHash: agreed.metadataHash,
        revocations: {},
      });
      expect(await db.createdTokens.findByIntent(intent.id)).toEqual(known);
      expect(await metadata.find(agreed.metadataHash ?? '', 'json')).not.toBeNull();

      // The inviter's 30 % is paid; the rest of the fee stays.
      const rewards = await until(async () => {
        const found = await db.referrals.rewards(inviter.userId, 10);
        return found[0]?.status === 'PAID' ? found : null;
      });
      expect(rewards).toMatchObject([
        { intentId: intent.id, feeLamports: FEE, lamports: (FEE * 3n) / 10n, inviteeId: maker.userId },
      ]);
      expect(await rig.chain.balance(rig.treasury.address)).toBeGreaterThan(before);
    });

    it('keeps the power to thaw while new accounts start frozen', async () => {
      const maker = await rig.person('Uma', SOL);
      const { intent } = await create(maker, {
        symbol: 'ICE',
        program: 'token2022',
        freezeAuthority: true,
        defaultAccountState: { state: 'frozen' },
      });
      const mint = intent.outcome?.receipt?.createdMint ?? '';
      await expect(revoke(maker, mint, 'freeze')).rejects.toMatchObject({ code: 'FROZEN_FOR_EVER' });
      expect(await mintAt(mint)).toMatchObject({ freezeAuthority: maker.wallet.address });
      expect((await revoke(maker, mint, 'mint')).status).toBe('SUCCEEDED');
    });

    it('gives authorities up one by one, with the signature of each, and never twice', async () => {
      const maker = await rig.person('Rae', SOL);
      const { intent } = await create(maker, {
        symbol: 'REV',
        program: 'token2022',
        freezeAuthority: true,
      });
      const mint = intent.outcome?.receipt?.createdMint ?? '';
      for (const authority of ['freeze', 'mint', 'update'] as const) {
        const gone = await revoke(maker, mint, authority);
        expect(gone.status).toBe('SUCCEEDED');
        const known = await db.createdTokens.find(mint as never);
        expect(known?.revocations[authority]?.signature).toBe(gone.outcome?.receipt?.signature);
        await expect(revoke(maker, mint, authority)).rejects.toMatchObject({ code: 'AUTHORITY_GONE' });
      }
      expect(await mintAt(mint)).toMatchObject({
        mintAuthority: null,
        freezeAuthority: null,
        metadata: { updateAuthority: null },
      });
      const known = await db.createdTokens.find(mint as never);
      expect(known === null ? null : liveAuthorities(known)).toEqual([]);
      const stranger = await rig.person('Sam', 0n);
      await expect(revoke(stranger, mint, 'mint')).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' });
    });

    it('remembers what was never kept as given up in the creation itself', async () => {
      const maker = await rig.person('Nell', SOL);
      const { intent } = await create(maker, {
        symbol: 'NONE',
        program: 'token2022',
        mintAuthority: false,
        updateAuthority: false,
      });
      const receipt = intent.outcome?.receipt;
      const known = await db.createdTokens.find((receipt?.createdMint ?? '') as never);
      const signatures = Object.values(known?.revocations ?? {}).map(({ signature }) => signature);
      expect(Object.keys(known?.revocations ?? {}).sort()).toEqual(['freeze', 'mint', 'update']);
      expect(new Set(signatures)).toEqual(new Set([receipt?.signature]));
    });

    it('takes no fee and leaves no token when the wallet cannot pay, and says why', async () => {
      const maker = await rig.person('Pia', 25_000_000n);
      const before = await rig.chain.balance(rig.treasury.address);
      const { agreed, intent } = await create(maker, { symbol: 'POOR', program: 'token2022' });
      expect(agreed.missingLamports).toBeGreaterThan(0n);
      expect(intent).toMatchObject({
        status: 'REJECTED',
        outcome: { reason: 'INSUFFICIENT_LAMPORTS' },
      });
      expect(await rig.chain.balance(maker.wallet.address)).toBe(25_000_000n);
      expect(await rig.chain.balance(rig.treasury.address)).toBe(before);
      expect(await db.createdTokens.listByUser(maker.userId, 10)).toEqual([]);
    });

    it('takes no fee and leaves no token when the chain refuses what was signed, and says why in words', async () => {
      const maker = await rig.person('Bad', SOL);
      const { agreed } = await quote(maker, { symbol: 'FAIL', program: 'token2022' });
      rig.network.deliver = false;
      const { intent: started } = await confirm(maker, agreed);
      const signed = await until(async () => (await db.intents.attempts(started.id))[0]);
      // Between the signature and the block the money goes elsewhere.
      rig.local.chain.plant(maker.wallet.address, {
        lamports: 3_000_000n,
        owner: SYSTEM_PROGRAM,
        data: new Uint8Array(0),
        executable: false,
      });
      await fetch(rig.local.rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'sendTransaction',
          params: [
            Buffer.from(signed.signedTransaction).toString('base64'),
            { encoding: 'base64', skipPreflight: true },
          ],
        }),
      });
      rig.network.deliver = true;
      const failed = await rig.settled(started.id);
      const receipt = failed.outcome?.receipt;
      expect(failed).toMatchObject({ status: 'FAILED', outcome: { receipt: { platformFeeLamports: 0n } } });
      // The network's fee: two signatures and the floor of the first attempt, and nothing else.
      const feeLamports = 3_000_000n - (await rig.chain.balance(maker.wallet.address));
      expect(feeLamports).toBeGreaterThanOrEqual(10_000n);
      expect(feeLamports).toBeLessThan(11_000n);
      expect(receipt).not.toHaveProperty('createdMint');
      expect(await db.createdTokens.listByUser(maker.userId, 10)).toEqual([]);
      const standing = standingOf(failed, await db.intents.attempts(failed.id), null);
      const { text } = resultView(wordsFor({ settings: DEFAULT_SETTINGS, telegramLanguage: 'en' }), {
        intent: failed,
        standing,
        token: null,
        created: null,
        fired: null,
        copied: null,
        profit: null,
        soldAll: false,
        leftUnits: null,
        heldMs: null,
        exits: { stop: null, take: null },
        microUsdPerSol: null,
        possibleUntil: null,
        allowPercent: null,
        tookMs: null,
        explorerUrl: 'https://x.example/{signature}',
        stateId: 'AAAAAAAAAAAAAAAAAAAAAA',
      });
      expect(JSON.stringify(text)).toMatch(/too little SOL at that moment.*no creation fee taken/);
    });

    it('takes one fee when two creations race for the money of one', async () => {
      const maker = await rig.person('Two', 0n);
      const agreed = await quote(maker, { symbol: 'RACE', program: 'token2022' });
      await rig.fund(maker.wallet.address, agreed.cost.totalLamports + 10_000_000n);
      const before = await rig.chain.balance(rig.treasury.address);
      const started = await Promise.all([confirm(maker, agreed.params), confirm(maker, agreed.params)]);
      const ended = await Promise.all(started.map(({ intent }) => rig.settled(intent.id)));
      expect(ended.filter(({ status }) => status === 'SUCCEEDED')).toHaveLength(1);
      const other = ended.find(({ status }) => status !== 'SUCCEEDED');
      // Refused before it was signed, failed on chain, or never taken in by a node: nothing was paid either way.
      expect(['REJECTED', 'FAILED', 'EXPIRED']).toContain(other?.status);
      expect(other?.outcome?.receipt?.platformFeeLamports ?? 0n).toBe(0n);
      expect((await rig.chain.balance(rig.treasury.address)) - before).toBe(FEE);
      expect(await db.createdTokens.listByUser(maker.userId, 10)).toHaveLength(1);
    });

    it('makes one token of one confirmation, however often it is repeated', async () => {
      const maker = await rig.person('Rep', SOL);
      const { params } = await quote(maker, { symbol: 'ONCE', program: 'token2022' });
      const idemKey = key();
      // What a button keeps of the quote goes through JSON.
      const kept = throughRow(params);
      const again = await Promise.all(
        [1, 2, 3].map(() => confirm(maker, kept as CreateTokenParams, idemKey)),
      );
      expect(new Set(again.map(({ intent }) => intent.id)).size).toBe(1);
      expect((await rig.settled(again[0]?.intent.id ?? '')).status).toBe('SUCCEEDED');
      expect((await confirm(maker, params, idemKey)).created).toBe(false);
      expect(await db.createdTokens.listByCreator(maker.wallet.address, 10)).toHaveLength(1);
    });

    it('asks for a referral account first when the operator says so, and for nothing while paused', async () => {
      const maker = await rig.person('Ref', SOL);
      const { params } = await quote(maker, { symbol: 'REF', program: 'token2022' });
      await expect(confirm(maker, params, key(), true)).rejects.toMatchObject({ code: 'REFERRAL_REQUIRED' });
      await db.flags.set('trading-paused', true, 0);
      await expect(confirm(maker, params)).rejects.toMatchObject({ code: 'PAUSED' });
      await db.flags.set('trading-paused', false, 0);
    });

    it('makes tokens that can be withdrawn', async () => {
      const maker = await rig.person('Wes', SOL);
      const friend = await rig.person('Fay', 0n);
      const pins = fakePins();
      await givePin(db, pins, maker.userId);
      for (const program of ['token', 'token2022']) {
        const { intent } = await create(maker, { symbol: 'OUT', program, decimals: 0 });
        const mint = intent.outcome?.receipt?.createdMint ?? '';
        const { params } = await prepareWithdrawal(
          { db, chain: rig.chain, programs: rig.programs },
          {
            userId: maker.userId,
            walletId: maker.wallet.id,
            destination: friend.wallet.address,
            asset: { kind: 'token', mint },
            amount: { kind: 'exact', units: 5n },
            tier: 'normal',
          },
        );
        const sent = await confirmWithdrawal(
          {
            ...rig.deps,
            vault: testSigner(rig.deps, { pins }),
            guardRules: { ...LOCAL_RULES, delayMs: 0, dailyCapLamports: SOL, spendCapLamports: SOL },
            tokenValue: async () => 1n,
          },
          { userId: maker.userId, pin: TEST_PIN, walletId: maker.wallet.id, params, idemKey: key() },
        );
        expect((await rig.settled(sent.intent.id)).status).toBe('SUCCEEDED');
        const holdings = await rig.chain.holdings(friend.wallet.address);
        expect(holdings.find((holding) => holding.mint === mint)?.amount).toBe(5n);
      }
    });

    const everything = (who: Person): Request => ({
      symbol: 'S'.repeat(10),
      name: 'N'.repeat(32),
      metadataUri: `https://meta.example.org/${'u'.repeat(175)}`,
      program: 'token2022',
      mintAuthority: false,
      updateAuthority: false,
      freezeAuthority: true,
      transferFeeConfigAuthority: who.wallet.address,
      transferFeeWithdrawalAuthority: who.wallet.address,
      transferFeeBps: 10_000,
      transferFeeMax: '18446744073709551615',
      permanentDelegate: rig.treasury.address,
      interestBearingAuthority: who.wallet.address,
      interestBearingPercent: 100,
      mintCloseAuthority: rig.treasury.address,
      defaultAccountState: { state: 'frozen' },
    });
    /** What reconciliation makes of a landed transaction in a database that has its wallet and nothing else. */
    const recovered = async (who: Person, intentId: string, signature: string) => {
      const empty = fakeDatabase({ trusting: true });
      const landed = await until(() => rig.chain.landed(signature), 'the landed transaction');
      const history = createRpcHistory({ urls: [rig.local.rpcUrl] });
      const wire = await until(() => history.wire(signature), 'the bytes that landed');
      const found = await recoverIntent(
        {
          ...rig.deps,
          db: empty,
          history,
          quarantines: {} as QuarantineStore,
          fees: feesOf(),
          onProgress: () => undefined,
        },
        {
          intentId,
          entry: { signature, slot: landed.slot, err: null, memo: null, at: null },
          landed,
          wire,
          wallet: who.wallet,
          opinions: [],
        },
      );
      expect(await empty.intents.find(intentId)).toBeNull();
      return found;
    };
    /** The second half of a creation, once there is one. */
    const secondHalf = async (first: string) => {
      const next = await until(() => db.intents.findByKey(`finish/${first}`));
      return rig.settled(next.id);
    };

    it('makes a token that is more than one transaction in two, as one creation for what was said', async () => {
      const inviter = await rig.person('Ivy', SOL);
      const maker = await rig.person('Big', SOL, inviter.userId);
      const agreed = await quote(maker, everything(maker));
      expect(agreed).toMatchObject({ transactions: 2, agreed: { kind: 'prepare-token' } });
      const kept = throughRow(agreed.agreed);
      expect(kept).toEqual(agreed.agreed);
      const started = await createIntent(rig.deps, {
        userId: maker.userId,
        walletId: maker.wallet.id,
        idemKey: key(),
        params: kept,
        progress: { chatId: 7n, messageId: 8 },
      });
      const first = await rig.settled(started.intent.id);
      expect(first).toMatchObject({ status: 'SUCCEEDED', outcome: { receipt: { platformFeeLamports: 0n } } });
      const mint = first.outcome?.receipt?.createdMint ?? '';
      const second = await secondHalf(first.id);
      expect(second).toMatchObject({
        kind: 'create-token',
        status: 'SUCCEEDED',
        params: { ...agreed.params, prepared: { mint, rentLamports: first.outcome?.receipt?.rentLamports } },
        outcome: {
          receipt: {
            createdMint: mint,
            platformFeeLamports: FEE,
            tokenDeltas: [{ mint, delta: 10n ** 15n }],
          },
        },
      });
      // Read again as the rows keep it.
      expect(throughRow(second.params)).toEqual(second.params);
      const spent = SOL - (await rig.chain.balance(maker.wallet.address));
      const fees = [first, second].reduce((sum, one) => sum + (one.outcome?.receipt?.feeLamports ?? 0n), 0n);
      expect(spent).toBe(agreed.cost.rentLamports + FEE + fees);
      expect(spent).toBeLessThanOrEqual(agreed.cost.totalLamports);
      expect(await mintAt(mint)).toMatchObject({
        supply: 10n ** 15n,
        mintAuthority: null,
        freezeAuthority: maker.wallet.address,
        defaultAccountState: 2,
        permanentDelegate: rig.treasury.address,
        metadata: { updateAuthority: null, uri: agreed.uri },
      });
      expect(await db.createdTokens.find(mint as never)).toMatchObject({ intentId: second.id });
      // A restored database that knows neither half: both are told, and taken for nothing that they look like.
      for (const { id } of [first, second]) {
        const [attempt] = await db.intents.attempts(id);
        expect(await recovered(maker, id, attempt?.signature ?? '')).toMatchObject({
          what: 'mismatch',
          detail: expect.stringContaining('in two transactions'),
        });
      }
      expect(await db.createdTokens.listByUser(maker.userId, 10)).toHaveLength(1);
      expect(await db.referrals.rewards(inviter.userId, 10)).toMatchObject([{ intentId: second.id }]);
      // One message, and one final word.
      expect(await db.notices.progressMessage(second.id)).toMatchObject({ chatId: 7n, messageId: 8 });
      const finals = rig.delivered.filter(({ userId, kind }) => userId === maker.userId && kind === 'final');
      expect(finals.map(({ intentId }) => intentId).filter((id) => id === first.id)).toEqual([]);
    });

    it('leaves a mint that only its creator can fill when the second half fails, and carries on when told', async () => {
      const maker = await rig.person('Half', 0n);
      const stranger = await rig.person('Eve', SOL);
      const agreed = await quote(maker, everything(maker));
      await rig.fund(maker.wallet.address, agreed.params.mintRentLamports + 3_000_000n);
      const started = await confirm(maker, agreed.agreed);
      const first = await rig.settled(started.intent.id);
      expect(first.status).toBe('SUCCEEDED');
      const failed = await secondHalf(first.id);
      expect(failed).toMatchObject({
        status: 'REJECTED',
        outcome: { reason: 'INSUFFICIENT_LAMPORTS', receipt: null },
      });
      const mint = first.outcome?.receipt?.createdMint ?? '';
      expect(await mintAt(mint)).toMatchObject({ supply: 0n, mintAuthority: maker.wallet.address });
      expect(await db.createdTokens.listByUser(maker.userId, 10)).toEqual([]);
      expect(first.outcome?.receipt?.platformFeeLamports).toBe(0n);

      const progress = { chatId: 1n, messageId: 2 };
      const finish = (who: Person, intentId: string) =>
        finishToken(confirming(), { userId: who.userId, intentId, progress });
      for (const [who, intentId] of [
        [stranger, failed.id],
        [maker, first.id],
        [maker, 'no such intent'],
      ] as const) {
        await expect(finish(who, intentId)).rejects.toMatchObject({ code: 'BUTTON_STALE' });
      }
      await rig.fund(maker.wallet.address, SOL / 10n);
      const again = await Promise.all([1, 2, 3].map(() => finish(maker, failed.id)));
      expect(new Set(again.map(({ intent }) => intent.id)).size).toBe(1);
      const done = await rig.settled(again[0]?.intent.id ?? '');
      expect(done).toMatchObject({ status: 'SUCCEEDED', outcome: { receipt: { createdMint: mint } } });
      expect(await mintAt(mint)).toMatchObject({ supply: 10n ** 15n, mintAuthority: null });
      // The old button leads to what came of it; the new one has nothing left to finish.
      expect((await finish(maker, failed.id)).intent.id).toBe(done.id);
      await expect(finish(maker, done.id)).rejects.toMatchObject({ code: 'BUTTON_STALE' });
      expect(done.outcome?.receipt?.platformFeeLamports).toBe(FEE);
      // A restored database may not know that this half landed: the chain does.
      const { intent: forgotten } = await createIntent(rig.deps, {
        userId: maker.userId,
        walletId: maker.wallet.id,
        idemKey: key(),
        params: done.params,
      });
      expect(await rig.settled(forgotten.id)).toMatchObject({
        status: 'REJECTED',
        outcome: { reason: 'MINT_FILLED' },
      });
    });

    it('gives every attempt a mint of its own, whose key signs once', async () => {
      const maker = await rig.person('Key', SOL);
      const { params } = await quote(maker, { symbol: 'KEY', program: 'token2022' });
      const build = createTokenPlanBuilder({
        chain: rig.chain,
        programs: rig.programs,
        mintKeys: createMintKeys(),
        receivableFee,
        treasury: rig.treasury.address,
      });
      const intent = { ...(await confirm(maker, params)).intent, params };
      const plans = await Promise.all([
        build(intent, maker.wallet, 'attempt-1'),
        build(intent, maker.wallet, 'attempt-2'),
      ]);
      const mints = plans.map((plan) => plan.expect.tokens[0]?.mint);
      expect(new Set(mints).size).toBe(2);
      const [plan] = plans;
      await plan?.coSign?.(new Uint8Array(3), []);
      await expect(plan?.coSign?.(new Uint8Array(3), [])).rejects.toThrow(RangeError);
    });
  });
}
