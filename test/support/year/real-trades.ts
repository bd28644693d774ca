import type { Address } from '@tradepost/solana';
import { bps } from '../../../src/core/amounts/bps.ts';
import { createIntent } from '../../../src/engine/transactions/use/create-intent.ts';
import { collectPayouts } from '../../../src/modules/referrals/use/collect-payouts.ts';
import { quoteTrade } from '../../../src/modules/trading/use/quote-trade.ts';
import type { PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { startMoneyRig, until } from '../../engine/transactions/money-rig.ts';
import { WITHOUT_PIN } from '../signer.ts';
import { type Originals, realOrders } from './write-orders.ts';

/** A finished buy and a finished sale of one person, with everything that they wrote. */
export type PersonTrades = {
  readonly user: string;
  readonly wallet: string;
  readonly buy: string;
  readonly sell: string;
};

/** Of somebody who was invited, each of whose rewards was paid out, and of somebody who came alone. */
export type RealTrades = {
  readonly invited: PersonTrades;
  readonly alone: PersonTrades;
  readonly orders: Originals;
};

/** Makes them on a local chain, through the whole money path; the orders and the alert through their stores. */
export async function realTrades(db: PrismaDatabase): Promise<RealTrades> {
  const rig = await startMoneyRig(db, 'year');
  try {
    await rig.fund(rig.treasury.address, 1_000_000_000n);
    const inviter = await rig.person('Ann', 1_000_000_000n);
    const of = async (name: string, inviterId: string | null): Promise<PersonTrades> => {
      const who = await rig.person(name, 5_000_000_000n, inviterId);
      const buy = await trade(rig, db, who, 'buy');
      const sell = await trade(rig, db, who, 'sell');
      return { user: who.userId, wallet: who.wallet.id, buy, sell };
    };
    const alone = await of('Cid', null);
    const invited = await of('Bob', inviter.userId);
    return { invited, alone, orders: await realOrders(db, alone.user, alone.wallet) };
  } finally {
    await rig.stop();
  }
}

type Rig = Awaited<ReturnType<typeof startMoneyRig>>;

/** Trades, and pays the reward out where there is one, so that each reward has a payout of its own. */
async function trade(
  rig: Rig,
  db: PrismaDatabase,
  who: Awaited<ReturnType<Rig['person']>>,
  side: 'buy' | 'sell',
): Promise<string> {
  const mint = rig.token('PUP').mint as Address;
  const quote = await quoteTrade(rig.trade, {
    wallet: who.wallet.address,
    mint,
    slippageBps: bps(500),
    tier: 'normal',
    ...(side === 'buy'
      ? { side, amount: { lamports: 500_000_000n } }
      : { side, amount: { shareBps: bps(5_000) } }),
  });
  const common = { mint, tier: quote.tier, terms: quote.terms };
  const { intent } = await createIntent(
    { ...rig.deps, db, vault: WITHOUT_PIN },
    {
      userId: who.userId,
      walletId: who.wallet.id,
      idemKey: `year/${who.userId}/${side}`,
      params:
        side === 'buy'
          ? { kind: 'buy', ...common, lamportsIn: quote.terms.amountIn }
          : { kind: 'sell', ...common, amountIn: quote.terms.amountIn },
      progress: { chatId: 1n, messageId: 1 },
    },
  );
  rig.deps.relay.nudge();
  const { status } = await rig.settled(intent.id);
  if (status !== 'SUCCEEDED') throw new Error(`the ${side} ended as ${status}`);
  await collectPayouts(rig.payoutDeps);
  await until(async () => {
    const open = await db.query("SELECT 1 FROM rewards WHERE status <> 'PAID'", []);
    return open.length === 0 ? true : null;
  }, 'the reward to be paid');
  return intent.id;
}
