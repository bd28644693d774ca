import { type Address, shortAddress } from '@tradepost/solana';
import type { Words } from '../../../compose/texts/words.ts';
import { figuresOf } from '../../../core/text/figures.ts';
import { fitted } from '../../../core/text/fit.ts';
import { bold, code, type Html, html, lines, plain } from '../../../platform/telegram/ui/html.ts';
import { act, freshAct, freshNav, keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import { PAGE_ROWS, PICK_WIDTH, pageOf, pageRow } from '../../../platform/telegram/ui/pages.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { utcMinute } from '../../../platform/telegram/ui/time.ts';
import { displaySymbol } from '../../tokens/rules/display-name.ts';
import type { Token } from '../../tokens/rules/token.ts';
import { shownUnits } from '../../tokens/rules/ui-scale.ts';
import type { Follow } from '../rules/follow.ts';
import type { FollowNotice } from '../rules/follow-notice.ts';
import { type SignalFacts, shortLine, signalText } from './signal-view.ts';

export const FOLLOW = 'follow';
/** Widths that lines hold beside their other parts. */
const TITLE_LABEL = 10;
const ROW_LABEL = 6;
const ROW_SYMBOL = 6;

type Told = FollowNotice['trade'];
/** `token`: null where the chain does not know it now. */
export type ShownTrade = { readonly trade: Told; readonly takenBack: boolean; readonly token: Token | null };

/** A page of the wallets that a person follows. */
export function followListView(
  words: Words,
  facts: {
    readonly follows: readonly Follow[];
    readonly signal: SignalFacts['signal'];
    readonly page: number;
    readonly stateId: string;
  },
): View {
  const { follows, signal, stateId } = facts;
  const turned = pageOf(follows, facts.page);
  const { rows, page, pages } = turned;
  return {
    text: lines(
      words.html('follow.title', {
        count: follows.length,
        page: pages === 1 ? '' : words.text('page.of', { page: page + 1, pages }),
      }),
      follows.length === 0 && words.html('follow.none'),
      ...rows.map(
        (follow, index) =>
          html`${String(page * PAGE_ROWS + index + 1)} ${fitted(follow.label, ROW_LABEL)} · ${shortAddress(follow.leader)} · ${barText(words, follow)}`,
      ),
      shortLine(words, { signal, followed: follows.length }),
      words.html('follow.scope'),
    ),
    keyboard: keyboard(
      rows.map((follow, index) => act(fitted(follow.label, PICK_WIDTH), FOLLOW, `pick-${index}`, stateId)),
      pageRow(turned, FOLLOW, stateId),
      [nav(words.text('btn.follow_new'), FOLLOW, 'new')],
      [nav(words.text('btn.signal', { signal: signalText(words, signal) }), FOLLOW, 'signal')],
      [nav(words.text('btn.refresh'), FOLLOW, 'open'), nav(words.text('btn.home'), 'home', 'open')],
    ),
  };
}

/** Which trades are messages. */
function barText(words: Words, { notices, minLamports }: Pick<Follow, 'notices' | 'minLamports'>): string {
  if (!notices) return words.text('follow.bar_off');
  return minLamports === 0n
    ? words.text('follow.bar_all')
    : words.text('follow.bar_from', { sol: figuresOf(words.language).sol(minLamports) });
}

/** One followed wallet and its newest trades. */
export function followView(
  words: Words,
  facts: {
    readonly follow: Follow;
    readonly trades: readonly ShownTrade[];
    readonly money: Money;
    readonly stateId: string;
  },
): View {
  const { follow, trades, stateId } = facts;
  const on = (label: string, action: string) => act(label, FOLLOW, action, stateId);
  return {
    text: lines(
      html`${bold(fitted(follow.label, TITLE_LABEL))} · ${code(shortAddress(follow.leader))}`,
      words.html('follow.notices', { bar: barText(words, follow) }),
      trades.length === 0 && words.html('follow.no_trades'),
      ...trades.map((one) => tradeRow(words, one, facts.money)),
      words.html('follow.scope'),
    ),
    keyboard: keyboard(
      trades.flatMap(({ token, trade }, index) =>
        trades.findIndex(({ trade: { mint } }) => mint === trade.mint) < index
          ? []
          : on(
              fitted(token === null ? shortAddress(trade.mint) : displaySymbol(token), PICK_WIDTH),
              `token-${index}`,
            ),
      ),
      [
        on(words.text(follow.notices ? 'btn.follow_notices_on' : 'btn.follow_notices_off'), 'notices'),
        on(words.text('btn.follow_least'), 'least'),
        on(words.text('btn.rename'), 'rename'),
      ],
      [
        act(words.text('btn.copy_open'), 'copy', 'open', stateId),
        on(words.text('btn.follow_remove'), 'remove'),
      ],
      [on(words.text('btn.refresh'), 'here_one'), nav(words.text('btn.following'), FOLLOW, 'open')],
    ),
  };
}

/** Asked once before the wallet is followed no more. */
export function unfollowView(words: Words, { label }: Pick<Follow, 'label'>, stateId: string): View {
  return {
    text: words.html('follow.sure', { label }),
    keyboard: keyboard([
      act(words.text('btn.follow_remove'), FOLLOW, 'remove_yes', stateId),
      act(words.text('btn.back'), FOLLOW, 'here_one', stateId),
    ]),
  };
}

/** SOL and the dollars, as amounts are written in them. */
export type Money = { readonly sol: Address };

function tradeRow(words: Words, { trade, takenBack, token }: ShownTrade, money: Money): Html {
  return words.html(takenBack ? 'follow.row_back' : `follow.row_${trade.side}`, {
    at: utcMinute(trade.at).slice(6),
    amount: unitsOf(words, trade, token),
    symbol: token === null ? shortAddress(trade.mint) : fitted(displaySymbol(token), ROW_SYMBOL),
    paid: paidText(words, trade, money, ' · '),
  });
}

const unitsOf = (words: Words, { units }: Told, token: Token | null): string =>
  token === null
    ? words.text('follow.some')
    : figuresOf(words.language).units(shownUnits(units, token.uiScale), token.decimals);

/** ` for 1 SOL`, ` · $150.00`; empty where the trade has no price of its own. */
function paidText(words: Words, { paid }: Told, { sol }: Money, before: string): string {
  if (paid === null) return '';
  const figures = figuresOf(words.language);
  return `${before}${paid.mint === sol ? figures.sol(paid.units) : figures.usd(paid.units)}`;
}

/** A trade of a followed wallet, or that it did not last. `stateId`: behind the way to the token's card; null where the person has none. */
export function followNoticeView(
  words: Words,
  told: {
    readonly label: string;
    readonly leader: Address;
    readonly trade: Told;
    readonly isBack: boolean;
    readonly token: Token;
    readonly money: Money;
    readonly stateId: string | null;
  },
): View {
  const { trade, token, stateId } = told;
  const side = told.isBack ? 'back' : trade.side;
  return {
    text: lines(
      words.html(`follow.told_${side}`, {
        label: bold(told.label),
        amount: unitsOf(words, trade, token),
        symbol: bold(displaySymbol(token)),
        paid: paidText(words, trade, told.money, ` ${words.text('follow.for')} `),
      }),
      plain(`${shortAddress(told.leader)} · ${utcMinute(trade.at)} UTC`),
    ),
    keyboard: keyboard([
      stateId !== null && freshAct(words.text('btn.trade_card'), 'trade', 'card', stateId),
      freshNav(words.text('btn.following'), FOLLOW, 'open'),
    ]),
  };
}

/** Trades of one wallet beyond the twenty messages of an hour. */
export function followDigestView(
  words: Words,
  { label, count }: { readonly label: string; readonly count: number },
): View {
  return {
    text: words.html('follow.digest', { label: bold(label), count }),
    keyboard: keyboard([freshNav(words.text('btn.following'), FOLLOW, 'open')]),
  };
}
