import type { Logger } from '../../../platform/ports/logger.ts';
import type { IntentState } from '../../intents/rules/transition.ts';

/** Nothing moves until a person has looked, so the operator must hear of it. */
export function callPerson(
  { log }: { readonly log: Pick<Logger, 'warn'> },
  { intent, attempts }: IntentState,
): void {
  const last = attempts.at(-1);
  log.warn(
    {
      intentId: intent.id,
      receipt: intent.receipt,
      signature: last?.signature,
      landingProof: last?.landingProof,
      deathProof: last?.deathProof,
    },
    'endpoints do not agree what became of a transaction: nothing is signed or given back until a person has looked',
  );
}
