import { AppError } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../../context.ts';
import type { FeatureDeps } from '../../deps.ts';
import type { Feature, TapState } from '../../feature.ts';
import { decisiveAttempt, loadResult, tokenOf } from '../../intents/load-result.ts';
import { receiptView } from '../../intents/receipt-view.ts';
import { resultView } from '../../intents/result-view.ts';
import { textField } from '../../ui/payload.ts';

/** The receipt of a landed transaction, or how it stands until then. */
export function receiptFeature(deps: FeatureDeps): Feature {
  async function show({ turn, me }: BotContext, state: TapState | null): Promise<void> {
    const intent = await deps.db.intents.find(textField(state, 'intentId'));
    if (intent === null || intent.userId !== turn.user.id) throw new AppError('INTENT_NOT_FOUND', {});
    const receipt = intent.status === 'SUCCEEDED' ? (intent.outcome?.receipt ?? null) : null;
    if (receipt === null) {
      const facts = await loadResult(deps, intent, turn.user.id, null, async () => me.username);
      await turn.screen.show(resultView(turn.words, facts));
      return;
    }
    const [attempts, token] = await Promise.all([
      deps.db.intents.attempts(intent.id),
      tokenOf(deps.chain, intent),
    ]);
    await turn.screen.show(
      receiptView(turn.words, {
        intent,
        receipt,
        terms: decisiveAttempt(attempts)?.terms ?? null,
        token,
        explorerUrl: deps.options.explorerUrl,
      }),
    );
  }
  return { name: 'receipt', commands: [], taps: { show: { unlocked: true, run: show } }, forms: [] };
}
