import type { Logger } from '../../../platform/ports/logger.ts';
import type { Transition } from '../../intents/rules/transition.ts';

/**
 * One line for each change of status that a committed transition made, so that an operator can follow a payment. Counters of sends and
 * proofs say nothing of that kind and are left out.
 */
export function logTransition(log: Pick<Logger, 'info'>, { state, writes }: Transition): void {
  const { intent, attempts } = state;
  const changed = writes.some((write) => write.kind === 'insert-attempt' || write.patch.status !== undefined);
  if (!changed) return;
  const attempt = attempts.at(-1);
  log.info(
    {
      intentId: intent.id,
      kind: intent.kind,
      status: intent.status,
      ...(attempt === undefined
        ? {}
        : { attempt: attempt.n, attemptStatus: attempt.status, signature: attempt.signature }),
      ...(intent.outcome?.reason == null ? {} : { reason: intent.outcome.reason }),
    },
    'intent',
  );
}
