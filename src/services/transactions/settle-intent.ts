import type { Attempt, Intent, LandedReceipt } from '../../core/intents/intent.ts';
import type { Stores } from '../../core/ports/stores.ts';
import type { IntentParams } from '../../intents/params.ts';
import { awardIntent } from '../points/award-intent.ts';
import { recordTrade } from '../positions/record-trade.ts';
import type { SettleDeps, Settlement } from './settlement.ts';

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
  await recordTrade(deps, stores, { intent, attempt, receipt, failed: false });
  const settlement: Settlement<IntentParams> = deps.settlements[params.kind];
  await settlement.capture?.(deps, stores, { intent, params, attempt, receipt, fee });
}

/** What follows when it is voted for, in the commit that sees it: should that fork die, nothing of it may have moved anything. */
export async function confirmIntent(
  deps: SettleDeps,
  stores: Stores,
  intent: Intent,
  receipt: LandedReceipt | null,
): Promise<void> {
  const { params } = intent;
  const settlement: Settlement<IntentParams> = deps.settlements[params.kind];
  await settlement.confirm?.(deps, stores, { intent, params, receipt });
}

/** Gives back what was held for an intent that did not and cannot happen, in the transaction that ends it. */
export async function voidIntent(
  deps: SettleDeps,
  stores: Stores,
  intent: Intent,
  end: { readonly landedError: boolean; readonly receipt: LandedReceipt | null },
): Promise<void> {
  const { params } = intent;
  const settlement: Settlement<IntentParams> = deps.settlements[params.kind];
  await settlement.giveBack?.(deps, stores, { intent, params, ...end });
}
