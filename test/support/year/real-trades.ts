import type { PrismaDatabase } from '../../../src/adapters/db/prisma-database.ts';
import type { Address } from '../../../src/core/address/address.ts';
import { bps } from '../../../src/core/amounts/bps.ts';
import { quoteTrade } from '../../../src/services/trade/quote-trade.ts';
import { createIntent } from '../../../src/services/transactions/create-intent.ts';
import { startMoneyRig } from '../../services/transactions/money-rig.ts';
import { WITHOUT_PIN } from '../signer.ts';

/** A finished buy and a finished sale of an invited person, with everything that they wrote. */
export type RealTrades = {
  readonly buy: string;
  readonly sell: string;
  readonly user: string;
  readonly wallet: string;
};

/** Makes them on a local chain, through the whole money path. */
export async function realTrades(db: PrismaDatabase): Promise<RealTrades> {
  const rig = await startMoneyRig(db, 'year');
  try {
    const inviter = await rig.person('Ann', 1_000_000_000n);
    const who = await rig.person('Bob', 5_000_000_000n, inviter.userId);
    const mint = rig.token('PUP').mint as Address;
    const trade = async (side: 'buy' | 'sell'): Promise<string> => {
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
          idemKey: `year/${side}`,
          params:
            side === 'buy'
              ? { kind: 'buy', ...common, lamportsIn: quote.terms.amountIn }
              : { kind: 'sell', ...common, amountIn: quote.terms.amountIn },
          progress: { chatId: 1n, messageId: 1 },
        },
      );
      rig.deps.relay.nudge();
      const settled = await rig.settled(intent.id);
      if (settled.status !== 'SUCCEEDED') throw new Error(`the ${side} ended as ${settled.status}`);
      return intent.id;
    };
    return { buy: await trade('buy'), sell: await trade('sell'), user: who.userId, wallet: who.wallet.id };
  } finally {
    await rig.stop();
  }
}
