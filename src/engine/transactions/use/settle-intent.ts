import { awardIntent } from '../../../modules/points/use/award-intent.ts';
import { recordPending, recordTrade } from '../../../modules/positions/use/record-trade.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import type { IntentParams } from '../../intents/kinds/params.ts';
import type { Attempt, AttemptStatus, Intent, LandedReceipt } from '../../intents/rules/intent.ts';
import type { SettleDeps, Settlement } from './settlement.ts';

/**
 * Books the movements of a finalized intent, in the transaction that makes it SUCCEEDED. Posting keys are unique, so that a repeat after a
 * lost acknowledgement books nothing twice. Without a receipt (no endpoint serves the transaction any more) the agreed fee counts: it is in
 * the very bytes that landed.
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
  const events = await recordTrade(deps, stores, { intent, attempt, receipt, failed: false });
  const settlement: Settlement<IntentParams> = deps.settlements[params.kind];
  await settlement.capture?.(deps, stores, { intent, params, attempt, receipt, fee });
  await settlement.moved?.(deps, stores, { intent, events });
}

/**
 * The consequences of its confirmation, in the commit that sees it. If that fork dies, none of them may have moved anything. Its changes to
 * positions count until the commit that ends the attempt (`endPending`).
 */
export async function confirmIntent(
  deps: SettleDeps,
  stores: Stores,
  intent: Intent,
  attempt: Attempt,
  receipt: LandedReceipt | null,
): Promise<void> {
  const { params } = intent;
  const events = await recordPending(deps, stores, { intent, attempt, receipt });
  const settlement: Settlement<IntentParams> = deps.settlements[params.kind];
  await settlement.confirm?.(deps, stores, { intent, params, receipt });
  await settlement.moved?.(deps, stores, { intent, events });
}

/**
 * Takes off a confirmed attempt's changes to positions, in the commit that writes its end: final, dead, failed or in doubt. Without it a
 * rebuilt attempt counts twice.
 */
export async function endPending(
  stores: Pick<Stores, 'positions'>,
  { id, status }: { readonly id: string; readonly status: AttemptStatus },
): Promise<void> {
  if (status !== 'SIGNED' && status !== 'SEEN' && status !== 'CONFIRMED')
    await stores.positions.dropPending(id);
}

/** Gives back the amounts held for an intent that did not and cannot happen, in the transaction that ends it. */
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
