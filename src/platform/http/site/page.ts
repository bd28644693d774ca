import type { Address } from '@tradepost/solana';
import type { Pause } from '../../../engine/switches/rules.ts';
import type { Round } from '../../../modules/games/rules/round.ts';
import type { MarketData } from '../../../modules/market/use/market-data.ts';
import type { TokenData } from '../../../modules/market/use/token-data.ts';
import type { PartsAnswer } from '../../../modules/operations/use/ask-parts.ts';
import type { StatusHistory } from '../../../modules/operations/use/status-history.ts';
import type { Passport } from '../../../modules/passport/rules/passport.ts';
import type { TokenPictures } from '../../../modules/passport/use/token-pictures.ts';
import type { TradingFigures } from '../../../modules/trading/use/trading-figures.ts';
import type { Charts } from '../../ports/charts.ts';
import type { Clock } from '../../ports/clock.ts';
import type { MetadataStore } from '../../ports/metadata-store.ts';
import type { Pictures } from '../../ports/pictures.ts';
import { FRAME_CSP, type Frame, type FramedPage, framed, LIVE_CSP, said } from '../look/frame.ts';
import { html } from '../look/html.ts';

/** The public pages' dependencies. */
export type SiteDeps = {
  readonly metadata: Pick<MetadataStore, 'find'>;
  readonly pictures: Pick<Pictures, 'card'>;
  readonly charts: Pick<Charts, 'candles'>;
  /** Null when the address is no mint. */
  readonly passport: (mint: Address) => Promise<Passport | null>;
  /** A round of a game; null when there is none. */
  readonly round: (id: string) => Promise<Round | null>;
  /** The URL at which people reach this host; null when it is not set. */
  readonly publicUrl: () => string | null;
  /** The parts that operators have paused, as of at most a second ago. Never rejects. */
  readonly pauses: () => Promise<readonly Pause[]>;
  /** Pictures of tokens that were made here, as paths of this host, by mint. Never rejects. */
  readonly tokenPictures: TokenPictures;
  /** The last 90 days; null where they cannot be read. Never rejects. */
  readonly history: () => Promise<StatusHistory | null>;
  /** How trades went in the last 30 days. Throws DATABASE_UNREACHABLE. */
  readonly tradingFigures: () => Promise<TradingFigures>;
};

/** The same with the host's own dependencies for its API. */
export type PageDeps = SiteDeps & {
  readonly market: MarketData;
  readonly tokens: TokenData;
  readonly clock: Clock;
  /** Whether each part that the service depends on answers. */
  readonly parts: () => Promise<PartsAnswer>;
  readonly frame: Frame;
  /** The operator's contact for people; null when none is set. */
  readonly contact: string | null;
};

export type PageAnswer = {
  readonly status: 200 | 308 | 400 | 404 | 503;
  /** Path of the page that is meant, with 308. */
  readonly location?: string;
  readonly type: string;
  readonly body: string | Uint8Array;
  readonly contentSecurityPolicy: string;
  /** How long a client may keep it; `immutable` for content that is named by its own hash. */
  readonly cacheSeconds: number | 'immutable';
};

/** The content of a request: `name` is the part behind the last slash, where the path has one. */
export type PageRequest = { readonly name: string; readonly query: URLSearchParams };

/** One public page of the open host, at `/`, `/search` or `/token/:name`. */
export type Page = {
  readonly path: string;
  readonly handle: (deps: PageDeps, request: PageRequest) => Promise<PageAnswer>;
};

/** For content that is no page of its own: nothing in it may run, load, or be framed. */
export const INERT =
  "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox";

/** A page for people, in the frame. */
export function pageOf(
  frame: Frame,
  page: FramedPage,
  { status = 200, cacheSeconds = 0 }: Partial<Pick<PageAnswer, 'status' | 'cacheSeconds'>> = {},
): PageAnswer {
  return {
    status,
    type: 'text/html; charset=utf-8',
    body: framed(frame, page),
    contentSecurityPolicy: page.runs === undefined ? FRAME_CSP : LIVE_CSP,
    cacheSeconds,
  };
}

/** A page that says in one sentence why there is no other. */
export function sorry(
  { frame }: Pick<PageDeps, 'frame'>,
  status: 400 | 404 | 503,
  title: string,
  sentence: string,
): PageAnswer {
  const body = said(
    title,
    html`<p>${sentence}</p>`,
    html`<p class="actions"><a class="button" href="/">All markets</a></p>`,
  );
  return pageOf(frame, { title, place: null, body, runs: 'live' }, { status });
}

/** Facts for programs, or why there are none. */
export function jsonOf(status: PageAnswer['status'], body: unknown, cacheSeconds = 0): PageAnswer {
  return {
    status,
    type: 'application/json; charset=utf-8',
    body: JSON.stringify(body),
    contentSecurityPolicy: INERT,
    cacheSeconds,
  };
}

/** Leads on for good to another page of this host. */
export function movedTo(location: string, cacheSeconds: number): PageAnswer {
  return {
    status: 308,
    location,
    type: 'text/plain; charset=utf-8',
    body: `See ${location}\n`,
    contentSecurityPolicy: INERT,
    cacheSeconds,
  };
}

export function pngOf(body: Uint8Array, cacheSeconds: number): PageAnswer {
  return { status: 200, type: 'image/png', body, contentSecurityPolicy: INERT, cacheSeconds };
}

export type Form = 'html' | 'json' | 'png';

/** `EPjF….json` asks for the facts, `.png` for the picture, and nothing for the page. */
export function readForm(name: string): { readonly word: string; readonly form: Form } {
  const [, word = name, ending] = /^(.*?)(?:\.(json|png))?$/s.exec(name) ?? [];
  return { word, form: ending === 'json' || ending === 'png' ? ending : 'html' };
}

/** Why there is nothing, in the form that was asked for. */
export function refusal(
  deps: Pick<PageDeps, 'frame'>,
  form: Form,
  why: {
    readonly status: 400 | 404 | 503;
    readonly code: string;
    readonly title: string;
    readonly sentence: string;
  },
): PageAnswer {
  const { status, code, title, sentence } = why;
  if (form === 'html') return sorry(deps, status, title, sentence);
  return jsonOf(status, { error: { code, message: sentence, retryable: status === 503 } });
}
