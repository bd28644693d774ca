import { ownAct } from '../../core/audit-log/act.ts';
import { AppError } from '../../core/errors/app-error.ts';
import type { Intent } from '../../core/intents/intent.ts';
import { reduce } from '../../core/intents/machine.ts';
import { recipientOf } from '../../intents/rules.ts';
import { type CommitDeps, commitTransition } from './commit-transition.ts';

/**
 * T10: cancels an intent of which nothing was signed. `cancelled` false means that it was already under way or over and
 * cannot be recalled; `intent` is as it stands afterwards. Throws INTENT_NOT_FOUND for a stranger's intent.
 */
export async function cancelIntent(
  deps: CommitDeps,
  input: { readonly intentId: string; readonly userId: string },
): Promise<{ readonly cancelled: boolean; readonly intent: Intent }> {
  const intent = await deps.db.intents.find(input.intentId);
  if (intent === null || intent.userId !== input.userId) throw new AppError('INTENT_NOT_FOUND', {});
  const attempts = await deps.db.intents.attempts(intent.id);
  const transition = reduce({ intent, attempts }, { kind: 'cancelled' }, deps.clock.now());
  // Compare-and-set on CREATED: against a signature committed in between, the loser of the two changes nothing.
  const cancelled =
    transition.writes.length > 0 &&
    (await commitTransition(deps, transition, null, {
      beside: async ({ auditLog }) => {
        if (recipientOf(intent.params) === null) return;
        const details = { intentId: intent.id };
        await auditLog.record(ownAct(input.userId, deps.clock.now(), 'withdrawal-cancelled', details));
      },
    }));
  return {
    cancelled,
    intent: cancelled ? transition.state.intent : ((await deps.db.intents.find(intent.id)) ?? intent),
  };
}
