import type { Address } from '@tradepost/solana';
import { AppError } from '../../../core/errors/app-error.ts';
import { isYoung } from '../../../core/time/age.ts';
import type { BuyParams } from '../../../engine/intents/kinds/buy/params.ts';
import { rulesOf } from '../../../engine/intents/kinds/rules.ts';
import type { SellParams } from '../../../engine/intents/kinds/sell/params.ts';
import type { Intent } from '../../../engine/intents/rules/intent.ts';
import type { IntentStore } from '../../../engine/intents/store/intent-store-port.ts';
import type { FlagStore } from '../../../engine/switches/store-port.ts';
import { assertNotPaused } from '../../../engine/switches/use/assert-not-paused.ts';
import type { Guard } from '../../guard/rules/guard.ts';
import type { GuardStore } from '../../guard/store/guard-store-port.ts';
import type { ReferralStore } from '../../referrals/store/referral-store-port.ts';
import { requireReferralAccount } from '../../referrals/use/require-account.ts';
import type { WalletStore } from '../../wallets/store/wallet-store-port.ts';
import { ownWallet } from '../../wallets/use/own-wallet.ts';
import { againFor } from './quote-again.ts';
import { quoteTrade } from './quote-trade.ts';
import { type ConfirmableTrade, QUOTE_TTL_MS, tradeParams } from './trade-quote.ts';
import type { TradeDeps } from './trading-deps.ts';

export type ConfirmTradeInput = {
  readonly userId: string;
  readonly walletId: string;
  /** That wallet's, where the caller has just read it; whose it is, is asked again when the intent is written. */
  readonly address?: Address;
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
    readonly guards: Pick<GuardStore, 'findWithPauses'>;
    readonly referrals: Pick<ReferralStore, 'account'>;
  };
  /** Whether the operator wants traders to have a referral account. */
  readonly needsReferralAccount: boolean;
  /** `createIntent` of engine/transactions/use, bound to its own dependencies. */
  readonly createIntent: (
    input: Omit<ConfirmTradeInput, 'trade'> & {
      readonly params: BuyParams | SellParams;
      readonly address: Address;
      readonly guard: Guard;
    },
  ) => Promise<{ readonly intent: Intent; readonly created: boolean }>;
};

/**
 * Turns a confirmed quote into an intent, once: a repeated key returns the intent that exists, even if the market has moved meanwhile. A
 * quote older than ten seconds is requested again first, and PRICE_MOVED is thrown when the market no longer gives the confirmed minimum.
 * Otherwise the confirmed terms count. Throws PAUSED while trading or signing is, INTENT_NOT_FOUND when the key belongs to another person,
 * REFERRAL_REQUIRED when the operator asks for a referral account first and there is none.
 */
export async function confirmTrade(
  deps: ConfirmTradeDeps,
  input: ConfirmTradeInput,
): Promise<{ readonly intent: Intent; readonly created: boolean }> {
  try {
    return await confirmAfresh(deps, input);
  } catch (error) {
    // Asked last, for most are no repeats: the refusal of a new trade says nothing about the one that exists.
    const known = await deps.db.intents.findByKey(input.idemKey).catch(() => null);
    if (known === null) throw error;
    if (known.userId !== input.userId) throw new AppError('INTENT_NOT_FOUND', {});
    return { intent: known, created: false };
  }
}

async function confirmAfresh(
  deps: ConfirmTradeDeps,
  input: ConfirmTradeInput,
): Promise<{ readonly intent: Intent; readonly created: boolean }> {
  const switches = rulesOf(input.trade.side).stoppedBy;
  const { guard, paused } = await deps.db.guards.findWithPauses(input.userId);
  if (switches.some((what) => paused.has(`${what}-paused`))) await assertNotPaused(deps.db.flags, switches);
  await requireReferralAccount(deps, input.userId);
  const address = input.address ?? (await ownWallet(deps.db.wallets, input)).address;
  const { trade, ...rest } = input;
  if (!isYoung(trade.quotedAt, QUOTE_TTL_MS + 1, deps.clock)) {
    const fresh = await quoteTrade(deps, againFor(trade, address));
    if (fresh.terms.quotedOut < trade.terms.minOut) {
      throw new AppError('PRICE_MOVED', { minOut: trade.terms.minOut, got: fresh.terms.quotedOut });
    }
  }
  return deps.createIntent({ ...rest, address, guard, params: tradeParams(trade) });
}
