import type { FastifyInstance, FastifyReply } from 'fastify';
import { steadyOf } from '../../../core/time/elapsed.ts';
import { clientKey } from '../../../platform/http/limits/client-key.ts';
import { createTokenBuckets } from '../../../platform/http/limits/token-bucket.ts';
import type { Frame } from '../../../platform/http/look/frame.ts';
import { pageScope, type ShowPage, tooMany } from '../../../platform/http/look/page-scope.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import {
  type FormFields,
  parseKeyRequest,
  parseVolume,
  textOf,
  USE_MAX,
} from '../rules/parse-key-request.ts';
import type { KeyDesk } from '../use/key-desk.ts';
import { formPage } from './form-page.ts';
import {
  ANSWERED,
  CONFIRM_DOOR,
  CONFIRMED,
  claimPage,
  GONE,
  keyPage,
  questionPage,
  REVOKED,
  SENT,
} from './pages.ts';

/** Requests of one IP address. */
const REQUESTS = { ratePerSecond: 3 / 3_600, burst: 3 };
const TITLE = 'Get an API key';
const NOTHING: ReadonlySet<never> = new Set();

export type KeyPageDeps = {
  readonly desk: KeyDesk;
  readonly frame: Frame;
  /** People reach this host over TLS, also behind a proxy. */
  readonly isSecure: () => boolean;
  readonly log: Pick<Logger, 'error'>;
};

type WithToken = { Params: { token: string } };
type WithForm = { Body: FormFields | undefined };

/**
 * The form for a key and the pages behind the links of its mails. A link's page shows a button and changes nothing, because mail scanners
 * open links; the button's POST acts.
 */
export function serveKeys(app: FastifyInstance, deps: KeyPageDeps, clock: Clock): void {
  const { desk, frame, log } = deps;
  const requests = createTokenBuckets({ steadyMs: steadyOf(clock) });
  pageScope(app, { place: 'keys', frame, log, clock }, (scope, show) => {
    const { maxRate } = desk;
    scope.get('/keys', async (_request, reply) =>
      show(reply, 200, TITLE, formPage({ fields: { swap: 'on' }, wrong: NOTHING, limits: null, maxRate })),
    );
    scope.post<WithForm>('/keys/limits', async (request, reply) => {
      const fields = request.body ?? {};
      const { stated, wrong } = parseVolume(fields);
      const limits = stated === null ? null : desk.limitsOf(stated);
      return show(reply, 200, TITLE, formPage({ fields, wrong, limits, maxRate }));
    });
    scope.post<WithForm>('/keys', async (request, reply) => {
      const fields = request.body ?? {};
      const parsed = parseKeyRequest(fields);
      if ('wrong' in parsed) {
        return show(reply, 400, TITLE, formPage({ fields, wrong: parsed.wrong, limits: null, maxRate }));
      }
      const { allowed, retrySeconds } = requests.take(clientKey(request.ip), REQUESTS);
      if (!allowed) return tooMany(show, reply, retrySeconds);
      await desk.request(parsed.draft);
      return show(reply, 200, 'Look at your inbox', SENT);
    });
    serveConfirm(scope, show, desk);
    serveQuestion(scope, show, desk);
    serveClaim(scope, show, desk);
  });
}

function serveConfirm(scope: FastifyInstance, show: ShowPage, desk: KeyDesk): void {
  scope.get<WithToken>('/keys/confirm/:token', async ({ params }, reply) =>
    isToken(params.token) && (await desk.mayConfirm(params.token))
      ? show(reply, 200, 'Confirm', CONFIRM_DOOR)
      : gone(show, reply),
  );
  scope.post<WithToken>('/keys/confirm/:token', async ({ params }, reply) =>
    isToken(params.token) && (await desk.confirm(params.token))
      ? show(reply, 200, 'Confirmed', CONFIRMED)
      : gone(show, reply),
  );
}

function serveQuestion(scope: FastifyInstance, show: ShowPage, desk: KeyDesk): void {
  scope.get<WithToken>('/keys/answer/:token', async ({ params }, reply) => {
    const request = isToken(params.token) ? await desk.question(params.token) : null;
    return request === null ? gone(show, reply) : show(reply, 200, 'Answer', questionPage(request, null, ''));
  });
  scope.post<WithToken & WithForm>('/keys/answer/:token', async ({ params, body }, reply) => {
    const request = isToken(params.token) ? await desk.question(params.token) : null;
    if (request === null) return gone(show, reply);
    const answer = textOf(body?.['answer'] ?? '');
    if (answer.length < 1 || answer.length > USE_MAX) {
      const fault = `Please write 1 to ${USE_MAX.toLocaleString('en-US')} characters.`;
      return show(reply, 400, 'Answer', questionPage(request, fault, answer));
    }
    return (await desk.answer(params.token, answer)) ? show(reply, 200, 'Sent', ANSWERED) : gone(show, reply);
  });
}

function serveClaim(scope: FastifyInstance, show: ShowPage, desk: KeyDesk): void {
  scope.get<WithToken>('/keys/claim/:token', async ({ params: { token } }, reply) => {
    const look = isToken(token) ? await desk.lookAtClaim(token) : { kind: 'gone' as const };
    return show(reply, look.kind === 'gone' ? 410 : 200, 'Your key', claimPage(look, token));
  });
  scope.post<WithToken>('/keys/claim/:token', async ({ params: { token } }, reply) => {
    const claim = isToken(token) ? await desk.claim(token) : { kind: 'gone' as const };
    if (claim.kind === 'made') return show(reply, 200, 'Your API key', keyPage(claim.text, claim.key));
    return show(reply, 410, 'Your key', claimPage(claim, token));
  });
  scope.post<WithToken>('/keys/revoke/:token', async ({ params: { token } }, reply) =>
    isToken(token) && (await desk.revokeClaimed(token))
      ? show(reply, 200, 'Revoked', REVOKED)
      : gone(show, reply),
  );
}

export const isToken = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);

function gone(show: ShowPage, reply: FastifyReply): FastifyReply {
  return show(reply, 410, 'Used up', GONE);
}
