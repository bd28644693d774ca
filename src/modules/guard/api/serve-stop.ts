import type { FastifyInstance } from 'fastify';
import { type Frame, said } from '../../../platform/http/look/frame.ts';
import { html } from '../../../platform/http/look/html.ts';
import { pageScope } from '../../../platform/http/look/page-scope.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import { LINKS } from '../../mail/use/mail-subjects.ts';
import type { StopWords } from '../rules/stop-facts.ts';
import type { StopPage } from '../use/stop-by-mail.ts';

export type StopPageDeps = {
  readonly look: (token: string) => Promise<StopPage>;
  readonly stop: (token: string) => Promise<StopPage>;
  readonly say: (page: StopPage) => StopWords;
};

type WithToken = { Params: { token: string } };
const GONE: StopPage = { kind: 'gone' };

/**
 * The page behind the link of a notice's mail. Looking at it shows what happens and one button, and changes nothing, because mail
 * scanners open links; the button's POST stops.
 */
export function serveStop(
  app: FastifyInstance,
  deps: StopPageDeps & { readonly frame: Frame; readonly log: Pick<Logger, 'error'> },
  clock: Clock,
): void {
  const { frame, log } = deps;
  pageScope(app, { place: null, frame, log, clock }, (scope, show) => {
    const path = `${LINKS.notice?.path ?? ''}:token`;
    const answer = (reply: Parameters<typeof show>[0], page: StopPage) => {
      const { language, title, paragraphs, button } = deps.say(page);
      const body = said(
        title,
        ...paragraphs.map((text) => html`<p>${text}</p>`),
        html`${button !== null && html`<form method="post"><div class="actions"><button>${button}</button></div></form>`}`,
      );
      return show(reply, page.kind === 'gone' || page.kind === 'over' ? 410 : 200, title, body, language);
    };
    scope.get<WithToken>(path, async ({ params: { token } }, reply) =>
      answer(reply, isToken(token) ? await deps.look(token) : GONE),
    );
    scope.post<WithToken>(path, async ({ params: { token } }, reply) =>
      answer(reply, isToken(token) ? await deps.stop(token) : GONE),
    );
  });
}

const isToken = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);
