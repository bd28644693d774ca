import type { Address } from '@tradepost/solana';
import { bps } from '../../src/core/amounts/bps.ts';
import type { AttemptStatus } from '../../src/engine/intents/rules/intent.ts';
import { unlocked } from '../../src/modules/guard/rules/unlock.ts';
import type { OrderGroup } from '../../src/modules/orders/rules/order.ts';
import type { DraftGroup, OrderDraft } from '../../src/modules/orders/use/draft.ts';
import { confirmable } from '../../src/modules/trading/use/trade-quote.ts';
import type { Wallet } from '../../src/modules/wallets/rules/wallet.ts';
import { PASSED } from '../support/passed.ts';
import { type JourneyRig, until } from './rig.ts';

const SOL = 1_000_000_000n;
const DAY = 86_400_000;
const WAVES = 4;
const ON_CHAIN: ReadonlySet<AttemptStatus> = new Set(['CONFIRMED', 'FINALIZED']);

/** People who place orders, and somebody rich who moves the price by real trades. */
export function orderDesk(rig: () => JourneyRig) {
  const draftOf = (more: Partial<OrderDraft> = {}): OrderDraft => ({
    side: 'buy',
    type: 'LIMIT',
    amount: { kind: 'fixed', units: SOL / 2n },
    unit: 'SOL',
    trigger: null,
    request: '-10%',
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
      placeKey: rig().ids.token(),
      kind: 'SINGLE',
      units: first?.amount.kind === 'fixed' ? first.amount.units : null,
      drafts,
      expiresAt: rig().clock.now() + DAY,
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
    const view = await rig().services.orders.viewDraft(
      groupOf(wallet, mint, [
        draftOf({ side, amount: { kind: 'fixed', units }, trigger: { got: 10n ** 30n, given: 1n } }),
      ]),
    );
    const rate = view.looks[0]?.now?.rate;
    if (rate === undefined) throw new Error('no price');
    return { got: rate.got * permille, given: rate.given * 1_000n };
  }

  /** Somebody rich, whom nobody asks for a PIN. */
  async function whaleOf(name: string, sol = 400n): Promise<Wallet> {
    const { wallet } = await rig().trader(name, sol);
    const userId = wallet.userId ?? '';
    const guard = await rig().db.guards.find(userId);
    await rig().db.guards.save(unlocked({ ...guard, pinHash: 'a hash' }, rig().clock.now()), PASSED);
    return wallet;
  }

  /** Somebody with a lot of it trades: the price moves by real trades. */
  async function trade(wallet: Wallet, mint: Address, side: 'buy' | 'sell', amount: bigint): Promise<void> {
    const settings = { wallet: wallet.address, mint, slippageBps: bps(500), tier: 'normal' } as const;
    const quote = await rig().services.trade.quoteTrade(
      side === 'buy'
        ? { side, ...settings, amount: { lamports: amount } }
        : { side, ...settings, amount: { shareBps: bps(Number(amount)) } },
    );
    const { intent } = await rig().services.trade.confirmTrade({
      userId: wallet.userId ?? '',
      walletId: wallet.id,
      idemKey: rig().ids.token(),
      trade: confirmable(quote),
    });
    await until(() => isOnChain(intent.id));
  }

  /** The cluster confirmed it: prices are what it made of them. Its end follows 32 slots later, and no price waits for that. */
  async function isOnChain(intentId: string): Promise<boolean> {
    const attempts = await rig().db.intents.attempts(intentId);
    return attempts.some(({ status, chainError }) => chainError === null && ON_CHAIN.has(status));
  }

  /** Moves the price that somebody small gets: after one large trade the next small one would go to a pool that was left out. */
  async function wave(wallet: Wallet, mint: Address, side: 'buy' | 'sell'): Promise<void> {
    if (side === 'buy') for (let n = 0; n < WAVES; n++) await trade(wallet, mint, 'buy', 2n * SOL);
    else for (let left = WAVES; left > 0; left--) await trade(wallet, mint, 'sell', 10_000n / BigInt(left));
  }

  const found = async (group: OrderGroup): Promise<OrderGroup> => {
    const one = await rig().db.orders.find(group.orders[0]?.id ?? '');
    if (one === null) throw new Error('gone');
    return one;
  };

  /** Units of a token that a wallet holds by the chain. */
  const heldOf = async (wallet: Pick<Wallet, 'address'>, mint: Address): Promise<bigint> =>
    (await rig().chain.holdings(wallet.address)).find((one) => one.mint === mint)?.amount ?? 0n;

  /** Waits until the watcher has looked at the price of this group's token after a time; by default after it was placed. */
  const isSeen = (
    group: OrderGroup,
    { wait = until, after = group.createdAt }: { readonly wait?: typeof until; readonly after?: number } = {},
  ): Promise<unknown> =>
    wait(async () => {
      const [mark] = await rig().services.orders.marks([group.mint]);
      return mark !== undefined && mark.at > after;
    });

  return { draftOf, groupOf, triggerAt, whaleOf, trade, wave, found, heldOf, isSeen };
}
