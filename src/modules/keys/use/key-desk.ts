import type { Database } from '../../../platform/ports/stores.ts';
import { limitsOf, type StatedVolume } from '../rules/key-limits.ts';
import type { KeyRequestDraft } from '../rules/key-request.ts';
import {
  type AccountDeps,
  accountOverview,
  login,
  logout,
  ownKey,
  requestLogin,
  sessionEmail,
} from './account.ts';
import { type ClaimDeps, claimKey, lookAtClaim, revokeClaimed } from './claim-key.ts';
import { answerQuestion, askedQuestion, confirmRequest, liveLink } from './confirm-request.ts';
import { requestKey } from './request-key.ts';
import { revokeOwn } from './revoke-own.ts';
import { requestRotation } from './rotate-key.ts';

export type KeyDeskDeps = ClaimDeps &
  AccountDeps & {
    readonly db: Database;
    /** The most that is granted without an operator's own numbers. */
    readonly maxRate: number;
  };

/** The acts of the public pages about keys, bound to one process's dependencies. */
export function createKeyDesk(deps: KeyDeskDeps) {
  return {
    limitsOf: (stated: StatedVolume) => limitsOf(stated, deps.maxRate),
    maxRate: deps.maxRate,
    request: (draft: KeyRequestDraft) => requestKey(deps, draft),
    mayConfirm: async (token: string) => (await liveLink(deps, token, ['confirm'])) !== null,
    confirm: (token: string) => confirmRequest(deps, token),
    question: (token: string) => askedQuestion(deps, token),
    answer: (token: string, text: string) => answerQuestion(deps, token, text),
    lookAtClaim: (token: string) => lookAtClaim(deps, token),
    claim: (token: string) => claimKey(deps, token),
    revokeClaimed: (token: string) => revokeClaimed(deps, token),
    rotate: (keyId: string) => requestRotation(deps, keyId),
    requestLogin: (email: string) => requestLogin(deps, email),
    login: (token: string) => login(deps, token),
    logout: (session: string) => logout(deps, session),
    sessionEmail: (session: string) => sessionEmail(deps, session),
    overview: (email: string) => accountOverview(deps, email),
    ownKey: (email: string, id: string) => ownKey(deps, email, id),
    revoke: async (email: string, id: string) =>
      (await ownKey(deps, email, id)) !== null && revokeOwn(deps, id),
    /** Ties a form of the account to its session: another site cannot know it. */
    formToken: (session: string) => deps.tokens.formToken(session),
  };
}

export type KeyDesk = ReturnType<typeof createKeyDesk>;
