import type { Address } from '@tradepost/solana';
import { createdMintOf } from '../../../engine/intents/rules/created-mint.ts';
import { showsEffect } from '../../../engine/intents/rules/effect.ts';
import { type Attempt, type Intent, LIVE_ATTEMPT_STATUSES } from '../../../engine/intents/rules/intent.ts';
import { isOpen } from '../../../engine/intents/rules/machine.ts';
import { landedReceipt } from '../../../engine/intents/rules/receipt.ts';
import { agreementOf } from '../../../engine/intents/rules/review.ts';
import { UndecodableMessageError } from '../../../engine/signing/rules/decode-message.ts';
import { captureIntent, endPending } from '../../../engine/transactions/use/settle-intent.ts';
import { adoptedAttempt } from './adopted-attempt.ts';
import { hearAttempts } from './hear-attempt.ts';
import type { Finding, Landing, ReconcileDeps } from './reconcile.ts';

/**
 * Brings a landed attempt that the database lost, and that endpoints agree about, into the row of its intent, in one commit. By our own
 * rules it was signed only after the attempt before it was proven dead or had failed on chain. So a live attempt in the restored row is
 * over. Endpoints must agree on how, as for every verdict, and confirm that the landed one has the effect of the intent. A success ends the
 * intent and books its settlement; a failure leaves it to the machine.
 */
export async function adoptAttempt(
  deps: ReconcileDeps,
  intent: Intent,
  landing: Landing,
): Promise<Pick<Finding, 'what' | 'detail'>> {
  const { entry, landed, wallet } = landing;
  const attempts = await deps.db.intents.attempts(intent.id);
  const at = entry.at ?? deps.clock.now();
  const broken = notOurs(intent, landing, attempts);
  if (broken !== null) return mismatch(broken);
  const createdMint = mintMade(deps, intent, landing);
  if (createdMint === undefined) {
    return mismatch(`${intent.receipt} makes a token, and its wallet signed something else in its name`);
  }
  const ends = await endsOf(deps, intent, landing, attempts);
  if ('what' in ends) return ends;
  if (!showsEffect(landed, entry.err, { wallet: wallet.address, params: intent.params, createdMint })) {
    return mismatch(`what landed is not what ${intent.receipt} asks for`);
  }
  const receipt = landedReceipt(landed, {
    wallet: wallet.address,
    treasury: deps.treasury.address,
    params: intent.params,
    createdMint,
  });
  const n = Math.max(0, ...attempts.map((attempt) => attempt.n)) + 1;
  const terms = 'terms' in intent.params ? intent.params.terms : null;
  const adopted = adoptedAttempt(deps.ids, landing, n, terms, at);
  await deps.db.transact(async (stores) => {
    for (const { attempt, patch } of ends) {
      const expect = { statuses: LIVE_ATTEMPT_STATUSES, epoch: intent.leaseEpoch };
      if (!(await stores.intents.updateAttempt(attempt.id, expect, patch))) throw changed(intent);
      await endPending(stores, { id: attempt.id, status: patch.status });
    }
    if (!(await stores.intents.insertAttempt(adopted)))
      throw new Error(`attempt ${adopted.signature} exists`);
    if (entry.err !== null) return;
    const outcome = { reason: null, details: { reconciled: true }, receipt };
    const ended = await stores.intents.update(
      intent.id,
      { statuses: [intent.status] },
      { status: 'SUCCEEDED', outcome, updatedAt: at },
    );
    if (!ended) throw changed(intent);
    await captureIntent({ ...deps, clock: { now: () => at } }, stores, intent, adopted, receipt);
  });
  return entry.err === null
    ? {
        what: 'completed',
        detail: `${intent.kind} ${intent.receipt} was ${intent.status} here and had succeeded`,
      }
    : {
        what: 'failed-on-chain',
        detail: `an attempt of ${intent.kind} ${intent.receipt} had failed on chain`,
      };
}

type End = { readonly attempt: Attempt; readonly patch: Partial<Attempt> & Pick<Attempt, 'status'> };

/** How the attempts that are alive in the restored row ended, as endpoints agree; a mismatch where they do not, or one succeeded. */
/** Why a landing cannot belong to the intent; null when it can. */
function notOurs(intent: Intent, { entry, wallet }: Landing, attempts: readonly Attempt[]): string | null {
  if (wallet.id !== intent.walletId)
    return `paid by wallet ${wallet.address}, which is not the wallet of ${intent.receipt}`;
  const isOver = !isOpen(intent.status) || attempts.some(({ status }) => status === 'FINALIZED');
  return entry.err === null && isOver
    ? `${intent.receipt} is ${intent.status} here and succeeded on chain once more`
    : null;
}

async function endsOf(
  deps: ReconcileDeps,
  intent: Intent,
  { wallet }: Landing,
  attempts: readonly Attempt[],
): Promise<readonly End[] | Pick<Finding, 'what' | 'detail'>> {
  const live = attempts.filter(({ status }) => isLive(status));
  const { params } = intent;
  const hearings = await hearAttempts(
    deps,
    live.map((attempt) => ({ ...attempt, attempt, wallet: wallet.address, params, createdMint: null })),
  );
  const ends: End[] = [];
  for (const [index, attempt] of live.entries()) {
    const { opinions = [], transaction: seen = null } = hearings[index] ?? {};
    const end = agreementOf(opinions);
    if (opinions.some(({ word }) => word === 'landed')) {
      return mismatch(`two transactions of ${intent.receipt} succeeded: ${attempt.signature} as well`);
    }
    if (end.kind !== 'agreed') {
      return mismatch(
        `endpoints do not agree on the end of ${attempt.signature}, which ${intent.receipt} signed before`,
      );
    }
    const failed = {
      status: 'LANDED_ERR',
      landedSlot: seen?.slot ?? null,
      chainError: seen?.err ?? null,
    } as const;
    ends.push({ attempt, patch: end.word === 'dead' ? { status: 'DEAD' } : failed });
  }
  return ends;
}

/** Undefined for bytes that make no token though the request is one: the owner of an exported key can sign them with its memo. */
function mintMade(deps: ReconcileDeps, intent: Intent, { wire }: Landing): Address | null | undefined {
  try {
    return createdMintOf(intent.params, wire, deps.treasury.address);
  } catch (error) {
    if (error instanceof RangeError || error instanceof UndecodableMessageError) return undefined;
    throw error;
  }
}

function changed({ id }: Intent): Error {
  return new Error(`intent ${id} changed meanwhile: stop the workers and reconcile again`);
}

function isLive(status: Attempt['status']): boolean {
  return LIVE_ATTEMPT_STATUSES.some((live) => live === status);
}

function mismatch(detail: string): Pick<Finding, 'what' | 'detail'> {
  return { what: 'mismatch', detail };
}
