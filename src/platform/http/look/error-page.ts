import type { FastifyReply, FastifyRequest } from 'fastify';
import { FRAME_CSP, type Frame, framed, said } from './frame.ts';
import { html } from './html.ts';

/** Whether a person's browser asks, which names HTML; programs that take anything get JSON. */
export function wantsPage({ headers, method }: Pick<FastifyRequest, 'headers' | 'method'>): boolean {
  return method === 'GET' && /\btext\/html\b/.test(headers.accept ?? '');
}

/** 404 and 500 for people, with the way on. */
export function sendErrorPage(
  reply: FastifyReply,
  frame: Frame,
  status: 404 | 500,
  requestId: string,
): FastifyReply {
  const body =
    status === 404
      ? said(
          'There is nothing here',
          html`<p>The address may be mistyped, or what stood here has moved.</p>`,
          html`<p class="actions"><a class="button" href="${frame.isOpen ? '/' : '/docs'}">${frame.isOpen ? 'All markets' : 'Read the docs'}</a></p>`,
        )
      : said(
          'Something went wrong',
          html`<p>It is our fault, and nothing happened. Please try again; if it stays, tell the operator this number: <code>${requestId}</code></p>`,
        );
  const title = status === 404 ? 'Nothing here' : 'Something went wrong';
  return reply
    .code(status)
    .header('content-security-policy', FRAME_CSP)
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(framed(frame, { title, place: null, body }));
}
