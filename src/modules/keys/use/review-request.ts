import { AppError } from '../../../core/errors/app-error.ts';
import type { Actor } from '../../../engine/audit/rules.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import { queueMail } from '../../mail/use/queue-mail.ts';
import type { KeyGrant, KeyRequest } from '../rules/key-request.ts';
import { limitsText } from './grant-of.ts';

export type ReviewDeps = {
  readonly db: Pick<Database, 'transact' | 'keyRequests'>;
  readonly operators: ReadonlySet<bigint>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly nudge: () => void;
};

/** The decider, as the audit log names them: an operator in the chat, or a person at the server itself. */
export type Reviewer = { readonly telegramId: bigint } | { readonly actor: Actor };

/** `decided`: another operator was first, or it waits for no answer (any more); `request` says its outcome. */
export type Review = { readonly kind: 'done' | 'decided'; readonly request: KeyRequest };

/** Grants a request: a mail with a link (or the key) follows. Null for an unknown request. Throws NOT_OPERATOR. */
export function grantRequest(
  deps: ReviewDeps,
  by: Reviewer,
  id: string,
  granted: KeyGrant,
): Promise<Review | null> {
  return decide(deps, by, id, { status: 'granted', granted }, ({ project }) => ({
    template: 'claim',
    args: { project, limits: limitsText(granted) },
  }));
}

/** Refuses a request; the asker reads the reason. Null for an unknown request. Throws NOT_OPERATOR. */
export function refuseRequest(
  deps: ReviewDeps,
  by: Reviewer,
  id: string,
  reason: string,
): Promise<Review | null> {
  return decide(deps, by, id, { status: 'refused', reason }, ({ project }) => ({
    template: 'refused',
    args: { project, reason },
  }));
}

/** Asks the asker a question by mail; the request stays open. Null for an unknown request. Throws NOT_OPERATOR. */
export function askBack(
  deps: ReviewDeps,
  by: Reviewer,
  id: string,
  question: string,
): Promise<Review | null> {
  return decide(deps, by, id, { question, answer: null }, ({ project }) => ({
    template: 'question',
    args: { project, question },
  }));
}

/** Requests that wait for an answer, oldest first. Throws NOT_OPERATOR. */
export async function waitingRequests(
  deps: Pick<ReviewDeps, 'db' | 'operators'>,
  by: Reviewer,
): Promise<readonly KeyRequest[]> {
  assertOperator(deps, by);
  return deps.db.keyRequests.list('confirmed', 50);
}

/** A request with the earlier ones of its address. Null for an unknown one. Throws NOT_OPERATOR. */
export async function reviewedRequest(
  deps: Pick<ReviewDeps, 'db' | 'operators'>,
  by: Reviewer,
  id: string,
): Promise<{ readonly request: KeyRequest; readonly earlier: readonly KeyRequest[] } | null> {
  assertOperator(deps, by);
  const request = await deps.db.keyRequests.find(id);
  if (request === null) return null;
  const all = await deps.db.keyRequests.listByEmail(request.email, 20);
  return { request, earlier: all.filter((other) => other.id !== id) };
}

async function decide(
  deps: ReviewDeps,
  by: Reviewer,
  id: string,
  patch: Parameters<Database['keyRequests']['change']>[2],
  mailOf: (request: KeyRequest) => Omit<Parameters<typeof queueMail>[2], 'to' | 'subject'>,
): Promise<Review | null> {
  assertOperator(deps, by);
  const decision =
    patch.status === undefined
      ? {}
      : { decidedAt: deps.clock.now(), decidedBy: 'actor' in by ? 'ops' : `tg:${by.telegramId}` };
  const changed = await deps.db.transact(async (stores) => {
    const request = await stores.keyRequests.change(id, ['confirmed'], { ...patch, ...decision });
    if (request !== null) {
      await queueMail(deps, stores, { ...mailOf(request), to: request.email, subject: request.id });
      const act = actOf(request);
      if (patch.status !== undefined && act !== null) {
        const actor: Actor = 'actor' in by ? by.actor : `operator:tg:${by.telegramId}`;
        await stores.auditLog.record({ at: deps.clock.now(), actor, subject: null, outcome: 'done', ...act });
      }
    }
    return request;
  });
  if (changed !== null) {
    deps.nudge();
    return { kind: 'done', request: changed };
  }
  const request = await deps.db.keyRequests.find(id);
  return request === null ? null : { kind: 'decided', request };
}

/** The record that is kept of a decision, without the asker's address and words. */
function actOf({ id: requestId, status, granted }: KeyRequest) {
  if (status === 'refused') return { act: 'key-request-refused', details: { requestId } } as const;
  if (granted === null) return null;
  const { ratePerSecond, dayQuota, maxReferrerFeeBps, scopes } = granted;
  const details = { requestId, ratePerSecond, dayQuota, maxReferrerFeeBps, scopes };
  return { act: 'key-request-granted', details } as const;
}

/**
 * Asked at every tap and not when the card was sent: a person who left the list may decide nothing, even with buttons that they still see.
 */
function assertOperator({ operators }: Pick<ReviewDeps, 'operators'>, by: Reviewer): void {
  if ('telegramId' in by && !operators.has(by.telegramId)) throw new AppError('NOT_OPERATOR', {});
}
