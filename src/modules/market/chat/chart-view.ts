import { shortAddress } from '@tradepost/solana';
import type { Resolution } from '@tradepost/tape';
import type { Words } from '../../../compose/texts/words.ts';
import { marksOf } from '../../../core/text/figures.ts';
import { drawable } from '../../../platform/pictures/rules/drawable.ts';
import { percentLabel, priceLabel } from '../../../platform/pictures/rules/labels.ts';
import type { CandlesPicture, ChartLook, DepthPicture } from '../../../platform/ports/charts.ts';
import { percentText, solText } from '../../../platform/telegram/ui/amounts.ts';
import { code, type Html, html, lines } from '../../../platform/telegram/ui/html.ts';
import { act, inRows, type Keyboard, keyboard, nav, ticked } from '../../../platform/telegram/ui/keyboard.ts';
import { utcText } from '../../../platform/telegram/ui/time.ts';
import { displayName, displaySymbol } from '../../tokens/rules/display-name.ts';
import type { Token } from '../../tokens/rules/token.ts';
import type { DepthStep, MarketDepth } from '../../trading/use/market-depth.ts';
import type { ChartFacts } from '../use/load-chart.ts';

export const CHART = 'chart';

/** In the order of the buttons; `1D` is how the API names a day. */
export const SPANS: readonly { readonly label: string; readonly resolution: Resolution }[] = [
  { label: '1m', resolution: '1' },
  { label: '5m', resolution: '5' },
  { label: '15m', resolution: '15' },
  { label: '1h', resolution: '60' },
  { label: '4h', resolution: '240' },
  { label: '1D', resolution: '1D' },
];

/** The picture shown: the bars of a span, or the depth. */
export type Shown = { readonly kind: 'candles'; readonly span: number } | { readonly kind: 'depth' };

const lookOf = (words: Words): ChartLook => ({
  theme: 'dark',
  colours: 'blue-orange',
  marks: marksOf(words.language),
});
const LAMPORTS = 1e9;

/** A chart without bars has no picture. Times are those of the trades, so that the same market draws the same picture. */
export function candlesPicture(
  words: Words,
  token: Token,
  chart: ChartFacts,
  { span, trades }: { readonly span: string; readonly trades: CandlesPicture['trades'] },
): CandlesPicture {
  const { last } = chart;
  return {
    title: `${name(token)}/${chart.unit} · ${span}`,
    subtitle: [
      shortAddress(token.mint),
      ...(last === null
        ? []
        : [utcText(last.at * 1_000), words.text('chart.slot', { slot: `${last.slot}` })]),
    ].join(' · '),
    footer:
      chart.trades === 1
        ? words.text('chart.footer_one')
        : words.text('chart.footer', { count: chart.trades }),
    step: chart.step,
    candles: chart.candles,
    trades: chart.inSol ? trades : [],
    lines: [],
    look: lookOf(words),
  };
}

export function depthPicture(words: Words, token: Token, depth: MarketDepth): DepthPicture {
  const side = (steps: readonly DepthStep[]) =>
    steps.map(({ percent, lamports }) => ({
      percent,
      amount: lamports === null ? null : Number(lamports) / LAMPORTS,
    }));
  return {
    title: `${name(token)} · ${words.text('chart.depth_title')}`,
    subtitle: [shortAddress(token.mint), words.text('chart.slot', { slot: `${depth.slot}` })].join(' · '),
    footer: words.text('chart.depth_footer'),
    texts: {
      sell: words.text('chart.depth_sell'),
      buy: words.text('chart.depth_buy'),
      none: words.text('chart.depth_none'),
    },
    buy: side(depth.buy),
    sell: side(depth.sell),
    look: lookOf(words),
  };
}

/** A symbol with a letter that the font lacks would be boxes. */
const name = (token: Token): string => drawable(displaySymbol(token), shortAddress(token.mint));

/** Under the picture, and alone where there is none. */
export function candlesText(words: Words, token: Token, chart: ChartFacts | null, span: string): Html {
  const head = title(words, token);
  const [first] = chart?.candles ?? [];
  const newest = chart?.candles.at(-1);
  if (chart === null || first === undefined || newest === undefined) {
    return lines(head, words.html('chart.none', { span }));
  }
  const marks = marksOf(words.language);
  const change = first.open === 0 ? null : ((newest.close - first.open) / first.open) * 100;
  return lines(
    head,
    words.html('chart.candles', {
      span,
      price: `${priceLabel(marks, newest.close)} ${chart.unit}`,
      change: percentLabel(marks, change),
      low: priceLabel(marks, Math.min(...chart.candles.map(({ low }) => low))),
      high: priceLabel(marks, Math.max(...chart.candles.map(({ high }) => high))),
    }),
  );
}

export function depthText(words: Words, token: Token, depth: MarketDepth | null): Html {
  const head = title(words, token);
  if (depth === null) return lines(head, words.html('chart.no_depth'));
  const row = ({ percent, lamports }: DepthStep, index: number): Html => {
    const sell = depth.sell[index]?.lamports ?? null;
    return words.html('chart.depth_row', {
      percent: percentText(words, percent * 100),
      buy: amount(words, lamports),
      sell: amount(words, sell),
    });
  };
  return lines(head, words.html('chart.depth'), ...depth.buy.map(row));
}

const amount = (words: Words, lamports: bigint | null): string =>
  lamports === null ? 'n/a' : solText(words, lamports, 2);

function title(words: Words, token: Token): Html {
  return html`${words.html('chart.title', {
    name: displayName(token.name) ?? displaySymbol(token),
    symbol: code(displaySymbol(token)),
  })}`;
}

/** `buy`: the first preset, for the button; null where nothing can be bought. `sells`: whether any is held. */
export function chartButtons(
  words: Words,
  shown: Shown,
  { stateId, buy, sells }: { readonly stateId: string; readonly buy: string | null; readonly sells: boolean },
): Keyboard {
  const on = (label: string, action: string) => act(label, CHART, action, stateId);
  const spans = SPANS.map(({ label }, index) =>
    on(ticked(label, shown.kind === 'candles' && shown.span === index), `span-${index}`),
  );
  return keyboard(
    ...inRows(spans, 3),
    [
      on(ticked(words.text('btn.candles'), shown.kind === 'candles'), 'open'),
      on(ticked(words.text('btn.depth'), shown.kind === 'depth'), 'depth'),
    ],
    [
      buy !== null && act(words.text('btn.buy_sol', { sol: buy }), 'trade', 'buy-0', stateId),
      sells && act(words.text('btn.sell_x'), 'trade', 'sellx', stateId),
    ],
    [act(words.text('btn.back'), 'trade', 'card', stateId), nav(words.text('btn.home'), 'home', 'open')],
  );
}
