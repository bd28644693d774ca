import type { Address } from '../../core/address/address.ts';
import type { Attempt, Intent } from '../../core/intents/intent.ts';
import { decodeIntentNotice } from '../../core/intents/notice-payload.ts';
import type { Chain } from '../../core/ports/chain.ts';
import type { Notice } from '../../core/ports/notice-store.ts';
import type { Stores } from '../../core/ports/stores.ts';
import { tokenPayload } from '../../core/referrals/start-payload.ts';
import type { Token } from '../../core/tokens/token.ts';
import type { ButtonStates } from '../ui/state.ts';
import type { CreatedFacts, ResultFacts } from './result-view.ts';
import { type Standing, standingOf } from './standing.ts';

export type ResultDeps = {
  readonly db: Pick<Stores, 'intents' | 'referrals'>;
  readonly chain: Pick<Chain, 'token'>;
  readonly states: ButtonStates;
  readonly options: { readonly explorerUrl: string };
  readonly passportUrl: (mint: Address) => string | null;
};

/** Everything the progress message shows, from the rows as they are now; `notice` adds what only it knows. */
export async function loadResult(
  deps: ResultDeps,
  intent: Intent,
  userId: string,
  notice: Notice | null,
  botName: () => Promise<string>,
): Promise<ResultFacts> {
  const attempts = await deps.db.intents.attempts(intent.id);
  const seen = notice === null ? null : decodeIntentNotice(notice.payload);
  const standing = standingOf(intent, attempts, seen);
  const mint = createdMint(standing);
  const [token, stateId, created] = await Promise.all([
    tokenOf(deps.chain, intent),
    issueState(deps.states, intent, userId, mint),
    mint === null ? null : createdFacts(deps, mint, userId, botName),
  ]);
  return {
    intent,
    standing,
    token,
    created,
    tookMs: notice?.kind === 'confirmed' ? notice.createdAt - intent.createdAt : null,
    explorerUrl: deps.options.explorerUrl,
    stateId,
  };
}

/** The token an intent is about; null for SOL, and when the chain cannot be asked: a result is told all the same. */
export async function tokenOf(chain: Pick<Chain, 'token'>, intent: Intent): Promise<Token | null> {
  return 'mint' in intent.params ? chain.token(intent.params.mint).catch(() => null) : null;
}

/** The mint of a creation that worked; null as long as no record of the chain names it. */
const createdMint = (standing: Standing): Address | null =>
  standing.kind === 'done' ? (standing.receipt?.createdMint ?? null) : null;

/** Links that lead to a new token: its passport, and one into this chat that brings the creator's invitees along. */
async function createdFacts(
  deps: Pick<ResultDeps, 'db' | 'passportUrl'>,
  mint: Address,
  userId: string,
  botName: () => Promise<string>,
): Promise<CreatedFacts> {
  const [account, name] = await Promise.all([deps.db.referrals.account(userId), botName()]);
  return {
    passportUrl: deps.passportUrl(mint),
    shareUrl: `https://t.me/${name}?start=${tokenPayload(mint, account?.code ?? null)}`,
  };
}

function issueState(
  states: ButtonStates,
  intent: Intent,
  userId: string,
  created: Address | null,
): Promise<string> {
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
        : params.kind === 'revoke-authority'
          ? { mint: params.mint }
          : created === null
            ? {}
            : { mint: created };
  return states.issue({
    userId,
    feature: 'trade receipt withdraw address_book revoke create_token',
    payload: { intentId: intent.id, walletId: intent.walletId, ...trade },
  });
}

/** The attempt that landed, or the newest. */
export const decisiveAttempt = (attempts: readonly Attempt[]): Attempt | null =>
  attempts.find(({ status }) => status === 'FINALIZED' || status === 'CONFIRMED') ?? attempts.at(-1) ?? null;
