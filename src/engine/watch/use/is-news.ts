import { hasAged } from '../../../core/time/age.ts';
import type { SignatureStatus } from '../../../platform/ports/chain.ts';
import { decodeLooks } from '../../intents/rules/death.ts';
import { isRebroadcastDue, type Pace } from '../../intents/rules/pace.ts';
import { isLandingLookDue, type LandingRule } from '../../intents/rules/verdict.ts';
import type { WatchedAttempt } from '../store-port.ts';

/**
 * The action that a status needs. `step` when a step would find something to write or to send. `ask-height` when only a passed block height
 * would make it so. `nothing` while the attempt merely waits. It decides which attempt is woken and never the truth: the step judges by its
 * own rules, and an attempt that is woken in vain is found unchanged.
 */
export function isNews(
  attempt: WatchedAttempt,
  status: SignatureStatus | null,
  now: number,
  { pace, landing }: { readonly pace: Pace; readonly landing?: LandingRule | undefined },
): 'step' | 'ask-height' | 'nothing' {
  // Final by one endpoint's answer, which ends nothing until another look agrees: its time alone makes it news.
  if (status?.level === 'finalized') return isLandingLookDue(attempt, now, landing) ? 'step' : 'nothing';
  if (status?.level === 'confirmed') return attempt.status === 'CONFIRMED' ? 'nothing' : 'step';
  // Gone again after it was seen in a block that died, or seen for the first time.
  if (status === null ? attempt.status === 'SEEN' : attempt.status === 'SIGNED') return 'step';
  const isCondemned = decodeLooks(attempt.deathProof).length > 0;
  if (!isCondemned && isRebroadcastDue(attempt, now, pace)) return 'step';
  if (status !== null || !hasAged(attempt.signedAt, pace.probeAfterMs, now)) return 'nothing';
  // A second look is due by time, the first one by the chain's height.
  return isCondemned ? 'step' : 'ask-height';
}
