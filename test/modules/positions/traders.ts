import type { Address } from '@tradepost/solana';
import { bps } from '../../../src/core/amounts/bps.ts';
import type { Intent } from '../../../src/engine/intents/rules/intent.ts';
import { createIntent } from '../../../src/engine/transactions/use/create-intent.ts';
import { LOCAL_RULES } from '../../../src/modules/guard/rules/guard-rules.ts';
import { quoteTrade } from '../../../src/modules/trading/use/quote-trade.ts';
import type { TradeQuote } from '../../../src/modules/trading/use/trade-quote.ts';
import type { Wallet } from '../../../src/modules/wallets/rules/wallet.ts';
import { confirmWithdrawal } from '../../../src/modules/withdrawals/use/confirm-withdrawal.ts';
import { prepareWithdrawal } from '../../../src/modules/withdrawals/use/prepare-withdrawal.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import type { MoneyRig } from '../../engine/transactions/money-rig.ts';
import { fakePins, givePin, TEST_PIN } from '../../support/fakes/pins.ts';
import { PASSED } from '../../support/passed.ts';
import { testSigner } from '../../support/signer.ts';

const SOL = 1_000_000_000n;

export type Owned = Wallet & { readonly userId: string };

/** People who trade, send and clean up on the local chain, each wish carried to its end. */
export function createTraders(rig: MoneyRig, db: Database) {
  const pins = fakePins();
  let serial = 0;
  const nextKey = (): string => {
    serial += 1;
    return `day/${serial}`;
  };

  async function owned(name: string, lamports: bigint): Promise<Owned> {
    const { userId, wallet } = await rig.person(name, lamports);
    return { ...wallet, userId };
  }

  async function secondWallet({ userId }: Owned, lamports: bigint): Promise<Owned> {
    const walletId = rig.deps.ids.ulid();
    const secret = await rig.vault.create({ walletId, userId });
    const wallet = {
      id: walletId,
      userId,
      name: `Wallet ${walletId}`,
      address: secret.publicKey,
      createdAt: rig.deps.clock.now(),
      deletedAt: null,
      origin: 'made' as const,
      confirmedAt: null,
      payoutFrom: null,
    };
    await db.wallets.insert(PASSED, wallet, secret);
    await rig.fund(wallet.address, lamports);
    return wallet;
  }

  function quote(who: Owned, mint: Address, side: 'buy' | 'sell', share: number): Promise<TradeQuote> {
    return quoteTrade(rig.trade, {
      wallet: who.address,
      mint,
      slippageBps: bps(500),
      tier: 'normal',
      ...(side === 'buy'
        ? { side, amount: { lamports: (SOL / 10n) * BigInt(1 + (share % 5)) } }
        : { side, amount: { shareBps: bps(share) } }),
    });
  }

  async function trade(who: Owned, mint: Address, side: 'buy' | 'sell', share: number): Promise<Intent> {
    const { terms, tier } = await quote(who, mint, side, share);
    const { intent } = await createIntent(rig.deps, {
      userId: who.userId,
      walletId: who.id,
      idemKey: nextKey(),
      params:
        side === 'buy'
          ? { kind: 'buy', mint, tier, terms, lamportsIn: terms.amountIn }
          : { kind: 'sell', mint, tier, terms, amountIn: terms.amountIn },
    });
    const settled = await rig.settled(intent.id);
    if (settled.status !== 'SUCCEEDED') throw new Error(`${side} ended as ${settled.status}`);
    return settled;
  }

  async function send(from: Owned, to: Address, mint: Address, share: number): Promise<void> {
    const { params } = await prepareWithdrawal(
      { db, chain: rig.chain, programs: rig.programs },
      {
        userId: from.userId,
        walletId: from.id,
        destination: to,
        asset: { kind: 'token', mint },
        amount: { kind: 'share', bps: bps(share) },
        tier: 'economy',
      },
    );
    await givePin(db, pins, from.userId);
    const { intent } = await confirmWithdrawal(
      {
        ...rig.deps,
        vault: testSigner(rig.deps, { pins }),
        guardRules: { ...LOCAL_RULES, delayMs: 0, dailyCapLamports: 1_000n * SOL, spendCapLamports: 0n },
        tokenValue: async () => 1n,
      },
      { userId: from.userId, pin: TEST_PIN, walletId: from.id, params, idemKey: nextKey() },
    );
    const settled = await rig.settled(intent.id);
    if (settled.status !== 'SUCCEEDED') throw new Error(`sending ended as ${settled.status}`);
  }

  async function heldOf({ address }: Pick<Wallet, 'address'>, mint: Address): Promise<bigint> {
    return (await rig.chain.holdings(address)).find((one) => one.mint === mint)?.amount ?? 0n;
  }

  return { owned, secondWallet, quote, trade, send, heldOf };
}

export type Traders = ReturnType<typeof createTraders>;
