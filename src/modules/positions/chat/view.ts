import type { Words } from '../../../compose/texts/words.ts';
import { shortAddress } from '../../../core/address/address.ts';
import { figuresOf } from '../../../core/text/figures.ts';
import { amountText, solText, usdNote } from '../../../platform/telegram/ui/amounts.ts';
import { bold, code, type Html, html, lines } from '../../../platform/telegram/ui/html.ts';
import {
  act,
  inRows,
  keyboard,
  link,
  nav,
  sells as sellsButton,
} from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { signedPercent, signedSol } from '../../../platform/telegram/ui/signed.ts';
import { scaleNote, shortTokenOf } from '../../../platform/telegram/ui/token-amounts.ts';
import { displaySymbol } from '../../tokens/rules/display-name.ts';
import type { CleanUp } from '../use/clean-up.ts';
import type { PositionList, ShownPosition } from '../use/list-positions.ts';

export const POSITIONS = 'positions';
/** The two digits of a callback, and what a thumb can find. */
export const MOST_BUTTONS = 24;
const UNKNOWN = 'n/a';

export function positionListView(
  words: Words,
  list: PositionList,
  { stateId, empty }: { readonly stateId: string; readonly empty: CleanUp | null },
): View {
  const { shown, hidden, netValue, today } = list;
  const isEmpty = shown.length === 0 && list.underWay === 0;
  const usd = netValue === null ? '' : usdNote(netValue, list.microUsdPerSol);
  const picks = shown
    .slice(0, MOST_BUTTONS)
    .map((one, index) => act(symbolOf(one), POSITIONS, `pick-${index}`, stateId));
  return {
    text: lines(
      words.html('positions.title', {
        wallet: list.wallet.name,
        net: netValue === null ? UNKNOWN : solText(netValue, 4),
        usd,
        today: today === null ? UNKNOWN : signedSol(today),
      }),
      html``,
      // Of a wallet whose first trade is on its way nobody says that it has nothing.
      isEmpty && words.html('positions.none'),
      ...rowsOf(words, shown),
      (isEmpty || shown.length > 0) && html``,
      words.html('positions.week', {
        realized: signedSol(list.realizedWeek),
        fees: solText(list.feesWeek, 4),
      }),
      list.underWay > 0 && words.html('positions.under_way', { count: list.underWay }),
      list.notFinal > 0 && words.html('positions.not_final', { count: list.notFinal }),
      words.html('positions.method'),
    ),
    keyboard: keyboard(
      ...inRows(picks, 3),
      [
        hidden.length > 0 &&
          nav(words.text('btn.hidden_positions', { count: hidden.length }), POSITIONS, 'hidden'),
        shown.length > 0 && nav(words.text('btn.portfolio'), POSITIONS, 'portfolio'),
      ],
      empty !== null &&
        empty.accounts.length > 0 && [
          act(
            words.text('btn.clean_up', { count: empty.accounts.length, sol: solText(empty.rentLamports, 4) }),
            POSITIONS,
            'cleanup',
            stateId,
          ),
        ],
      [
        isEmpty && nav(words.text('btn.trade'), 'trade', 'open'),
        nav(words.text('btn.refresh'), POSITIONS, 'open'),
        nav(words.text('btn.home'), 'home', 'open'),
      ],
    ),
  };
}

/** Positions that are left out of the list and of its sums, and why that may be. */
export function hiddenListView(words: Words, hidden: readonly ShownPosition[], stateId: string): View {
  const picks = hidden
    .slice(0, MOST_BUTTONS)
    .map((one, index) => act(symbolOf(one), POSITIONS, `pick-${index}`, stateId));
  return {
    text: lines(
      words.html('positions.hidden_title'),
      hidden.length === 0 && words.html('positions.none'),
      ...rowsOf(words, hidden),
    ),
    keyboard: keyboard(...inRows(picks, 3), [
      nav(words.text('btn.back'), POSITIONS, 'open'),
      nav(words.text('btn.home'), 'home', 'open'),
    ]),
  };
}

/** As many as have a button: a message has an end, and two hundred rows would be past it. */
function rowsOf(words: Words, all: readonly ShownPosition[]): readonly (Html | false)[] {
  const more = all.length - MOST_BUTTONS;
  return [
    ...all.slice(0, MOST_BUTTONS).map((one, index) => rowOf(words, one, index + 1)),
    more > 0 && words.html('positions.more', { count: more }),
  ];
}

function rowOf(words: Words, one: ShownPosition, number: number): Html {
  return words.html('positions.row', {
    number,
    symbol: bold(symbolOf(one)),
    net: netOf(words, one),
    change: one.unrealized === null ? '' : ` · ${signedPercent(one.unrealized, one.position.cost)}`,
  });
}

function netOf(words: Words, { sale, priced }: ShownPosition): string {
  if (sale !== null) return solText(sale.netLamports, 4);
  return priced ? words.text('positions.no_market') : UNKNOWN;
}

export type PositionFacts = {
  readonly one: ShownPosition;
  readonly microUsdPerSol: bigint | null;
  /** Lamports of the last purchase that was confirmed here, or null. */
  readonly lastBuy: bigint | null;
  readonly shareUrl: string;
  readonly stateId: string;
};

/** One position: what a sale would bring, what it cost, and what to do with it. */
export function positionView(words: Words, facts: PositionFacts): View {
  const { one, stateId } = facts;
  const { position } = one;
  const sells = [2_500, 5_000, 10_000].map((share, index) =>
    sellsButton(figuresOf(words.language).percent(share), 'trade', `sellpart-${index}`, stateId),
  );
  const isHidden = position.hiddenByPerson ?? position.hidden;
  return {
    text: lines(
      words.html(position.notFinal > 0 ? 'position.title_not_final' : 'position.title', {
        symbol: bold(symbolOf(one)),
        units: unitsOf(one),
      }),
      code(position.mint),
      scaleNote(words, one.token),
      html``,
      ...moneyLines(words, one, facts.microUsdPerSol),
      ...notes(words, one),
    ),
    keyboard: keyboard(
      position.units > 0n && sells,
      [
        position.units > 0n && act(words.text('btn.sell_other'), 'trade', 'sellx', stateId),
        facts.lastBuy !== null &&
          act(
            words.text('btn.buy_again_for', { sol: amountText(facts.lastBuy, 9) }),
            'trade',
            'again',
            stateId,
          ),
      ],
      [
        act(words.text('btn.pnl_card'), POSITIONS, 'card', stateId),
        link(words.text('btn.share'), facts.shareUrl),
        act(
          words.text(isHidden ? 'btn.show_position' : 'btn.hide'),
          POSITIONS,
          isHidden ? 'reveal' : 'hide',
          stateId,
        ),
      ],
      [
        act(words.text('btn.trade_card'), 'trade', 'card', stateId),
        nav(words.text('btn.back'), POSITIONS, 'open'),
      ],
    ),
  };
}

function moneyLines(words: Words, one: ShownPosition, microUsdPerSol: bigint | null): readonly Html[] {
  const { position, sale, unrealized } = one;
  const total = unrealized === null ? null : unrealized + position.realized;
  return [
    sale === null
      ? words.html('position.no_market')
      : words.html('position.if_sold', {
          sol: bold(solText(sale.netLamports, 6)),
          usd: usdNote(sale.netLamports < 0n ? 0n : sale.netLamports, microUsdPerSol),
        }),
    words.html('position.money', {
      paid: solText(position.cost, 6),
      unrealized: unrealized === null ? UNKNOWN : signedSol(unrealized),
      percent: unrealized === null ? '' : ` (${signedPercent(unrealized, position.cost)})`,
      realized: signedSol(position.realized),
      total: total === null ? UNKNOWN : signedSol(total),
    }),
    ...(sale === null || sale.midLamports === null
      ? []
      : [
          words.html('position.middle', {
            mid: solText(sale.midLamports, 6),
            lost: signedSol(sale.netLamports - sale.midLamports),
          }),
        ]),
  ];
}

/** What a person should know before believing the numbers. */
function notes(words: Words, one: ShownPosition): readonly (Html | false)[] {
  const { position } = one;
  const units = (amount: bigint): string => unitsText(amount, one);
  return [
    position.pricedAtReceipt && words.html('position.priced_at_receipt'),
    position.withdrawnUnits > 0n &&
      words.html('position.withdrawn', { units: units(position.withdrawnUnits) }),
    position.takenUnits > 0n && words.html('position.taken', { units: units(position.takenUnits) }),
    position.remainderUnits > 0n &&
      words.html('position.remainder', { units: units(position.remainderUnits) }),
    position.adjustedUnits !== 0n &&
      words.html('position.adjusted', { units: unitsText(position.adjustedUnits, one) }),
  ];
}

export const symbolOf = ({ token, position }: ShownPosition): string =>
  token === null ? shortAddress(position.mint) : displaySymbol(token);

const unitsOf = (one: ShownPosition): string => unitsText(one.position.units, one);

const unitsText = (units: bigint, { token }: ShownPosition): string =>
  token === null ? units.toString() : shortTokenOf(units, token);
