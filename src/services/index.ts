import type { Address } from '../core/address/address.ts';
import type { Bps } from '../core/amounts/bps.ts';
import type { Chain, MessageCompiler } from '../core/ports/chain.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { DialogStore } from '../core/ports/dialog-store.ts';
import type { Ids } from '../core/ports/ids.ts';
import type { JobQueue } from '../core/ports/job-queue.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Notifier } from '../core/ports/notifier.ts';
import type { Programs } from '../core/ports/programs.ts';
import type { Database } from '../core/ports/stores.ts';
import type { Vault } from '../core/ports/vault.ts';
import type { Venue } from '../core/ports/venue.ts';
import type { WellKnownToken } from '../core/tokens/safety.ts';
import type { Wallet } from '../core/wallets/wallet.ts';
import { createSolPrice } from './market/sol-price.ts';
import { collectPayouts } from './payouts/collect-payouts.ts';
import { createPayoutPlan } from './payouts/plan-payout.ts';
import { lookUpToken } from './tokens/look-up-token.ts';
import { suggestTokens } from './tokens/suggest-tokens.ts';
import { createBuyPlanBuilder } from './trade/build-buy-plan.ts';
import { createSellPlanBuilder } from './trade/build-sell-plan.ts';
import { type ConfirmTradeInput, confirmTrade } from './trade/confirm-trade.ts';
import { quoteTrade } from './trade/quote-trade.ts';
import { tradeCard } from './trade/trade-card.ts';
import type { TradeDeps } from './trade/trade-deps.ts';
import type { TradeRequest } from './trade/trade-quote.ts';
import { createIntent } from './transactions/create-intent.ts';
import { createDeliverNotice } from './transactions/deliver-notice.ts';
import type { TransactionDeps } from './transactions/deps.ts';
import type { PlanBuilders } from './transactions/plan.ts';
import { createRelay } from './transactions/relay-outbox.ts';
import { createStepIntent } from './transactions/step-intent.ts';
import { sweep } from './transactions/sweep.ts';
import { createPlatformFee } from './treasury/platform-fee.ts';
import { confirmWithdrawal } from './withdrawals/confirm-withdrawal.ts';
import { createWithdrawSolPlan } from './withdrawals/plan-withdraw-sol.ts';
import { createWithdrawTokenPlan } from './withdrawals/plan-withdraw-token.ts';
import { prepareWithdrawal } from './withdrawals/prepare-withdrawal.ts';
import { withdrawalRecipient } from './withdrawals/withdrawal-recipient.ts';

export type ServiceDeps = {
  readonly db: Database;
  readonly queue: JobQueue;
  readonly dialogs: DialogStore;
  readonly chain: Chain;
  readonly compiler: MessageCompiler;
  readonly programs: Programs;
  readonly venues: readonly Venue[];
  readonly vault: Vault;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly pause: (ms: number) => Promise<void>;
  /** Name of this process in leases. */
  readonly owner: string;
  readonly treasury: Wallet;
  readonly feeBps: Bps;
  readonly referralShareBps: Bps;
  readonly payoutMinLamports: bigint;
  readonly usdMint: Address | null;
  readonly wellKnown: readonly WellKnownToken[];
};

/** A worker carries an intent on for this long before it gives the job back to the queue. */
const STRETCH_MS = 2_500;

/** The use cases, bound to one process's dependencies. */
export function createServices(deps: ServiceDeps) {
  const { db, queue, chain, programs, venues, clock, ids, treasury } = deps;
  const relay = createRelay({ db, queue, clock });
  const trade: TradeDeps = {
    chain,
    venues,
    programs,
    clock,
    treasury: treasury.address,
    platformFeeLamports: createPlatformFee({ chain, clock, treasury: treasury.address, feeBps: deps.feeBps }),
    wellKnown: deps.wellKnown,
  };
  const plans: PlanBuilders = {
    'withdraw-sol': createWithdrawSolPlan({ chain, programs }),
    'withdraw-token': createWithdrawTokenPlan({ chain, programs }),
    buy: createBuyPlanBuilder(trade),
    sell: createSellPlanBuilder(trade),
    payout: createPayoutPlan({ chain, programs }),
  };
  const transactions: TransactionDeps = { ...deps, plans, relay };
  const intents = { db, clock, ids, relay };
  const solPrice = createSolPrice({ chain, venues, clock, usdMint: deps.usdMint });

  return {
    relay,
    solPrice,
    trade: {
      lookUpToken: (text: string) => lookUpToken({ chain, venues }, text),
      suggestTokens: (wallet: Address) => suggestTokens({ chain, venues }, wallet),
      tradeCard: (input: Parameters<typeof tradeCard>[1]) => tradeCard({ ...trade, solPrice }, input),
      quoteTrade: (request: TradeRequest) => quoteTrade(trade, request),
      confirmTrade: (input: ConfirmTradeInput) =>
        confirmTrade({ ...trade, db, createIntent: (intent) => createIntent(intents, intent) }, input),
    },
    withdrawals: {
      checkRecipient: (sender: Address, text: string) => withdrawalRecipient(chain, sender, text),
      prepareWithdrawal: (request: Parameters<typeof prepareWithdrawal>[1]) =>
        prepareWithdrawal({ db, chain, programs }, request),
      confirmWithdrawal: (input: Parameters<typeof confirmWithdrawal>[1]) =>
        confirmWithdrawal(intents, input),
    },
    stepIntent: createStepIntent(transactions, { stretchMs: STRETCH_MS }),
    createDeliverNotice: (notifier: Notifier) => createDeliverNotice({ db, notifier, clock }),
    collectPayouts: () =>
      collectPayouts({ db, chain, clock, ids, treasury, minimumLamports: deps.payoutMinLamports, relay }),
    sweep: () => sweep({ db, dialogs: deps.dialogs, queue, clock, relay }),
  };
}

export type Services = ReturnType<typeof createServices>;
