import { LAMPORTS_PER_SOL, shortAddress } from '@tradepost/solana';
import type { Words } from '../../../compose/texts/words.ts';
import { marksOf } from '../../../core/text/figures.ts';
import { drawable } from '../../../platform/pictures/rules/drawable.ts';
import type { ChartLook, PnlPicture, PortfolioPicture } from '../../../platform/ports/charts.ts';
import { signedPercent, tenthsOf } from '../../../platform/telegram/ui/signed.ts';
import { utcText } from '../../../platform/telegram/ui/time.ts';
import type { WalletDay } from '../store/position-store-port.ts';
import type { PositionList, ShownPosition } from '../use/list-positions.ts';
import { symbolOf } from './view.ts';

const lookOf = (words: Words): ChartLook => ({
  theme: 'dark',
  colours: 'blue-orange',
  marks: marksOf(words.language),
});

/** Facts of a result card, from rows and a route alone: nothing a person types is on it, and no amount. */
export function pnlPicture(
  words: Words,
  one: ShownPosition,
  facts: { readonly link: string; readonly bot: string; readonly at: number },
): PnlPicture {
  const { position, unrealized } = one;
  const open = position.units > 0n;
  const time = utcText(facts.at).slice(11, 16);
  return {
    symbol: drawable(symbolOf(one), shortAddress(position.mint)),
    percent: open ? ratio(unrealized, position.cost) : null,
    state: open ? words.text('card.if_sold', { time }) : words.text('card.closed'),
    facts: [utcText(facts.at)],
    footer: words.text('card.footer'),
    link: facts.link,
    bot: facts.bot,
    look: lookOf(words),
  };
}

/** The net value by day, today's last, and its parts. */
export function portfolioPicture(
  words: Words,
  list: PositionList,
  days: readonly WalletDay[],
): PortfolioPicture {
  const points = days.map(({ day, netValue }) => ({ t: day / 1_000, value: inSol(netValue) }));
  const now = list.netValue === null ? [] : [{ t: list.at / 1_000, value: inSol(list.netValue) }];
  return {
    title: drawable(words.text('portfolio.title', { wallet: list.wallet.name }), 'Portfolio', 40),
    subtitle:
      list.today === null || list.netValue === null
        ? utcText(list.at)
        : `${words.text('portfolio.today', { percent: signedPercent(words, list.today, list.netValue - list.today) })} · ${utcText(list.at)}`,
    footer: words.text('portfolio.footer'),
    texts: {
      none: words.text('portfolio.no_days'),
      first: words.text('portfolio.first_day'),
      rest: words.text('portfolio.rest'),
    },
    unit: 'SOL',
    values: [...points, ...now],
    shares: list.shown.flatMap((one) =>
      one.sale === null || one.sale.netLamports <= 0n
        ? []
        : [
            {
              label: drawable(symbolOf(one), shortAddress(one.position.mint)),
              value: inSol(one.sale.netLamports),
            },
          ],
    ),
    look: lookOf(words),
  };
}

/** Floats are enough for a picture: nothing that is drawn is paid. */
const inSol = (lamports: bigint): number => Number(lamports) / Number(LAMPORTS_PER_SOL);

function ratio(part: bigint | null, whole: bigint): number | null {
  return part === null || whole <= 0n ? null : Number(tenthsOf(part, whole)) / 10;
}
