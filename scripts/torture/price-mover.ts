import type { Address } from '@tradepost/solana';
import { bps } from '../../src/core/amounts/bps.ts';
import { quoteTrade } from '../../src/modules/trading/use/quote-trade.ts';
import { confirmable } from '../../src/modules/trading/use/trade-quote.ts';
import type { Random } from '../../test/support/simulator/random.ts';
import type { composeProcess } from './compose.ts';
import { insist } from './insist.ts';
import { airdrop, type Person, type Request } from './people.ts';
import type { TortureWorld } from './world.ts';

const SOL = 1_000_000_000n;
const PURSE_LAMPORTS = 2_000n * SOL;

/** A rich person whose trades, requests like all others, move the price to and fro by a few percent. */
export async function createPriceMover(
  { trade }: Awaited<ReturnType<typeof composeProcess>>,
  world: Pick<TortureWorld, 'chain'>,
  { userId, wallet }: Person,
  mint: Address,
  random: Random,
) {
  await airdrop(world, wallet.address, PURSE_LAMPORTS);
  let bought = 0;
  return {
    /** The next trade: a purchase, or the sale of a part of all that was bought. */
    async next(): Promise<Request> {
      const buys = bought === 0 || random.chance(0.5);
      bought = buys ? bought + 1 : bought - 1;
      const common = { wallet: wallet.address, mint, slippageBps: bps(5_000), tier: 'normal' } as const;
      const quote = await insist(() =>
        buys
          ? quoteTrade(trade, {
              ...common,
              side: 'buy',
              amount: { lamports: BigInt(random.between(2, 6)) * SOL },
            })
          : quoteTrade(trade, {
              ...common,
              side: 'sell',
              amount: { shareBps: bps(Math.floor(10_000 / (bought + 2))) },
            }),
      );
      const { terms, tier } = confirmable(quote);
      return {
        userId,
        walletId: wallet.id,
        params: buys
          ? { kind: 'buy', mint, lamportsIn: terms.amountIn, terms, tier }
          : { kind: 'sell', mint, amountIn: terms.amountIn, terms, tier },
      };
    },
  };
}

export type PriceMover = Awaited<ReturnType<typeof createPriceMover>>;
