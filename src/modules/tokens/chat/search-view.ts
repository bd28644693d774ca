import { type Address, shortAddress } from '@tradepost/solana';
import type { Words } from '../../../compose/texts/words.ts';
import { type Figures, figuresOf } from '../../../core/text/figures.ts';
import { type Html, html, lines } from '../../../platform/telegram/ui/html.ts';
import {
  act,
  type ButtonSpec,
  keyboard,
  nav,
  type Row,
  ticked,
} from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { utcClock } from '../../../platform/telegram/ui/time.ts';
import { TREND_HOURS, type TrendHours } from '../../market/store/trending-store-port.ts';
import type { TokenHit } from '../../market/use/search-tokens.ts';
import type { TrendingTokens } from '../../market/use/token-data.ts';
import type { TokenSummary } from '../../market/use/token-summary.ts';
import { microUsdShown, picoUsdShown } from '../../trading/rules/price.ts';
import { displayName } from '../rules/display-name.ts';

export const SEARCH = 'search';
export const PAGE_SIZE = 5;

/** The lists that can be found without a question. */
export function askView(words: Words): View {
  return {
    text: words.html('search.ask'),
    keyboard: keyboard(
      [nav(words.text('btn.trending'), SEARCH, 'trend-0'), nav(words.text('btn.newest'), 'launches', 'open')],
      [nav(words.text('btn.home'), 'home', 'open')],
    ),
  };
}

/** One page of the tokens that a text may mean. Look-alikes name the token that they imitate. */
export function hitsView(
  words: Words,
  facts: {
    readonly text: string;
    readonly hits: readonly TokenHit[];
    /** From 0. */
    readonly page: number;
    readonly stateId: string;
  },
): View {
  const { hits, page, stateId } = facts;
  const pages = Math.max(1, Math.ceil(hits.length / PAGE_SIZE));
  const first = page * PAGE_SIZE;
  const shown = hits.slice(first, first + PAGE_SIZE);
  return {
    text: lines(
      words.html('search.title', {
        text: displayName(facts.text) ?? '…',
        count: hits.length,
        page: page + 1,
        pages,
      }),
      html``,
      ...shown.flatMap((hit, index) => [
        headLine(words, hit, first + index + 1),
        words.html('search.facts', { ...hitFigures(words, hit), marks: marks(words, hit) }),
        imitationLine(words, hit, hits),
      ]),
    ),
    keyboard: keyboard(
      picks(shown.length, first, stateId),
      [
        page > 0 && act(words.text('btn.previous_page'), SEARCH, 'previous', stateId),
        page + 1 < pages && act(words.text('btn.next_page'), SEARCH, 'next', stateId),
      ],
      ways(words),
    ),
  };
}

export function trendingView(
  words: Words,
  facts: { readonly hours: TrendHours; readonly list: TrendingTokens; readonly stateId: string },
): View {
  const { hours, list } = facts;
  const figures = figuresOf(words.language);
  const shown = list.tokens.slice(0, PAGE_SIZE);
  return {
    text: lines(
      words.html('trending.title', { hours }),
      html``,
      ...(shown.length === 0 ? [words.html('trending.none', { hours })] : []),
      ...shown.flatMap((token, index) => [
        headLine(words, token, index + 1),
        words.html('trending.facts', {
          price: priceText(figures, token),
          change: figures.move(token.change24h),
          traders:
            token.trend.traders === 1
              ? words.text('trending.trader_one')
              : words.text('trending.traders', { count: token.trend.traders }),
          volume: figures.compact(microUsdShown(token.trend.volumeUsd)),
        }),
      ]),
      list.computedAt !== null && words.html('trending.read_at', { at: utcClock(list.computedAt) }),
    ),
    keyboard: keyboard(
      picks(shown.length, 0, facts.stateId),
      TREND_HOURS.map((one, index) => nav(ticked(`${one}h`, one === hours), SEARCH, `trend-${index}`)),
      ways(words),
    ),
  };
}

function headLine(words: Words, { symbol, name, mint }: TokenSummary, rank: number): Html {
  const shown = displayName(symbol) ?? shortAddress(mint);
  const long = displayName(name);
  return words.html('search.row', {
    rank,
    symbol: shown,
    name: long === null || long === shown ? '' : long,
    mint: shortAddress(mint),
  });
}

const priceText = (figures: Figures, { price }: TokenSummary): string =>
  figures.price(price === null ? null : picoUsdShown(price.usd));

/** With the digits of the card. */
function hitFigures(words: Words, hit: TokenHit) {
  const figures = figuresOf(words.language);
  return {
    price: priceText(figures, hit),
    change: figures.move(hit.change24h),
    liquidity: figures.compact(microUsdShown(hit.price?.liquidityUsd ?? null)),
  };
}

function marks(words: Words, hit: TokenHit): string {
  return [
    hit.verified ? words.text('search.verified') : '',
    hit.held ? words.text('search.held') : '',
    hit.madeHere ? words.text('search.made_here') : '',
  ].join('');
}

function imitationLine(
  words: Words,
  { imitates }: TokenSummary,
  among: readonly { readonly mint: Address }[],
): Html | null {
  if (imitates === null) return null;
  const rank = among.findIndex(({ mint }) => mint === imitates) + 1;
  return rank > 0
    ? words.html('search.looks_like', { rank })
    : words.html('search.looks_like_known', { mint: shortAddress(imitates) });
}

const picks = (count: number, first: number, stateId: string): Row =>
  Array.from({ length: count }, (_, index) =>
    act(String(first + index + 1), SEARCH, `pick-${index}`, stateId),
  );

const ways = (words: Words): readonly ButtonSpec[] => [
  nav(words.text('btn.search'), SEARCH, 'open'),
  nav(words.text('btn.trending'), SEARCH, 'trend-0'),
  nav(words.text('btn.newest'), 'launches', 'open'),
  nav(words.text('btn.home'), 'home', 'open'),
];
