import type { FastifyInstance } from 'fastify';
import { clientKey } from '../../../platform/http/limits/client-key.ts';
import { createTokenBuckets } from '../../../platform/http/limits/token-bucket.ts';
import { type Frame, framed } from '../../../platform/http/look/frame.ts';
import type { Html } from '../../../platform/http/look/html.ts';
import type { QrCodes } from '../../../platform/ports/qr-codes.ts';
import { codesPage, doorPage, gonePage, SECOND_FACTOR_CSP, secretPage } from './second-factor-pages.ts';

export const SECOND_FACTOR_PATH = '/second-factor';
/** Of one IP address: a person opens one page, a guesser of 128 bits may wait. */
const ALLOWANCE = { ratePerSecond: 0.5, burst: 10 };

export type SecondFactorDeps = {
  /** The text that an authenticator scans (null for new recovery codes alone) and the codes, for the first request; null after. */
  readonly show: (
    token: string,
  ) => Promise<{ readonly uri: string | null; readonly codes: readonly string[] } | null>;
  readonly qr: QrCodes;
};

/**
 * The page behind a link to a new authenticator secret. Looking at it shows a button and uses nothing up, because chats and
 * their scanners follow links by themselves; the button's POST shows the secret, once.
 */
export function serveSecondFactor(
  app: FastifyInstance,
  deps: SecondFactorDeps,
  frame: Frame,
  steadyMs: () => number,
): void {
  const page = (body: Html): string => framed(frame, { title: 'Authenticator', place: null, body });
  const buckets = createTokenBuckets({ steadyMs });
  // In a scope of its own: no other route takes a browser's form, and this one reads nothing of it.
  void app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 1_024 },
      (_, __, done) => done(null, null),
    );
    scope.addHook('onRequest', async (request, reply) => {
      reply
        .header('content-security-policy', SECOND_FACTOR_CSP)
        .header('referrer-policy', 'no-referrer')
        .header('cache-control', 'no-store')
        .header('x-robots-tag', 'noindex')
        .type('text/html; charset=utf-8');
      const { allowed, retrySeconds } = buckets.take(clientKey(request.ip), ALLOWANCE);
      if (!allowed)
        await reply
          .code(429)
          .header('retry-after', retrySeconds)
          .send(page(gonePage('slow')));
    });
    scope.get(`${SECOND_FACTOR_PATH}/:token`, async () => page(doorPage()));
    scope.post<{ Params: { token: string } }>(`${SECOND_FACTOR_PATH}/:token`, async (request, reply) => {
      const { token } = request.params;
      const shown = /^[A-Za-z0-9_-]{22}$/.test(token) ? await deps.show(token) : null;
      if (shown === null) return reply.code(410).send(page(gonePage('gone')));
      const { uri, codes } = shown;
      return page(uri === null ? codesPage(codes) : secretPage({ uri, codes, png: await deps.qr.png(uri) }));
    });
  });
}
