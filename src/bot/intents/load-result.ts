import type { Attempt, Intent } from '../../core/intents/intent.ts';
import { decodeIntentNotice } from '../../core/intents/notice-payload.ts';
import type { Chain } from '../../core/ports/chain.ts';
import type { Notice } from '../../core/ports/notice-store.ts';
import type { Stores } from '../../core/ports/stores.ts';
import type { Token } from '../../core/tokens/token.ts';
import type { ButtonStates } from '../ui/state.ts';
import type { ResultFacts } from './result-view.ts';
import { standingOf } from './standing.ts';

export type ResultDeps = {
  readonly db: Pick<Stores, 'intents'>;
  readonly chain: Pick<Chain, 'token'>;
  readonly states: ButtonStates;
  readonly options: { readonly explorerUrl: string };
};

/** Everything the progress message shows, from the rows as they are now; `notice` adds what only it knows. */
export async function loadResult(
  deps: ResultDeps,
  intent: Intent,
  userId: string,
  notice: Notice | null,
): Promise<ResultFacts> {
  const attempts = await deps.db.intents.attempts(intent.id);
  const seen = notice === null ? null : decodeIntentNotice(notice.payload);
  const [token, stateId] = await Promise.all([
    tokenOf(deps.chain, intent),
    issueState(deps.states, intent, userId),
  ]);
  return {
    intent,
    standing: standingOf(intent, attempts, seen),
    token,
    tookMs: notice?.kind === 'confirmed' ? notice.createdAt - intent.createdAt : null,
    explorerUrl: deps.options.explorerUrl,
    stateId,
  };
}

/** The token an intent is about; null for SOL, and when the chain cannot be asked: a result is told all the same. */
export async function tokenOf(chain: Pick<Chain, 'token'>, intent: Intent): Promise<Token | null> {
  return 'mint' in intent.params ? chain.token(intent.params.mint).catch(() => null) : null;
}

function issueState(states: ButtonStates, intent: Intent, userId: string): Promise<string> {
  const { params } = intent;
  const trade =
    params.kind === 'buy' || params.kind === 'sell'
      ? {
          mint: params.mint,
          side: params.kind,
          amountIn: params.kind === 'buy' ? params.lamportsIn : params.amountIn,
        }
      : 'destination' in params
        ? { destination: params.destination }
        : {};
  return states.issue({
    userId,
    feature: 'trade receipt withdraw address_book',
    payload: { intentId: intent.id, walletId: intent.walletId, ...trade },
  });
}

/** The attempt that landed, or the newest. */
export const decisiveAttempt = (attempts: readonly Attempt[]): Attempt | null =>
  attempts.find(({ status }) => status === 'FINALIZED' || status === 'CONFIRMED') ?? attempts.at(-1) ?? null;
