import type { Attempt } from '../../../engine/intents/rules/intent.ts';
import type { TradeTerms } from '../../../engine/intents/rules/terms.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Landing } from './reconcile.ts';

/**
 * The row of an attempt that was found on chain, with the bytes that landed. Its blockhash and heights are left empty: they are not needed,
 * for a final attempt is never sent.
 */
export function adoptedAttempt(
  ids: Ids,
  { intentId, entry, wire }: Landing,
  n: number,
  terms: TradeTerms | null,
  at: number,
): Attempt {
  return {
    id: ids.ulid(),
    intentId,
    n,
    signedTransaction: wire,
    signature: entry.signature,
    blockhash: '',
    lastValidBlockHeight: 0n,
    signedSlot: entry.slot,
    signedAt: at,
    status: entry.err === null ? 'FINALIZED' : 'LANDED_ERR',
    sendCount: 0,
    lastSentAt: null,
    landedSlot: entry.slot,
    chainError: entry.err,
    deathProof: null,
    landingProof: null,
    terms,
  };
}
