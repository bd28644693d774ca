import type { FastifyInstance, FastifyReply } from 'fastify';
import { hasCode } from '../../../core/errors/app-error.ts';
import { leftAt } from '../../../core/time/age.ts';
import { steadyOf } from '../../../core/time/elapsed.ts';
import type { FormFields } from '../../../modules/keys/rules/parse-key-request.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { clientKey } from '../limits/client-key.ts';
import { createTokenBuckets } from '../limits/token-bucket.ts';
import { FRAME_CSP, type Frame, framed, type Place, said } from './frame.ts';
import { type Html, html } from './html.ts';

/** Of one IP address: a mail scanner in the same house may open a link a hundred times before its reader does. */
const ALLOWANCE = { ratePerSecond: 20, burst: 300 };
const BODY_LIMIT = 8 * 1_024;

export type ShowPage = (
  reply: FastifyReply,
  status: number,
  title: string,
  body: Html,
  /** Of the body; English unless said. */
  language?: string,
) => FastifyReply;

/**
 * Pages with forms, in a scope of their own: no other route takes a browser's form. They are answered with a strict policy, are kept in no
 * cache, and their faults are pages too.
 */
export function pageScope(
  app: FastifyInstance,
  options: {
    readonly place: Place | null;
    readonly frame: Frame;
    readonly log: Pick<Logger, 'error'>;
    readonly clock: Clock;
  },
  routes: (scope: FastifyInstance, show: ShowPage) => void,
): void {
  const { place, frame, log, clock } = options;
  const buckets = createTokenBuckets({ steadyMs: steadyOf(clock) });
  const show: ShowPage = (reply, status, title, body, language = 'en') =>
    reply.code(status).type('text/html; charset=utf-8').send(framed(frame, { title, place, body, language }));
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: BODY_LIMIT },
      (_request, text, done) => done(null, fieldsOf(text.toString())),
    );
    scope.addHook('onRequest', async (request, reply) => {
      reply
        .header('content-security-policy', FRAME_CSP)
        .header('referrer-policy', 'no-referrer')
        .header('cache-control', 'no-store')
        .header('x-robots-tag', 'noindex')
        .header('cross-origin-opener-policy', 'same-origin');
      const { allowed, retrySeconds } = buckets.take(clientKey(request.ip), ALLOWANCE);
      if (!allowed) await tooMany(show, reply, retrySeconds);
    });
    scope.setErrorHandler((error, request, reply) => {
      if (hasCode(error, 'ACT_LIMIT'))
        return tooMany(show, reply, Math.max(1, Math.ceil(leftAt(error.details.until, clock.now()) / 1_000)));
      if (hasCode(error, 'PAUSED')) return paused(show, reply);
      const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
      if (!isOfSender(status)) log.error({ err: error, requestId: request.id }, 'a page failed');
      return failed(show, reply, { status, requestId: request.id });
    });
    routes(scope, show);
  });
}

/** Whether the sent text is at fault. */
const isOfSender = (status: number): boolean => status >= 400 && status < 500;

/** The page of a fault: of the sent text, or of the service with its number. */
function failed(
  show: ShowPage,
  reply: FastifyReply,
  { status, requestId }: { readonly status: number; readonly requestId: string },
): FastifyReply {
  if (status === 413)
    return show(
      reply,
      413,
      'Too large',
      said(
        'That is too much',
        html`<p>A form may hold 8 KiB. Please shorten what you wrote and send it again.</p>`,
      ),
    );
  if (isOfSender(status))
    return show(
      reply,
      status,
      'Not a form',
      said('This page takes a form', html`<p>Please go back and use the form on the page before.</p>`),
    );
  return show(
    reply,
    500,
    'Something went wrong',
    said(
      'Something went wrong',
      html`<p>It is our fault, and nothing happened. Please try again; if it stays, tell the operator this number: <code>${requestId}</code></p>`,
    ),
  );
}

/** The page of an act that an operator's switch stops. */
function paused(show: ShowPage, reply: FastifyReply): FastifyReply {
  const body = html`<p>The operator has paused this. Nothing happened, and your link still works. Please come back later.</p>`;
  return show(reply, 503, 'Paused', said('Paused', body));
}

export function tooMany(show: ShowPage, reply: FastifyReply, retrySeconds: number): FastifyReply {
  const wait = retrySeconds < 90 ? `${retrySeconds} seconds` : `${Math.ceil(retrySeconds / 60)} minutes`;
  reply.header('retry-after', retrySeconds);
  return show(
    reply,
    429,
    'Too many requests',
    said('A bit too often', html`<p>Please come back in ${wait}.</p>`),
  );
}

/** A field that comes twice is one text with a comma, which no field takes: it is not clear which of the two was meant. */
function fieldsOf(text: string): FormFields {
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    const before = fields.get(name);
    fields.set(name, before === undefined ? value : `${before},${value}`);
  }
  return Object.fromEntries(fields);
}
