import { type Address, maxBigint, shortAddress } from '@tradepost/solana';
import type { Words } from '../../../compose/texts/words.ts';
import { type Figures, figuresOf } from '../../../core/text/figures.ts';
import { fitted } from '../../../core/text/fit.ts';
import { buyAgainLabel, picoUsdOf } from '../../../engine/intents/chat/trade-lines.ts';
import { bold, code, type Html, html, lines } from '../../../platform/telegram/ui/html.ts';
import {
  act,
  keyboard,
  nav,
  type Row,
  sells as sellsButton,
} from '../../../platform/telegram/ui/keyboard.ts';
import { PAGE_ROWS, PICK_WIDTH, pageOf, pageRow } from '../../../platform/telegram/ui/pages.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { ageText } from '../../../platform/telegram/ui/time.ts';
import { scaleNote } from '../../../platform/telegram/ui/token-amounts.ts';
import { displaySymbol } from '../../tokens/rules/display-name.ts';
import { shownUnits } from '../../tokens/rules/ui-scale.ts';
import { signedText, worthText } from '../../trading/chat/card-view.ts';
import { microUsd } from '../../trading/rules/price.ts';
import type { Holding } from '../rules/holding.ts';
import type { CleanUp } from '../use/clean-up.ts';
import type { PositionList, ShownPosition } from '../use/list-positions.ts';

export const POSITIONS = 'positions';
const UNKNOWN = 'n/a';
/** Widths that a line and one of five buttons in a row hold at 390 pixels. */
const WALLET_WIDTH = 5;
const ROW_SYMBOL = 6;
const TITLE_SYMBOL = 10;
const BUY_WIDTH = 7.2;

/** A kind of order that sells by itself: at a gain, at a loss, when the creator sells, when liquidity falls. */
export type GuardMark = 'TP' | 'SL' | 'Dev' | 'Liq';

/** The orders that sell one position by themselves, as a row names them. */
export type Guards = ReadonlyMap<Address, readonly GuardMark[]>;

export type ListFacts = {
  /** As asked for, from 0. */
  readonly page: number;
  readonly guards: Guards;
  readonly stateId: string;
  readonly empty: CleanUp | null;
};

/** A page of the positions, the proceeds of a sale of all, and the day's result. */
export function positionListView(words: Words, list: PositionList, facts: ListFacts): View {
  const { shown, hidden } = list;
  const { stateId, empty, guards } = facts;
  const figures = figuresOf(words.language);
  const isEmpty = shown.length === 0 && list.underWay === 0;
  const turned = pageOf(shown, facts.page);
  const { rows, page, pages } = turned;
  const first = page * PAGE_ROWS + 1;
  return {
    text: lines(
      words.html('positions.title', {
        wallet: fitted(list.wallet.name, WALLET_WIDTH),
        count: figures.count(shown.length),
        page: pages === 1 ? '' : words.text('page.of', { page: page + 1, pages }),
      }),
      worthLine(words, list),
      // A wallet whose first trade is on its way is not called empty.
      isEmpty && words.html('positions.none'),
      ...rows.map((one, index) => rowOf(words, one, first + index, { list, guards })),
      words.html('positions.week', {
        realized: signedText(figures, list.realizedWeek, list.microUsdPerSol),
        fees: costText(figures, list.feesWeek, list.microUsdPerSol),
      }),
      list.underWay > 0 && words.html('positions.under_way', { count: list.underWay }),
      list.notFinal > 0 && words.html('positions.not_final', { count: list.notFinal }),
    ),
    keyboard: keyboard(
      picksOf(rows, stateId),
      pageRow(turned, POSITIONS, stateId),
      [
        hidden.length > 0 &&
          nav(words.text('btn.hidden_positions', { count: hidden.length }), POSITIONS, 'hidden'),
        empty !== null &&
          empty.accounts.length + empty.excess.length > 0 &&
          act(
            words.text('btn.clean_up', { count: empty.accounts.length + empty.excess.length }),
            POSITIONS,
            'cleanup',
            stateId,
          ),
        shown.length > 0 && nav(words.text('btn.portfolio'), POSITIONS, 'portfolio'),
      ],
      [
        isEmpty && nav(words.text('btn.trade'), 'trade', 'open'),
        nav(words.text('btn.refresh'), POSITIONS, 'open'),
        nav(words.text('btn.home'), 'home', 'open'),
      ],
    ),
  };
}

/** The net proceeds of a sale of all that has a price; how many have none; the result of the day. */
function worthLine(words: Words, { shown, today, microUsdPerSol }: PositionList): Html {
  const figures = figuresOf(words.language);
  const worths = shown.flatMap(({ sale }) => (sale === null ? [] : [maxBigint(0n, sale.netLamports)]));
  const net = worths.reduce((sum, worth) => sum + worth, 0n);
  const unpriced = shown.length - worths.length;
  const isKnown = worths.length > 0 || shown.length === 0;
  return words.html('positions.worth', {
    net: bold(isKnown ? worthText(figures, net, microUsdPerSol) : UNKNOWN),
    sol: isKnown && microUsdPerSol !== null ? ` (${figures.sol(net)})` : '',
    rest: isKnown && unpriced > 0 ? words.text('positions.unpriced', { count: unpriced }) : '',
    today: today === null ? UNKNOWN : signedText(figures, today, microUsdPerSol),
  });
}

/** Positions that are left out of the list and of its sums, and why that may be. */
export function hiddenListView(
  words: Words,
  list: PositionList,
  { page, stateId }: { readonly page: number; readonly stateId: string },
): View {
  const turned = pageOf(list.hidden, page);
  const first = turned.page * PAGE_ROWS + 1;
  return {
    text: lines(
      words.html('positions.hidden_title'),
      list.hidden.length === 0 && words.html('positions.none'),
      ...turned.rows.map((one, index) => rowOf(words, one, first + index, { list, guards: new Map() })),
    ),
    keyboard: keyboard(picksOf(turned.rows, stateId), pageRow(turned, POSITIONS, stateId), [
      nav(words.text('btn.back'), POSITIONS, 'open'),
      nav(words.text('btn.home'), 'home', 'open'),
    ]),
  };
}

const picksOf = (rows: readonly ShownPosition[], stateId: string): Row =>
  rows.map((one, index) => act(fitted(symbolOf(one), PICK_WIDTH), POSITIONS, `pick-${index}`, stateId));

/** `1 PUP $146 · −2.4% · SL`. */
function rowOf(
  words: Words,
  one: ShownPosition,
  number: number,
  { list, guards }: { readonly list: PositionList; readonly guards: Guards },
): Html {
  const figures = figuresOf(words.language);
  const { sale, unrealized, position } = one;
  const marks = guards.get(position.mint) ?? [];
  const worth = sale === null ? null : maxBigint(0n, sale.netLamports);
  return words.html('positions.row', {
    number,
    symbol: bold(fitted(symbolOf(one), ROW_SYMBOL)),
    net:
      worth === null
        ? words.text(one.priced ? 'positions.no_market' : 'positions.not_priced')
        : list.microUsdPerSol === null
          ? figures.sol(worth)
          : figures.worth(microUsd(worth, list.microUsdPerSol)),
    change: unrealized === null ? '' : ` · ${figures.change(unrealized, position.cost)}`,
    guards: marks.length === 0 ? '' : ` · ${marks.join(' ')}`,
  });
}

export type PositionFacts = {
  readonly one: ShownPosition;
  readonly microUsdPerSol: bigint | null;
  /** Lamports of the last purchase that was confirmed here, or null. */
  readonly lastBuy: bigint | null;
  /** The price of now as every list and page prints it, dollars × 10^12; null where they have none. */
  readonly nowPicoUsd: bigint | null;
  /** Its orders that sell at a price, a line of words; null without one. */
  readonly guard: string | null;
  /** Those that sell by an event, likewise. */
  readonly events: string | null;
  /** Since when, and for how much; null where no event shows it. */
  readonly holding: Holding | null;
  readonly now: number;
  readonly stateId: string;
};

/** One position: its profit, the proceeds of a sale, its cost, and its buttons. */
export function positionView(words: Words, facts: PositionFacts): View {
  const { one, stateId } = facts;
  const { position } = one;
  const figures = figuresOf(words.language);
  const isHidden = position.hiddenByPerson ?? position.hidden;
  return {
    text: lines(
      words.html(position.notFinal > 0 ? 'position.title_not_final' : 'position.title', {
        symbol: bold(fitted(symbolOf(one), TITLE_SYMBOL)),
        units: unitsOf(figures, one, position.units),
        mint: code(shortAddress(position.mint)),
      }),
      scaleNote(words, one.token),
      ...moneyLines(words, facts),
      facts.guard === null ? words.html('position.no_guard') : html`${facts.guard}`,
      facts.events !== null && html`${facts.events}`,
      facts.holding !== null &&
        words.html('position.held', { time: ageText(facts.now - facts.holding.since) }),
      ...notes(words, one),
    ),
    keyboard: keyboard(
      position.units > 0n && [
        ...[2_500, 5_000, 10_000].map((share, index) =>
          sellsButton(figures.percent(share), 'trade', `sellpart-${index}`, stateId),
        ),
        sellsButton(words.text('btn.other_percent'), 'trade', 'sellx', stateId),
      ],
      [
        position.units > 0n && act(words.text('btn.tab_tpsl'), 'orders', 'tpsl', stateId),
        facts.lastBuy !== null &&
          act(buyAgainLabel(words, facts.lastBuy, BUY_WIDTH), 'trade', 'again', stateId),
        act(words.text('btn.chart'), 'chart', 'open', stateId),
      ],
      [
        act(words.text('btn.pnl_card'), POSITIONS, 'card', stateId),
        act(words.text('btn.trade_card'), 'trade', 'card', stateId),
        act(
          words.text(isHidden ? 'btn.show_position' : 'btn.hide'),
          POSITIONS,
          isHidden ? 'reveal' : 'hide',
          stateId,
        ),
      ],
      [nav(words.text('btn.positions'), POSITIONS, 'open'), nav(words.text('btn.home'), 'home', 'open')],
    ),
  };
}

/** The result first: in dollars, percent and SOL. Then the proceeds of a sale, and the cost. */
function moneyLines(
  words: Words,
  { one, microUsdPerSol, nowPicoUsd, holding }: PositionFacts,
): readonly (Html | null)[] {
  const { position, sale, unrealized } = one;
  const figures = figuresOf(words.language);
  const money = (lamports: bigint): string => worthText(figures, lamports, microUsdPerSol);
  const net = sale === null ? null : maxBigint(0n, sale.netLamports);
  return [
    unrealized === null
      ? null
      : html`${bold(`${signedText(figures, unrealized, microUsdPerSol)} (${figures.change(unrealized, position.cost)})`)}${
          microUsdPerSol === null ? '' : ` ${figures.signedSol(unrealized)}`
        }`,
    net === null
      ? words.html(one.priced ? 'position.no_market' : 'position.not_priced')
      : words.html('position.if_sold', {
          worth: bold(money(net)),
          sol: microUsdPerSol === null ? '' : ` (${figures.sol(net)})`,
        }),
    entryLine(words, one, { microUsdPerSol, nowPicoUsd }),
    holding === null
      ? words.html('position.paid', {
          paid: costText(figures, position.cost, microUsdPerSol),
          realized: signedText(figures, position.realized, microUsdPerSol),
        })
      : words.html('position.paid_taken', {
          paid: costText(figures, holding.paidLamports, microUsdPerSol),
          taken: money(holding.takenLamports),
        }),
  ];
}

/** The average cost of a token, every fee in, and the current mid price. */
function entryLine(
  words: Words,
  { position, token, sale }: ShownPosition,
  { microUsdPerSol, nowPicoUsd }: Pick<PositionFacts, 'microUsdPerSol' | 'nowPicoUsd'>,
): Html | null {
  if (token === null || position.units <= 0n || position.cost <= 0n) return null;
  const figures = figuresOf(words.language);
  const priceOf = (lamports: bigint): string =>
    microUsdPerSol === null
      ? figures.solPrice((lamports * 10n ** BigInt(token.decimals + 18)) / position.units)
      : figures.price(picoUsdOf({ lamports, units: position.units, token, microUsdPerSol }));
  const entry = priceOf(position.cost);
  if (sale === null || sale.midLamports === null) return words.html('position.entry', { entry });
  // Entry and now in one unit.
  const now =
    nowPicoUsd === null || microUsdPerSol === null ? priceOf(sale.midLamports) : figures.price(nowPicoUsd);
  return words.html('position.entry_now', { entry, now });
}

/** Facts that a person needs before believing the numbers. */
function notes(words: Words, one: ShownPosition): readonly (Html | false)[] {
  const { position } = one;
  const figures = figuresOf(words.language);
  const units = (amount: bigint): string => unitsOf(figures, one, amount);
  return [
    position.pricedAtReceipt && words.html('position.priced_at_receipt'),
    position.withdrawnUnits > 0n &&
      words.html('position.withdrawn', { units: units(position.withdrawnUnits) }),
    position.takenUnits > 0n && words.html('position.taken', { units: units(position.takenUnits) }),
    position.remainderUnits > 0n &&
      words.html('position.remainder', { units: units(position.remainderUnits) }),
    position.adjustedUnits !== 0n &&
      words.html('position.adjusted', { units: units(position.adjustedUnits) }),
  ];
}

/** Rounded up: a price paid is never shown as less. */
const costText = (figures: Figures, lamports: bigint, microUsdPerSol: bigint | null): string =>
  microUsdPerSol === null ? figures.solUpTo(lamports) : figures.usdUpTo(microUsd(lamports, microUsdPerSol));

export const symbolOf = ({ token, position }: ShownPosition): string =>
  token === null ? shortAddress(position.mint) : displaySymbol(token);

const unitsOf = (figures: Figures, { token }: ShownPosition, units: bigint): string =>
  token === null ? figures.count(units) : figures.units(shownUnits(units, token.uiScale), token.decimals);
