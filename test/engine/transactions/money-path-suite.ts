import type { Address } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bps } from '../../../src/core/amounts/bps.ts';
import { decodeLooks } from '../../../src/engine/intents/rules/death.ts';
import { decodeIntentNotice } from '../../../src/engine/intents/rules/notice-payload.ts';
import { createIntent } from '../../../src/engine/transactions/use/create-intent.ts';
import { LOCAL_RULES } from '../../../src/modules/guard/rules/guard-rules.ts';
import { foldPositions } from '../../../src/modules/positions/use/fold-positions.ts';
import { quoteTrade } from '../../../src/modules/trading/use/quote-trade.ts';
import { confirmWithdrawal } from '../../../src/modules/withdrawals/use/confirm-withdrawal.ts';
import { prepareWithdrawal } from '../../../src/modules/withdrawals/use/prepare-withdrawal.ts';
import type { WithdrawalAmount } from '../../../src/modules/withdrawals/use/withdrawal-quote.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import { fakePins, givePin, TEST_PIN } from '../../support/fakes/pins.ts';
import { testSigner } from '../../support/signer.ts';
import { type MoneyRig, startMoneyRig, until } from './money-rig.ts';

const SOL = 1_000_000_000n;

/** The money path end to end; run over the database in memory and over Postgres. */
export function describeMoneyPath(title: string, open: () => Promise<Database>): void {
  describe(title, () => {
    let db: Database;
    let rig: MoneyRig;
    beforeAll(async () => {
      db = await open();
      rig = await startMoneyRig(db, title);
    });
    afterAll(() => rig?.stop());

    type Person = Awaited<ReturnType<MoneyRig['person']>>;
    let serial = 0;
    const pins = fakePins();
    const guarded = () => ({
      ...rig.deps,
      vault: testSigner(rig.deps, { pins }),
      guardRules: { ...LOCAL_RULES, delayMs: 0, dailyCapLamports: 1_000n * SOL, spendCapLamports: 0n },
      tokenValue: async () => 1n,
    });
    const withdraw = async (
      from: Person,
      to: Address,
      asset: { kind: 'sol' } | { kind: 'token'; mint: string },
      amount: WithdrawalAmount,
      between: () => Promise<void> = async () => undefined,
    ) => {
      const quote = await prepareWithdrawal(
        { db, chain: rig.chain, programs: rig.programs },
        {
          userId: from.userId,
          walletId: from.wallet.id,
          destination: to,
          asset,
          amount,
          tier: 'economy',
        },
      );
      await between();
      serial += 1;
      await givePin(db, pins, from.userId);
      const { intent } = await confirmWithdrawal(guarded(), {
        userId: from.userId,
        pin: TEST_PIN,
        walletId: from.wallet.id,
        params: quote.params,
        idemKey: `${title}/withdraw/${serial}`,
      });
      return { quote, intent: await rig.settled(intent.id) };
    };
    /** `between` runs after the quote, before it is confirmed. */
    const trade = async (
      who: Person,
      mint: Address,
      side: 'buy' | 'sell',
      between: () => Promise<void> = async () => undefined,
    ) => {
      const quote = await quoteTrade(rig.trade, {
        wallet: who.wallet.address,
        mint,
        slippageBps: bps(500),
        tier: 'normal',
        ...(side === 'buy'
          ? { side, amount: { lamports: SOL / 2n } }
          : { side, amount: { shareBps: bps(10_000) } }),
      });
      await between();
      const { terms, tier } = quote;
      serial += 1;
      const { intent } = await createIntent(rig.deps, {
        userId: who.userId,
        walletId: who.wallet.id,
        idemKey: `${title}/trade/${serial}`,
        params:
          side === 'buy'
            ? { kind: 'buy', mint, tier, terms, lamportsIn: terms.amountIn }
            : { kind: 'sell', mint, tier, terms, amountIn: terms.amountIn },
      });
      return { quote, intent: await rig.settled(intent.id) };
    };
    const tokensOf = async (owner: Address, mint: Address): Promise<bigint> =>
      (await rig.chain.holdings(owner)).find((holding) => holding.mint === mint)?.amount ?? 0n;

    it('sends an exact amount of SOL and accounts for every lamport', async () => {
      const from = await rig.person('Ann', 2n * SOL);
      const to = await rig.person('Bob', 0n);
      const { intent } = await withdraw(
        from,
        to.wallet.address,
        { kind: 'sol' },
        { kind: 'exact', units: SOL },
      );
      expect(intent).toMatchObject({ status: 'SUCCEEDED', outcome: { reason: null } });
      const receipt = intent.outcome?.receipt;
      expect(receipt?.walletLamportsDelta).toBe(-(SOL + (receipt?.feeLamports ?? 0n)));
      expect(await rig.chain.balance(to.wallet.address)).toBe(SOL);
      expect(await rig.chain.balance(from.wallet.address)).toBe(SOL - (receipt?.feeLamports ?? 0n));
      const notices = await until(async () => {
        const mine = rig.delivered.filter((notice) => notice.intentId === intent.id);
        return mine.at(-1)?.kind === 'final' ? mine : null;
      });
      expect(notices.map((notice) => notice.kind)).toEqual(expect.arrayContaining(['confirmed', 'final']));
      const last = notices.at(-1);
      expect(decodeIntentNotice(last?.payload)).toMatchObject({
        status: 'SUCCEEDED',
        signature: receipt?.signature,
      });
    });

    it('leaves exactly nothing when everything is withdrawn', async () => {
      const from = await rig.person('Ann', 3n * SOL + 7n);
      const to = await rig.person('Bob', 0n);
      const { quote, intent } = await withdraw(from, to.wallet.address, { kind: 'sol' }, { kind: 'max' });
      expect(intent.status).toBe('SUCCEEDED');
      expect(quote).toMatchObject({ leftLamports: 0n });
      expect(await rig.chain.balance(from.wallet.address)).toBe(0n);
      const fee = intent.outcome?.receipt?.feeLamports ?? 0n;
      expect(await rig.chain.balance(to.wallet.address)).toBe(3n * SOL + 7n - fee);
    });

    it('refuses what the chain would refuse, before anything is stored', async () => {
      const from = await rig.person('Ann', SOL);
      const fresh = await rig.person('Bob', 0n);
      const to = fresh.wallet.address;
      const exact = (units: bigint): WithdrawalAmount => ({ kind: 'exact', units });
      await expect(withdraw(from, to, { kind: 'sol' }, exact(890_879n))).rejects.toMatchObject({
        code: 'RECIPIENT_BELOW_RENT',
        details: { minimum: 890_880n, wouldHold: 890_879n },
      });
      await expect(withdraw(from, to, { kind: 'sol' }, exact(SOL - 100_000n))).rejects.toMatchObject({
        code: 'RENT_REMAINDER',
      });
      await expect(withdraw(from, to, { kind: 'sol' }, exact(SOL))).rejects.toMatchObject({
        code: 'INSUFFICIENT_LAMPORTS',
      });
      const refusals: readonly (readonly [string, string])[] = [
        [from.wallet.address, 'RECIPIENT_IS_SELF'],
        [rig.token('PUP').mint, 'RECIPIENT_IS_MINT'],
        ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'RECIPIENT_IS_PROGRAM'],
        [rig.local.world.pools[0]?.vaultA ?? '', 'RECIPIENT_IS_TOKEN_ACCOUNT'],
        ['not an address', 'ADDRESS_INVALID'],
        [
          rig.programs.associatedTokenAddress(
            from.wallet.address,
            rig.token('PUP').mint,
            rig.token('PUP').program,
          ),
          'RECIPIENT_OFF_CURVE',
        ],
      ];
      for (const [text, code] of refusals) {
        await expect(withdraw(from, text as Address, { kind: 'sol' }, exact(SOL / 2n))).rejects.toMatchObject(
          {
            code,
          },
        );
      }
    });

    it('trades, pays the platform, books the inviter and pays the reward', async () => {
      const inviter = await rig.person('Ivy', SOL);
      await rig.fund(rig.treasury.address, SOL / 10n);
      const trader = await rig.person('Tom', 5n * SOL, inviter.userId);
      const { mint } = rig.token('PUP');
      const before = await rig.chain.balance(inviter.wallet.address);

      const bought = await trade(trader, mint, 'buy');
      expect(bought.intent).toMatchObject({ status: 'SUCCEEDED', outcome: { reason: null } });
      expect(bought.intent.outcome?.receipt).toMatchObject({
        platformFeeLamports: 5_000_000n,
        tokenDeltas: [{ mint, delta: bought.quote.terms.quotedOut }],
      });
      await until(async () => (await rig.chain.balance(inviter.wallet.address)) === before + 1_500_000n);
      await until(async () => rig.delivered.some((notice) => notice.kind === 'reward-paid'));
      expect(await db.ledger.balance({ kind: 'referral-payable', owner: inviter.userId })).toBe(0n);
      expect(await db.ledger.balance({ kind: 'referral-in-flight', owner: inviter.userId })).toBe(0n);
      expect((await db.referrals.totals(inviter.userId)).paidLamports).toBe(1_500_000n);

      const sold = await trade(trader, mint, 'sell');
      expect(sold.intent.status).toBe('SUCCEEDED');
      expect(await tokensOf(trader.wallet.address, mint)).toBe(0n);

      // What both trades did to the wallet is in its position to the lamport: the account's rent went and came back.
      const { positions } = await foldPositions(db, trader.userId);
      expect(positions).toMatchObject([{ mint, units: 0n, cost: 0n, hidden: false, pricedAtReceipt: false }]);
      const change = (await rig.chain.balance(trader.wallet.address)) - 5n * SOL;
      expect(sold.intent.outcome?.receipt?.rentLamports).toBe(-2_039_280n);
      expect(positions[0]?.realized).toBe(change);
    });

    it('sends an SPL token to somebody who never held it, and pays for the account', async () => {
      const from = await rig.person('Ann', 3n * SOL);
      const to = await rig.person('Bob', 0n);
      const { mint } = rig.token('KOI');
      await trade(from, mint, 'buy');
      const held = await tokensOf(from.wallet.address, mint);
      const { quote, intent } = await withdraw(
        from,
        to.wallet.address,
        { kind: 'token', mint },
        { kind: 'share', bps: bps(5_000) },
      );
      expect(quote).toMatchObject({ accountRentLamports: 2_039_280n, amount: held / 2n });
      expect(intent).toMatchObject({
        status: 'SUCCEEDED',
        outcome: { receipt: { rentLamports: 2_039_280n } },
      });
      expect(await tokensOf(to.wallet.address, mint)).toBe(held / 2n);
      const second = await withdraw(from, to.wallet.address, { kind: 'token', mint }, { kind: 'max' });
      expect(second.quote).toMatchObject({ accountRentLamports: 0n });
      expect(second.intent.status).toBe('SUCCEEDED');
      expect(await tokensOf(to.wallet.address, mint)).toBe(held);
    });

    it('shows and pays the transfer fee of a Token-2022 mint', async () => {
      const from = await rig.person('Ann', 3n * SOL);
      const to = await rig.person('Bob', 0n);
      const { mint } = rig.token('TAX');
      await trade(from, mint, 'buy');
      const held = await tokensOf(from.wallet.address, mint);
      const { quote, intent } = await withdraw(
        from,
        to.wallet.address,
        { kind: 'token', mint },
        { kind: 'max' },
      );
      expect(intent.status).toBe('SUCCEEDED');
      if (quote.asset !== 'token') throw new Error('a token was quoted');
      expect(quote.transferFee).toBeGreaterThan(0n);
      expect(quote.receives).toBe(held - quote.transferFee);
      expect(await tokensOf(to.wallet.address, mint)).toBe(quote.receives);
      expect(intent.outcome?.receipt?.rentLamports).toBe(quote.accountRentLamports);
      await expect(
        withdraw(from, to.wallet.address, { kind: 'token', mint }, { kind: 'exact', units: 1n }),
      ).rejects.toMatchObject({ code: 'INSUFFICIENT_TOKENS' });
    });

    it('lets one of two withdrawals of the same money through and words the refusal of the other', async () => {
      const from = await rig.person('Ann', SOL);
      const to = await rig.person('Bob', SOL);
      const quote = await prepareWithdrawal(
        { db, chain: rig.chain, programs: rig.programs },
        {
          userId: from.userId,
          walletId: from.wallet.id,
          destination: to.wallet.address,
          asset: { kind: 'sol' },
          amount: { kind: 'exact', units: (SOL * 6n) / 10n },
          tier: 'economy',
        },
      );
      await givePin(db, pins, from.userId);
      const confirm = (idemKey: string) =>
        confirmWithdrawal(guarded(), {
          userId: from.userId,
          pin: TEST_PIN,
          walletId: from.wallet.id,
          params: quote.params,
          idemKey,
        });
      const first = await confirm(`${title}/both/1`);
      const again = await confirm(`${title}/both/1`);
      expect(again).toMatchObject({ created: false, intent: { id: first.intent.id } });
      expect((await rig.settled(first.intent.id)).status).toBe('SUCCEEDED');
      const second = await confirm(`${title}/both/2`);
      expect(await rig.settled(second.intent.id)).toMatchObject({
        status: 'REJECTED',
        outcome: { reason: 'INSUFFICIENT_LAMPORTS' },
      });
      expect(await db.intents.attempts(second.intent.id)).toHaveLength(0);
    });

    it('signs again only after the first signature is proved dead, and pays once', async () => {
      const from = await rig.person('Ann', SOL);
      const to = await rig.person('Bob', SOL);
      rig.network.deliver = false;
      const { intent } = await createIntent(rig.deps, {
        userId: from.userId,
        walletId: from.wallet.id,
        idemKey: `${title}/dead`,
        params: {
          kind: 'withdraw-sol',
          destination: to.wallet.address,
          lamports: SOL / 2n,
          everything: false,
          tier: 'economy',
        },
      });
      const first = await until(async () => {
        const rows = await db.intents.attempts(intent.id);
        return rows[0]?.status === 'DEAD' ? rows[0] : null;
      });
      expect(await rig.chain.balance(to.wallet.address)).toBe(SOL);
      const looks = decodeLooks(first.deathProof);
      expect(looks.length).toBeGreaterThanOrEqual(2);
      expect(looks.every((look) => look.finalizedHeight > first.lastValidBlockHeight)).toBe(true);
      rig.network.deliver = true;
      expect((await rig.settled(intent.id)).status).toBe('SUCCEEDED');
      const attempts = await db.intents.attempts(intent.id);
      expect(attempts.filter((attempt) => attempt.status === 'FINALIZED')).toHaveLength(1);
      expect(attempts.slice(0, -1).every((attempt) => attempt.status === 'DEAD')).toBe(true);
      expect(await rig.chain.balance(to.wallet.address)).toBe(SOL + SOL / 2n);
    });

    it('pays once when every answer of the network is lost', async () => {
      const from = await rig.person('Ann', SOL);
      const to = await rig.person('Bob', SOL);
      rig.network.answer = false;
      try {
        const { intent } = await withdraw(
          from,
          to.wallet.address,
          { kind: 'sol' },
          { kind: 'exact', units: SOL / 4n },
        );
        expect(intent.status).toBe('SUCCEEDED');
        expect(await db.intents.attempts(intent.id)).toHaveLength(1);
        expect(await rig.chain.balance(to.wallet.address)).toBe(SOL + SOL / 4n);
      } finally {
        rig.network.answer = true;
      }
    });

    /** Lamports of a byte, for as long as the act takes. */
    const atRent = async (lamportsPerByte: bigint, act: () => Promise<void>): Promise<void> => {
      rig.local.setRent(lamportsPerByte);
      // Until the nodes say it at `confirmed`.
      await until(async () => (await rig.chain.rentExemption(0)) === 128n * lamportsPerByte || null);
      try {
        await act();
      } finally {
        rig.local.setRent(6_960n);
        await until(async () => (await rig.chain.rentExemption(0)) === 890_880n || null);
      }
    };

    it.each([
      [5_080n, 650_240n],
      [696n, 89_088n],
      [6_960n, 890_880n],
      [13_920n, 1_781_760n],
    ])('at %s lamports a byte a wallet keeps and gets at least %s', async (lamportsPerByte, minimum) => {
      const from = await rig.person('Ann', SOL);
      await atRent(lamportsPerByte, async () => {
        const exact = (units: bigint): WithdrawalAmount => ({ kind: 'exact', units });
        const to = (await rig.person('Bob', 0n)).wallet.address;
        await expect(withdraw(from, to, { kind: 'sol' }, exact(minimum - 1n))).rejects.toMatchObject({
          code: 'RECIPIENT_BELOW_RENT',
          details: { minimum, wouldHold: minimum - 1n },
        });
        expect((await withdraw(from, to, { kind: 'sol' }, exact(minimum))).intent.status).toBe('SUCCEEDED');
        expect(await rig.chain.balance(to)).toBe(minimum);
        const held = await rig.chain.balance(from.wallet.address);
        const { networkFeeLamports: fee } = await prepareWithdrawal(
          { db, chain: rig.chain, programs: rig.programs },
          {
            userId: from.userId,
            walletId: from.wallet.id,
            destination: to,
            asset: { kind: 'sol' },
            amount: { kind: 'max' },
            tier: 'economy',
          },
        );
        await expect(
          withdraw(from, to, { kind: 'sol' }, exact(held - fee - minimum + 1n)),
        ).rejects.toMatchObject({ code: 'RENT_REMAINDER', details: { left: minimum - 1n, minimum } });
        // A wallet that pays a fee must be exempt behind it: with less than that above the minimum it can pay none.
        const kept = minimum + 100_000n;
        await withdraw(from, to, { kind: 'sol' }, exact(held - fee - kept));
        expect(await rig.chain.balance(from.wallet.address)).toBe(kept);
        const { quote, intent } = await withdraw(from, to, { kind: 'sol' }, { kind: 'max' });
        expect(intent).toMatchObject({ status: 'SUCCEEDED', outcome: { reason: null } });
        const paid = intent.outcome?.receipt?.feeLamports ?? 0n;
        expect(quote).toMatchObject({ receivesLamports: kept - paid, leftLamports: 0n });
        expect(await rig.chain.balance(from.wallet.address)).toBe(0n);
        expect(await rig.chain.balance(to)).toBe(minimum + held - fee - paid);
      });
    });

    it('what is opened takes the rent of now, and what closes brings what it held', async () => {
      const mint = rig.local.world.tokens.find(({ symbol }) => symbol === 'PUP')?.mint as Address;
      const ann = await rig.person('Ann', 3n * SOL);
      const bob = await rig.person('Bob', SOL);
      const bought = await trade(ann, mint, 'buy');
      expect(bought.quote.newAccountRentLamports).toBe(2_039_280n);
      expect(bought.intent.outcome?.receipt?.rentLamports).toBe(2_039_280n);
      await atRent(5_080n, async () => {
        const sent = await withdraw(
          ann,
          bob.wallet.address,
          { kind: 'token', mint },
          { kind: 'exact', units: 1n },
        );
        expect(sent.quote).toMatchObject({ accountRentLamports: 1_488_440n });
        expect(sent.intent.outcome?.receipt?.rentLamports).toBe(1_488_440n);
        // The account was opened at the rent of before, which is what it gives back.
        const sold = await trade(ann, mint, 'sell');
        expect(sold.quote.closedLamports).toBe(2_039_280n);
        expect(sold.intent.status).toBe('SUCCEEDED');
        const again = await trade(ann, mint, 'buy');
        expect(again.quote.newAccountRentLamports).toBe(again.intent.outcome?.receipt?.rentLamports);
      });
      const held = await rig.chain.balance(ann.wallet.address);
      // At the old rent again.
      const { quote, intent } = await withdraw(ann, bob.wallet.address, { kind: 'sol' }, { kind: 'max' });
      expect(quote).toMatchObject({ balanceLamports: held });
      expect(intent.status).toBe('SUCCEEDED');
      expect(await rig.chain.balance(ann.wallet.address)).toBe(0n);
    });

    /** Rent twice as high as at the quote, from the next block on. */
    const doubled = async (): Promise<void> => {
      rig.local.setRent(5_150n);
      await until(async () => (await rig.chain.rentExemption(0)) === 128n * 5_150n || null);
    };

    it('rent that doubles between quote and signature is paid as it is now, and the purchase is as it was confirmed', async () => {
      const mint = rig.local.world.tokens.find(({ symbol }) => symbol === 'KOI')?.mint as Address;
      const ann = await rig.person('Ann', 3n * SOL);
      await atRent(2_575n, async () => {
        const { quote, intent } = await trade(ann, mint, 'buy', doubled);
        expect(intent.status).toBe('SUCCEEDED');
        const receipt = intent.outcome?.receipt;
        expect(receipt?.rentLamports).toBe(2n * quote.newAccountRentLamports);
        expect(receipt?.walletLamportsDelta).toBe(
          -(quote.terms.amountIn + (receipt?.feeLamports ?? 0n) + 2n * quote.newAccountRentLamports),
        );
        expect(await tokensOf(ann.wallet.address, mint)).toBeGreaterThanOrEqual(quote.terms.minOut);
      });
    });

    it('a withdrawal that would leave its recipient below the doubled rent moves nothing', async () => {
      const ann = await rig.person('Ann', 2n * SOL);
      const to = (await rig.person('Bob', 0n)).wallet.address;
      await atRent(2_575n, async () => {
        const least = 128n * 2_575n;
        const { intent } = await withdraw(ann, to, { kind: 'sol' }, { kind: 'exact', units: least }, doubled);
        expect(intent).toMatchObject({ status: 'REJECTED', outcome: { reason: 'RECIPIENT_BELOW_RENT' } });
        expect(intent.outcome?.details).toMatchObject({ minimum: String(2n * least) });
        expect(await db.intents.attempts(intent.id)).toEqual([]);
        expect(await rig.chain.balance(to)).toBe(0n);
        expect(await rig.chain.balance(ann.wallet.address)).toBe(2n * SOL);
      });
    });

    it('never lets bytes leave before they are committed', () => {
      expect(rig.network.uncommitted).toEqual([]);
      expect(rig.network.sent).toBeGreaterThan(10);
    });
  });
}
