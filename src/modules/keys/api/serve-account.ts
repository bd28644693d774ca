import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { emailAddress } from '../../../core/text/email-address.ts';
import { steadyOf } from '../../../core/time/elapsed.ts';
import { clientKey } from '../../../platform/http/limits/client-key.ts';
import { createTokenBuckets } from '../../../platform/http/limits/token-bucket.ts';
import type { Html } from '../../../platform/http/look/html.ts';
import { pageScope, type ShowPage, tooMany } from '../../../platform/http/look/page-scope.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { FormFields } from '../rules/parse-key-request.ts';
import type { KeyDesk } from '../use/key-desk.ts';
import {
  askRevokePage,
  askRotatePage,
  FOREIGN_FORM,
  LINK_SENT,
  LOGIN_DOOR,
  LOGIN_GONE,
  NO_KEY,
  overviewPage,
  ROTATION,
  revokedNote,
  signInPage,
} from './account-pages.ts';
import { isToken, type KeyPageDeps } from './serve-keys.ts';

/** Links asked for from one IP address. */
const LOGINS = { ratePerSecond: 10 / 3_600, burst: 10 };
const COOKIE = 'tradepost_account';
const SESSION_SECONDS = 3_600;
const TITLE = 'Your account';

type WithToken = { Params: { token: string } };
type WithKey = { Params: { id: string } };
type WithForm = { Body: FormFields | undefined };
type Session = { readonly token: string; readonly email: string };

/**
 * The account of an address: keys, limits, usage, rotate, revoke. A mailed link gives a session of one hour in a cookie that no
 * script can read and no other site can send; each form carries the session's own token beside it.
 */
export function serveAccount(app: FastifyInstance, deps: KeyPageDeps, clock: Clock): void {
  const { desk, frame, log } = deps;
  const logins = createTokenBuckets({ steadyMs: steadyOf(clock) });
  pageScope(app, { place: 'account', frame, log, clock }, (scope, show) => {
    const overview = async (reply: FastifyReply, { token, email }: Session, note: Html | null) =>
      show(
        reply,
        200,
        TITLE,
        overviewPage(await desk.overview(email), {
          formToken: desk.formToken(token),
          now: clock.now(),
          said: note,
        }),
      );
    scope.get('/account', async (request, reply) => {
      const session = await sessionOf(desk, request);
      return session === null
        ? show(reply, 200, TITLE, signInPage(false, ''))
        : overview(reply, session, null);
    });
    scope.post<WithForm>('/account/login', async (request, reply) => {
      const given = request.body?.['email'] ?? '';
      const email = emailAddress(given);
      if (email === null) return show(reply, 400, TITLE, signInPage(true, given));
      const { allowed, retrySeconds } = logins.take(clientKey(request.ip), LOGINS);
      if (!allowed) return tooMany(show, reply, retrySeconds);
      await desk.requestLogin(email);
      return show(reply, 200, 'Look at your inbox', LINK_SENT);
    });
    scope.get<WithToken>('/account/login/:token', async (_request, reply) =>
      show(reply, 200, 'Sign in', LOGIN_DOOR),
    );
    scope.post<WithToken>('/account/login/:token', async ({ params: { token }, protocol }, reply) => {
      const session = isToken(token) ? await desk.login(token) : null;
      if (session === null) return show(reply, 410, 'Used up', LOGIN_GONE);
      setCookie(reply, session, SESSION_SECONDS, protocol === 'https' || deps.isSecure());
      return reply.redirect('/account', 303);
    });
    scope.post<WithForm>('/account/logout', async (request, reply) => {
      const session = await formSession(desk, request);
      if (session === null) return show(reply, 403, TITLE, FOREIGN_FORM);
      await desk.logout(session.token);
      setCookie(reply, '', 0, request.protocol === 'https' || deps.isSecure());
      return reply.redirect('/account', 303);
    });
    serveRevoke(scope, show, desk, overview);
    serveRotate(scope, show, desk);
  });
}

type Overview = (reply: FastifyReply, session: Session, note: Html | null) => Promise<FastifyReply>;

function serveRevoke(scope: FastifyInstance, show: ShowPage, desk: KeyDesk, overview: Overview): void {
  scope.get<WithKey>('/account/revoke/:id', async (request, reply) => {
    const session = await sessionOf(desk, request);
    if (session === null) return reply.redirect('/account', 303);
    const key = await desk.ownKey(session.email, request.params.id);
    return key === null
      ? show(reply, 404, TITLE, NO_KEY)
      : show(reply, 200, 'Revoke', askRevokePage(key, desk.formToken(session.token)));
  });
  scope.post<WithKey & WithForm>('/account/revoke/:id', async (request, reply) => {
    const session = await formSession(desk, request);
    if (session === null) return show(reply, 403, TITLE, FOREIGN_FORM);
    const { id } = request.params;
    return (await desk.revoke(session.email, id))
      ? overview(reply, session, revokedNote(id))
      : show(reply, 404, TITLE, NO_KEY);
  });
}

function serveRotate(scope: FastifyInstance, show: ShowPage, desk: KeyDesk): void {
  scope.get<WithKey>('/account/rotate/:id', async (request, reply) => {
    const session = await sessionOf(desk, request);
    if (session === null) return reply.redirect('/account', 303);
    const key = await desk.ownKey(session.email, request.params.id);
    return key === null
      ? show(reply, 404, TITLE, NO_KEY)
      : show(reply, 200, 'Rotate', askRotatePage(key, desk.formToken(session.token)));
  });
  scope.post<WithKey & WithForm>('/account/rotate/:id', async (request, reply) => {
    const session = await formSession(desk, request);
    if (session === null) return show(reply, 403, TITLE, FOREIGN_FORM);
    const key = await desk.ownKey(session.email, request.params.id);
    const asked = key === null ? 'no-address' : await desk.rotate(key.id);
    if (asked === 'no-address') return show(reply, 404, TITLE, NO_KEY);
    return show(reply, asked === 'mailed' ? 200 : 429, TITLE, ROTATION[asked]);
  });
}

async function sessionOf(desk: KeyDesk, request: FastifyRequest): Promise<Session | null> {
  const token = new RegExp(`(?:^|;\\s*)${COOKIE}=([A-Za-z0-9_-]{43})(?:;|$)`).exec(
    request.headers.cookie ?? '',
  )?.[1];
  if (token === undefined) return null;
  const email = await desk.sessionEmail(token);
  return email === null ? null : { token, email };
}

/** The session of a form that this very session's page showed; null for anything else. */
async function formSession(desk: KeyDesk, request: FastifyRequest<WithForm>): Promise<Session | null> {
  const session = await sessionOf(desk, request);
  if (session === null) return null;
  const expected = Buffer.from(desk.formToken(session.token));
  const given = Buffer.from(request.body?.['form'] ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected) ? session : null;
}

function setCookie(reply: FastifyReply, value: string, maxAge: number, isSecure: boolean): void {
  const attributes = `Path=/account; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  reply.header('set-cookie', `${COOKIE}=${value}; ${attributes}`);
}
