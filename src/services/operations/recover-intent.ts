import type { Intent, LandedReceipt } from '../../core/intents/intent.ts';
import type { IntentParams } from '../../core/intents/params.ts';
import { landedReceipt } from '../../core/intents/receipt.ts';
import { recoveredParams } from '../../core/intents/recovered-params.ts';
import { newIntent } from '../transactions/new-intent.ts';
import { captureIntent } from '../transactions/settle-intent.ts';
import { adoptedAttempt } from './adopted-attempt.ts';
import type { Finding, Landing, ReconcileDeps } from './reconcile.ts';

/** Placeholder while the kind is not known yet: only `destination` of a withdrawal matters to a receipt's rent. */
const UNKNOWN: IntentParams = { kind: 'payout', items: [] };

/**
 * Recreates a wish that was made after the dump from what its transaction did, as SUCCEEDED, with its fee and reward. What the
 * chain does not say (the quote, the slippage agreed) is set to what landed.
 */
export async function recoverIntent(
  deps: ReconcileDeps,
  landing: Landing,
): Promise<Pick<Finding, 'what' | 'detail'>> {
  const { landed, wallet, entry } = landing;
  const parties = { wallet: wallet.address, treasury: deps.treasury.address };
  const receipt = landedReceipt(landed, { ...parties, params: UNKNOWN });
  const mint = receipt.tokenDeltas[0]?.mint;
  const token = mint === undefined ? null : await deps.chain.token(mint);
  const params = recoveredParams(landed, receipt, { ...parties, token });
  if (params === null) {
    return {
      what: 'mismatch',
      detail: `wallet ${wallet.address} signed it, and it is nothing this service does`,
    };
  }
  const at = entry.at ?? deps.clock.now();
  const intent = recoveredIntent(deps, landing, params, landedReceipt(landed, { ...parties, params }), at);
  const attempt = adoptedAttempt(deps.ids, landing, 1, 'terms' in params ? params.terms : null, at);
  await deps.db.transact(async (stores) => {
    await stores.intents.insert(intent);
    await stores.intents.insertAttempt(attempt);
    await captureIntent(
      { ...deps, clock: { now: () => at } },
      stores,
      intent,
      attempt,
      intent.outcome?.receipt ?? null,
    );
  });
  return { what: 'recreated', detail: `${params.kind} ${intent.receipt} of wallet ${wallet.address}` };
}

/** The row of a lost intent: its id stands in the memo, its key is made of it, so that it exists once. */
export function recoveredIntent(
  deps: Pick<ReconcileDeps, 'ids'>,
  { intentId, wallet }: Landing,
  params: IntentParams,
  receipt: LandedReceipt,
  at: number,
): Intent {
  const wish = { id: intentId, userId: wallet.userId, walletId: wallet.id, idemKey: `recovered/${intentId}` };
  return {
    ...newIntent({ ids: deps.ids, clock: { now: () => at } }, { ...wish, params, notBefore: null }),
    status: 'SUCCEEDED',
    outcome: { reason: null, details: { reconciled: true }, receipt },
  };
}
