import { assertNever } from '../../core/errors/assert-never.ts';
import type { Attempt, Intent, LandedReceipt } from '../../core/intents/intent.ts';
import type { Stores } from '../../core/ports/stores.ts';
import { rememberLaunch } from '../launch/remember-launch.ts';
import { followPreparation } from '../mint/finish-token.ts';
import { rememberRevocation, rememberToken } from '../mint/remember-token.ts';
import { endWaitingOrders, settleOrder, voidOrder, wakeOrders } from '../orders/settle-order.ts';
import { accrueReward } from '../payouts/accrue-reward.ts';
import { capturePayout } from '../payouts/capture-payout.ts';
import { voidPayout } from '../payouts/void-payout.ts';
import { awardIntent } from '../points/award-intent.ts';
import type { TransactionDeps } from './deps.ts';

export type SettleDeps = Pick<TransactionDeps, 'clock' | 'ids' | 'fees' | 'treasury'>;

/**
 * Books what a finalized intent moved, in the transaction that makes it SUCCEEDED. Posting keys are unique, so that a
 * repeat after a lost acknowledgement books nothing twice. Without a receipt (no endpoint serves the transaction any more)
 * the agreed fee stands: it is in the very bytes that landed.
 */
export async function captureIntent(
  deps: SettleDeps,
  stores: Stores,
  intent: Intent,
  attempt: Attempt,
  receipt: LandedReceipt | null,
): Promise<void> {
  const { params } = intent;
  const fee = {
    intent,
    signature: attempt.signature,
    feeLamports: receipt?.platformFeeLamports ?? attempt.terms?.platformFeeLamports ?? 0n,
    at: receipt?.landedAt ?? attempt.signedAt,
  };
  await awardIntent(deps, stores, fee);
  switch (params.kind) {
    case 'buy':
    case 'sell':
      await settleOrder(deps, stores, intent, attempt, receipt);
      await wakeOrders(deps, stores, intent, receipt, 'units-corrected');
      return accrueReward(deps, stores, fee);
    case 'payout':
      return capturePayout(deps, stores, {
        intentId: intent.id,
        items: params.items,
        signature: attempt.signature,
        networkFeeLamports: receipt?.feeLamports ?? 0n,
      });
    case 'prepare-token':
      return followPreparation(deps, stores, params, { intent, attempt, receipt });
    case 'create-token': {
      const { feeLamports } = await rememberToken(deps, stores, params, { intent, attempt, receipt });
      return accrueReward(deps, stores, {
        ...fee,
        feeLamports: receipt?.platformFeeLamports ?? feeLamports,
      });
    }
    case 'launch': {
      const { feeLamports } = await rememberLaunch(deps, stores, params, { intent, attempt, receipt });
      return accrueReward(deps, stores, {
        ...fee,
        feeLamports: receipt?.platformFeeLamports ?? feeLamports,
      });
    }
    case 'revoke-authority':
      return rememberRevocation(deps, stores, params, { intent, attempt, receipt });
    case 'withdraw-sol':
    case 'withdraw-token':
      return;
    default:
      assertNever(params);
  }
}

/** Gives back what was held for an intent that did not and cannot happen, in the transaction that ends it. */
export async function voidIntent(
  deps: SettleDeps,
  stores: Stores,
  intent: Intent,
  end: { readonly landedError: boolean; readonly receipt: LandedReceipt | null },
): Promise<void> {
  const { params } = intent;
  if (params.kind === 'buy' || params.kind === 'sell') {
    await voidOrder(deps, stores, intent, end);
    await endWaitingOrders(stores, intent);
  }
  if (params.kind !== 'payout') return;
  await voidPayout(deps, stores, {
    intentId: intent.id,
    items: params.items,
    landedError: end.landedError,
    networkFeeLamports: end.receipt?.feeLamports ?? 0n,
  });
}
