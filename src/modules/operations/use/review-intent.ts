import type { Actor } from '../../../engine/audit/rules.ts';
import { createdMintOf } from '../../../engine/intents/rules/created-mint.ts';
import type { Attempt, Intent } from '../../../engine/intents/rules/intent.ts';
import { landedReceipt } from '../../../engine/intents/rules/receipt.ts';
import { type Agreement, agreementOf, reviewed, type Verdict } from '../../../engine/intents/rules/review.ts';
import type { WholeIntent } from '../../../engine/intents/store/intent-store-port.ts';
import { type CommitDeps, commitTransition } from '../../../engine/transactions/use/commit-transition.ts';
import { type HearDeps, type Hearing, hearAttempts } from './hear-attempt.ts';

export type ReviewDeps = CommitDeps & HearDeps & { readonly pause: (ms: number) => Promise<void> };

/** One attempt of an intent that waits for a person, with the endpoints' answers about it at this moment. */
export type AttemptEvidence = Hearing & { readonly attempt: Attempt; readonly agreement: Agreement };

export type ReviewOrder = {
  readonly verdict: Verdict;
  /** Of the attempt that landed or failed; null with `dead`. */
  readonly signature: string | null;
  readonly reason: string;
  /** Decide although endpoints do not bear it out. */
  readonly forced: boolean;
  readonly actor: Actor;
};

export type ReviewResult =
  | { readonly kind: 'resolved'; readonly status: Intent['status'] }
  /** Another operator has ended it meanwhile, or it never waited. */
  | { readonly kind: 'not-waiting'; readonly status: Intent['status'] }
  | { readonly kind: 'unknown-signature' }
  /** Endpoints do not bear it out, and it was not forced: nothing was changed. */
  | { readonly kind: 'refused'; readonly objections: readonly string[] };

/** Every endpoint's answer about every attempt of an intent, oldest first; one that is alone is asked twice. */
export async function evidenceOn(
  deps: ReviewDeps,
  { intent, wallet, attempts }: WholeIntent,
): Promise<readonly AttemptEvidence[]> {
  const hearings = await hearAttempts(
    deps,
    attempts.map((attempt) => ({
      signature: attempt.signature,
      attempt,
      wallet: wallet.address,
      params: intent.params,
      createdMint: createdMintOf(intent.params, attempt.signedTransaction, deps.treasury.address),
    })),
  );
  return attempts.flatMap((attempt, index) => {
    const hearing = hearings[index];
    return hearing ? [{ ...hearing, attempt, agreement: agreementOf(hearing.opinions) }] : [];
  });
}

/**
 * Ends an intent that waits for a person, in one commit with its line in the audit log. It is booked when it landed, given back when it did
 * not, exactly once, and the person is notified. Refused unless endpoints agree with the verdict about every attempt, and while the
 * database is in quarantine; `forced` overrides endpoints alone. Of two operators at once the second finds it ended.
 */
export async function resolveReview(
  deps: ReviewDeps,
  whole: WholeIntent,
  order: ReviewOrder,
): Promise<ReviewResult> {
  const { intent, attempts, wallet } = whole;
  if (intent.status !== 'NEEDS_REVIEW') return { kind: 'not-waiting', status: intent.status };
  const named = order.signature === null ? null : attempts.find((one) => one.signature === order.signature);
  if (named === undefined || (named === null) !== (order.verdict === 'dead'))
    return { kind: 'unknown-signature' };
  const evidence = await evidenceOn(deps, whole);
  const objections = evidence.flatMap((one) => objectionTo(one, named, order.verdict));
  if (objections.length > 0 && !order.forced) return { kind: 'refused', objections };
  const transaction = evidence.find(({ attempt }) => attempt.id === named?.id)?.transaction ?? null;
  const fits = transaction !== null && (transaction.err === null) === (order.verdict === 'landed');
  const receipt =
    named === null || transaction === null || !fits
      ? null
      : landedReceipt(transaction, {
          wallet: wallet.address,
          treasury: deps.treasury.address,
          params: intent.params,
          createdMint: createdMintOf(intent.params, named.signedTransaction, deps.treasury.address),
        });
  const record = receipt === null ? null : transaction;
  const finding = {
    verdict: order.verdict,
    attempt: named,
    slot: record?.slot ?? null,
    err: record?.err ?? null,
    receipt,
  };
  const now = deps.clock.now();
  const transition = reviewed({ intent, attempts }, finding, now);
  const committed = await commitTransition(deps, transition, null, {
    beside: (stores) =>
      stores.auditLog.record({
        at: now,
        actor: order.actor,
        act: 'review-resolved',
        subject: intent.userId,
        outcome: 'done',
        details: {
          intentId: intent.id,
          verdict: order.verdict,
          signature: order.signature,
          reason: order.reason,
          forced: order.forced && objections.length > 0,
        },
      }),
  });
  if (committed) return { kind: 'resolved', status: transition.state.intent.status };
  const after = await deps.db.intents.find(intent.id);
  return { kind: 'not-waiting', status: after?.status ?? intent.status };
}

/** Why endpoints speak against this verdict, of one attempt; nothing when they bear it out. */
function objectionTo(
  { attempt, agreement, opinions }: AttemptEvidence,
  named: Attempt | null,
  verdict: Verdict,
): readonly string[] {
  const wanted: Verdict = attempt.id === named?.id ? verdict : 'dead';
  if (agreement.kind === 'agreed') {
    // Only a second success would be money twice; an attempt that failed before is as good as dead.
    const isFine = agreement.word === wanted || (attempt.id !== named?.id && agreement.word === 'failed');
    if (isFine) return [];
  }
  const said = opinions.map(({ endpoint, word }) => `${endpoint} says ${word ?? 'nothing'}`);
  return [
    `attempt ${attempt.n} ${attempt.signature}: ${wanted} was expected, and ${said.join(', ') || 'no endpoint answers'}`,
  ];
}
