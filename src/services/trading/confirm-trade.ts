import { bps } from '../../core/amounts/bps.ts';
import { AppError } from '../../core/errors/app-error.ts';
import type { Intent } from '../../core/intents/intent.ts';
import type { BuyParams, SellParams } from '../../core/intents/params.ts';
import type { FlagStore } from '../../core/ports/flag-store.ts';
import type { IntentStore } from '../../core/ports/intent-store.ts';
import type { ReferralStore } from '../../core/ports/referral-store.ts';
import type { WalletStore } from '../../core/ports/wallet-store.ts';
import { STOPPED_BY } from '../../core/switches/switch.ts';
import { requireReferralAccount } from '../referrals/require-account.ts';
import { assertNotPaused } from '../switches/assert-not-paused.ts';
import { ownWallet } from '../wallets/own-wallet.ts';
import { quoteTrade } from './quote-trade.ts';
import { type ConfirmableTrade, QUOTE_TTL_MS, type TradeRequest, tradeParams } from './trade-quote.ts';
import type { TradeDeps } from './trading-deps.ts';

export type ConfirmTradeInput = {
  readonly userId: string;
  readonly walletId: string;
  /** Minted before the confirm button was shown. */
  readonly idemKey: string;
  readonly trade: ConfirmableTrade;
  readonly buttonId?: string;
  /** The message that shows the progress. */
  readonly progress?: { readonly chatId: bigint; readonly messageId: number };
};

export type ConfirmTradeDeps = TradeDeps & {
  readonly db: {
    readonly wallets: Pick<WalletStore, 'find'>;
    readonly intents: Pick<IntentStore, 'findByKey'>;
    readonly flags: Pick<FlagStore, 'pauses'>;
    readonly referrals: Pick<ReferralStore, 'account'>;
  };
  /** Whether the operator wants traders to have a referral account. */
  readonly needsReferralAccount: boolean;
  /** `createIntent` of services/transactions, bound to its own dependencies. */
  readonly createIntent: (
    input: Omit<ConfirmTradeInput, 'trade'> & { readonly params: BuyParams | SellParams },
  ) => Promise<{ readonly intent: Intent; readonly created: boolean }>;
};

/**
 * Turns a confirmed quote into an intent, once: a repeated key returns the intent that exists, whatever the market does
 * meanwhile. A quote older than ten seconds is asked for again first, and PRICE_MOVED is thrown when the market no longer
 * gives the confirmed minimum; otherwise the confirmed terms stand. Throws PAUSED while trading or signing is,
 * INTENT_NOT_FOUND when the key belongs to somebody else, REFERRAL_REQUIRED when the operator asks for a referral account
 * first and there is none.
 */
export async function confirmTrade(
  deps: ConfirmTradeDeps,
  input: ConfirmTradeInput,
): Promise<{ readonly intent: Intent; readonly created: boolean }> {
  const known = await deps.db.intents.findByKey(input.idemKey);
  if (known !== null) {
    if (known.userId !== input.userId) throw new AppError('INTENT_NOT_FOUND', {});
    return { intent: known, created: false };
  }
  await assertNotPaused(deps.db.flags, STOPPED_BY[input.trade.side]);
  await requireReferralAccount(deps, input.userId);
  const wallet = await ownWallet(deps.db.wallets, input);
  const { trade, ...rest } = input;
  if (deps.clock.now() - trade.quotedAt > QUOTE_TTL_MS) {
    const fresh = await quoteTrade(deps, againFor(trade, wallet.address));
    if (fresh.terms.quotedOut < trade.terms.minOut) {
      throw new AppError('PRICE_MOVED', { minOut: trade.terms.minOut, got: fresh.terms.quotedOut });
    }
  }
  return deps.createIntent({ ...rest, params: tradeParams(trade) });
}

function againFor(trade: ConfirmableTrade, wallet: TradeRequest['wallet']): TradeRequest {
  const settings = {
    wallet,
    mint: trade.mint,
    slippageBps: bps(trade.terms.slippageBps),
    tier: trade.tier,
  };
  return trade.side === 'buy'
    ? { side: 'buy', ...settings, amount: { lamports: trade.terms.amountIn } }
    : { side: 'sell', ...settings, amount: { units: trade.terms.amountIn } };
}
