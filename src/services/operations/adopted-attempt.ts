import type { Attempt } from '../../core/intents/intent.ts';
import type { TradeTerms } from '../../core/intents/params.ts';
import type { Ids } from '../../core/ports/ids.ts';
import type { Landing } from './reconcile.ts';

/**
 * The row of an attempt that was found on chain. Its bytes are lost and nobody needs them: a final attempt is never sent. Blockhash and
 * heights are unknown for the same reason.
 */
export function adoptedAttempt(
  ids: Ids,
  { intentId, entry }: Landing,
  n: number,
  terms: TradeTerms | null,
  at: number,
): Attempt {
  return {
    id: ids.ulid(),
    intentId,
    n,
    signedTransaction: new Uint8Array(),
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
    terms,
  };
}
