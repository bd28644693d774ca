import type { Address } from '@tradepost/solana';
import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { decisiveAttempt, loadResult, tokenOf } from '../../../engine/intents/chat/load-result.ts';
import { receiptView } from '../../../engine/intents/chat/receipt-view.ts';
import { resultView } from '../../../engine/intents/chat/result-view.ts';
import type { IntentParams } from '../../../engine/intents/kinds/params.ts';
import { tradeOf } from '../../../engine/intents/kinds/rules.ts';
import type { Attempt, Intent } from '../../../engine/intents/rules/intent.ts';
import { intermediatesOfTerms, type TradeTerms } from '../../../engine/intents/rules/terms.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import type { Feature, TapState } from '../../../platform/telegram/feature.ts';
import { textField } from '../../../platform/telegram/ui/payload.ts';
import { saleResult } from '../../positions/use/sale-profit.ts';
import type { Token } from '../../tokens/rules/token.ts';

/** Those that can be read now; a receipt does without a name. */
async function tokensOf(chain: Pick<Chain, 'token'>, mints: readonly Address[]): Promise<readonly Token[]> {
  const found = await Promise.all(mints.map((mint) => chain.token(mint).catch(() => null)));
  return found.filter((token) => token !== null);
}

const termsOf = (params: IntentParams): TradeTerms | null => tradeOf(params)?.terms ?? null;

/** The receipt of a landed transaction, or its state until then. */
export function receiptFeature(deps: FeatureDeps): Feature {
  async function ownIntent(userId: string, state: TapState | null): Promise<Intent> {
    const intent = await deps.db.intents.find(textField(state, 'intentId'));
    if (intent === null || intent.userId !== userId) throw new AppError('INTENT_NOT_FOUND', {});
    return intent;
  }

  async function showIntent(
    { turn, me }: Pick<BotContext, 'turn' | 'me'>,
    about: { readonly intent: Intent; readonly attempts: readonly Attempt[] },
  ): Promise<void> {
    const facts = await loadResult(deps, about, turn.user.id, null, async () => me.username);
    await turn.screen.show(resultView(turn.words, facts));
  }

  async function showResult(ctx: BotContext, state: TapState | null): Promise<void> {
    const intent = await ownIntent(ctx.turn.user.id, state);
    await showIntent(ctx, { intent, attempts: await deps.db.intents.attempts(intent.id) });
  }

  async function show({ turn, me }: BotContext, state: TapState | null): Promise<void> {
    const intent = await ownIntent(turn.user.id, state);
    const receipt = intent.status === 'SUCCEEDED' ? (intent.outcome?.receipt ?? null) : null;
    const attempts = await deps.db.intents.attempts(intent.id);
    if (receipt === null) {
      await showIntent({ turn, me }, { intent, attempts });
      return;
    }
    const mint = tradeOf(intent.params)?.mint ?? null;
    const [token, { profit }, sandwich] = await Promise.all([
      tokenOf(deps.chain, intent),
      saleResult(deps.db, intent, receipt),
      mint === null ? null : deps.trade.findSandwich({ mint, ...receipt }),
    ]);
    const terms = decisiveAttempt(attempts)?.terms ?? termsOf(intent.params);
    const intermediates = terms === null ? [] : await tokensOf(deps.chain, intermediatesOfTerms(terms));
    await turn.screen.show(
      receiptView(turn.words, {
        intent,
        receipt,
        terms,
        token,
        intermediates,
        explorerUrl: deps.options.explorerUrl,
        stateId: state?.buttonId ?? null,
        sandwich,
        profit: profit === null ? null : { ...profit, microUsdPerSol: await deps.solPrice() },
      }),
    );
  }
  return {
    name: 'receipt',
    commands: [],
    taps: {
      show: { act: 'reads', unlocked: true, run: show },
      result: { act: 'reads', unlocked: true, run: showResult },
    },
    forms: [],
  };
}
