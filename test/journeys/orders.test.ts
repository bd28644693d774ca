import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Address } from '../../src/core/address/address.ts';
import { bps } from '../../src/core/amounts/bps.ts';
import { unlocked } from '../../src/core/guard/unlock.ts';
import type { OrderGroup } from '../../src/core/orders/order.ts';
import type { Wallet } from '../../src/core/wallets/wallet.ts';
import type { DraftGroup, OrderDraft } from '../../src/services/orders/draft.ts';
import { confirmable } from '../../src/services/trading/trade-quote.ts';
import { type JourneyRig, startJourneyRig, until } from './rig.ts';

const SOL = 1_000_000_000n;
const DAY = 86_400_000;
let rig: JourneyRig;
beforeAll(async () => {
  rig = await startJourneyRig('orders', { spendCapLamports: 1_000n * SOL });
});
afterAll(() => rig.stop());

const draftOf = (more: Partial<OrderDraft> = {}): OrderDraft => ({
  side: 'buy',
  type: 'LIMIT',
  amount: { kind: 'fixed', units: SOL / 2n },
  unit: 'SOL',
  trigger: null,
  wish: '-10%',
  floor: 'default',
  trailing: null,
  hold: 'normal',
  partial: false,
  schedule: null,
  sellsOnExpiry: false,
  ...more,
});

function groupOf(
  wallet: Wallet,
  mint: Address,
  drafts: readonly OrderDraft[],
  more: Partial<DraftGroup> = {},
): DraftGroup {
  const [first] = drafts;
  return {
    userId: wallet.userId ?? '',
    walletId: wallet.id,
    mint,
    placeKey: rig.ids.token(),
    kind: 'SINGLE',
    units: first?.amount.kind === 'fixed' ? first.amount.units : null,
    drafts,
    expiresAt: rig.clock.now() + DAY,
    slippageBps: 500,
    tier: 'normal',
    accepted: [
      'MINT_AUTHORITY_LIVE',
      'FREEZE_AUTHORITY_LIVE',
      'POOR_EXIT',
      'CANNOT_BUY',
      'CANNOT_SELL',
      'TRANSFER_FEE',
    ],
    supply: null,
    parentIntentId: null,
    ...more,
  };
}

/** The rate that a purchase of `amount` would get now, `factor` per mille of it. */
async function triggerAt(
  wallet: Wallet,
  mint: Address,
  permille: bigint,
  side: 'buy' | 'sell' = 'buy',
  units = SOL / 2n,
) {
  const view = await rig.services.orders.viewDraft(
    groupOf(wallet, mint, [
      draftOf({ side, amount: { kind: 'fixed', units }, trigger: { got: 10n ** 30n, given: 1n } }),
    ]),
  );
  const rate = view.looks[0]?.now?.rate;
  if (rate === undefined) throw new Error('no price');
  return { got: rate.got * permille, given: rate.given * 1_000n };
}

/** Somebody rich, whom nobody asks for a PIN. */
async function whaleOf(name: string): Promise<Wallet> {
  const { wallet } = await rig.trader(name, 400n);
  const userId = wallet.userId ?? '';
  const guard = await rig.db.guards.find(userId);
  await rig.db.guards.save(unlocked({ ...guard, pinHash: 'a hash' }, rig.clock.now()));
  return wallet;
}

/** Somebody with a lot of it trades: the price moves by real trades. */
async function trade(wallet: Wallet, mint: Address, side: 'buy' | 'sell', amount: bigint): Promise<void> {
  const settings = { wallet: wallet.address, mint, slippageBps: bps(500), tier: 'normal' } as const;
  const quote = await rig.services.trade.quoteTrade(
    side === 'buy'
      ? { side, ...settings, amount: { lamports: amount } }
      : { side, ...settings, amount: { shareBps: bps(Number(amount)) } },
  );
  const { intent } = await rig.services.trade.confirmTrade({
    userId: wallet.userId ?? '',
    walletId: wallet.id,
    idemKey: rig.ids.token(),
    trade: confirmable(quote),
  });
  await until(async () => (await rig.db.intents.find(intent.id))?.status === 'SUCCEEDED');
}

const found = async (group: OrderGroup): Promise<OrderGroup> => {
  const one = await rig.db.orders.find(group.orders[0]?.id ?? '');
  if (one === null) throw new Error('gone');
  return one;
};

describe('a limit buy', () => {
  it('is placed once, waits while the price is not there, and buys once when it is, never above its limit', async () => {
    const mint = rig.token('PUP').mint as Address;
    const whale = await whaleOf('Whale');
    const { wallet } = await rig.trader('Patient', 5n);
    await trade(whale, mint, 'buy', 40n * SOL);
    const trigger = await triggerAt(wallet, mint, 1_004n);
    const draft = groupOf(wallet, mint, [draftOf({ trigger })]);
    const group = await rig.services.orders.place(draft);
    expect(await rig.services.orders.place(draft)).toEqual(group);
    expect(group.orders).toMatchObject([{ status: 'OPEN', number: 1 }]);
    await until(async () => rig.services.watchOrders.size() === 1);
    expect((await found(group)).orders).toMatchObject([{ status: 'OPEN', fires: 0 }]);

    await trade(whale, mint, 'sell', 10_000n);
    const soldAt = Date.now();
    await until(async () => (await found(group)).orders[0]?.status === 'FILLED');
    const [order] = (await found(group)).orders;
    expect(order).toMatchObject({ fires: 1, filled: SOL / 2n });
    const [fire] = await rig.db.orders.fires(order?.id ?? '', 10);
    expect(fire?.firedAt ?? Infinity).toBeLessThan(soldAt + 3_000);
    // Never above the limit: what arrived for what was given is at least the trigger.
    expect((order?.received ?? 0n) * trigger.given).toBeGreaterThanOrEqual(
      (order?.filled ?? 0n) * trigger.got,
    );
    const held = (await rig.chain.holdings(wallet.address)).find((one) => one.mint === mint);
    expect(held?.amount).toBe(order?.received);
  });
});
