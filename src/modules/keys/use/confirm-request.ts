import { isStill } from '../../../core/time/due.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { LinkTokens } from '../../../platform/ports/link-tokens.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import { answers, requestOfLink } from '../../mail/use/link-subject.ts';
import type { KeyRequest } from '../rules/key-request.ts';
import type { LinkPurpose, OneTimeLink } from '../store/one-time-link-store-port.ts';
import { tellOperators } from './tell-operators.ts';

export type LinkDeps = {
  readonly db: Pick<Database, 'transact' | 'links' | 'keyRequests' | 'apiKeys'>;
  readonly tokens: LinkTokens;
  readonly operators: ReadonlySet<bigint>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Pick<Logger, 'warn'>;
  readonly nudge: () => void;
};

/** The link behind a token when it is one of these; null for a wrong, expired or forgotten one. Uses nothing up. */
export async function liveLink(
  { db, tokens, clock }: Pick<LinkDeps, 'db' | 'tokens' | 'clock'>,
  token: string,
  purposes: readonly LinkPurpose[],
): Promise<OneTimeLink | null> {
  const link = await db.links.find(tokens.hash(token));
  return link !== null && purposes.includes(link.purpose) && isStill(link.expiresAt, clock) ? link : null;
}

/**
 * Confirms that the address is its asker's. The operators are notified once, however often the button is pressed. False for a link that
 * does nothing (any more).
 */
export async function confirmRequest(deps: LinkDeps, token: string): Promise<boolean> {
  const link = await liveLink(deps, token, ['confirm']);
  if (link === null) return false;
  const confirmed = await deps.db.transact(async (stores) => {
    const confirmedAt = deps.clock.now();
    const changed = await stores.keyRequests.change(link.subject, ['unconfirmed'], {
      status: 'confirmed',
      confirmedAt,
    });
    await stores.links.use(link.hash, confirmedAt);
    if (changed !== null) await tellOperators(deps, stores, 'key-request', { requestId: changed.id });
    return changed;
  });
  if (confirmed !== null) deps.nudge();
  // Pressed twice, or a second link of the same request: it is confirmed, as the person wanted.
  return confirmed !== null || (await deps.db.keyRequests.find(link.subject)) !== null;
}

/** The question behind a link of an operator's mail; null when there is none to answer (any more). */
export async function askedQuestion(
  deps: Pick<LinkDeps, 'db' | 'tokens' | 'clock'>,
  token: string,
): Promise<KeyRequest | null> {
  const link = await liveLink(deps, token, ['answer']);
  if (link === null || link.usedAt !== null) return null;
  const request = await deps.db.keyRequests.find(requestOfLink(link.subject));
  const isAsked =
    request?.status === 'confirmed' &&
    request.answer === null &&
    answers(deps.tokens, link.subject, request.question);
  return isAsked ? request : null;
}

/** Sends an answer to the operators, once per question, for any number of links; false when there is none to answer (any more). */
export async function answerQuestion(deps: LinkDeps, token: string, answer: string): Promise<boolean> {
  const link = await liveLink(deps, token, ['answer']);
  if (link === null) return false;
  const requestId = requestOfLink(link.subject);
  const isTaken = await deps.db.transact(async (stores) => {
    const request = await stores.keyRequests.find(requestId);
    const question = request?.question ?? null;
    if (question === null || !answers(deps.tokens, link.subject, question)) return false;
    if (!(await stores.links.use(link.hash, deps.clock.now()))) return false;
    const changed = await stores.keyRequests.change(requestId, ['confirmed'], { answer }, { question });
    if (changed !== null) await tellOperators(deps, stores, 'key-request', { requestId });
    return changed !== null;
  });
  if (isTaken) deps.nudge();
  return isTaken;
}
