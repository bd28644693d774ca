import type { Words } from '../../../compose/texts/words.ts';
import { type Figures, figuresOf } from '../../../core/text/figures.ts';
import { senderName } from '../../../engine/intents/chat/sender-name.ts';
import { inUsd, tradedUnits } from '../../../engine/intents/chat/trade-lines.ts';
import { percentText } from '../../../platform/telegram/ui/amounts.ts';
import { bold, type Html, lines } from '../../../platform/telegram/ui/html.ts';
import { act, carriesOut, keyboard, nav, type Row, ticked } from '../../../platform/telegram/ui/keyboard.ts';
import { routeText } from '../../../platform/telegram/ui/route-text.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { scaleMark, scaleNote, tokenText } from '../../../platform/telegram/ui/token-amounts.ts';
import { liquidityLabel, stopLabel, takeLabel } from '../../settings/chat/exits-text.ts';
import type { ExitSet } from '../../settings/rules/exit-set.ts';
import { displaySymbol } from '../../tokens/rules/display-name.ts';
import type { Wallet } from '../../wallets/rules/wallet.ts';
import { percentOf } from '../rules/allowed-slippage.ts';
import type { TradeQuote } from '../use/trade-quote.ts';
import { shortened, TRADE } from './card-view.ts';
import { exitsLine } from './exits.ts';

export type ConfirmFacts = {
  readonly quote: TradeQuote;
  readonly wallet: Wallet;
  readonly microUsdPerSol: bigint | null;
  readonly stateId: string;
  /** A sentence to read first, such as that the same trade was asked for a moment ago. */
  readonly note: Html | null;
  /** Why confirming asks for the PIN; null when it does not. */
  readonly why: string | null;
  /** Of a purchase: the exits of its units. */
  readonly exits: ExitSet;
  /** Those of the person's settings: an event that is in neither has no button. */
  readonly own: ExitSet;
};

/** Everything before it is done, to the lamport. The price impact comes first when it matters. */
export function confirmTradeView(words: Words, facts: ConfirmFacts): View {
  const { quote, stateId } = facts;
  const impact = quote.warnings.find((warning) => warning.code === 'PRICE_IMPACT');
  return {
    text: lines(
      impact !== undefined &&
        bold(words.text('trade.impact_first', { percent: percentText(words, impact.impactBps) })),
      facts.note,
      ...termLines(words, facts),
      exitsLine(words, facts.exits),
      ...routeLines(words, quote),
      facts.why !== null && words.html('trade.needs_pin', { why: facts.why }),
      words.html('trade.valid'),
    ),
    keyboard: keyboard(
      [
        carriesOut(
          words.text(quote.side === 'buy' ? 'btn.confirm_buy' : 'btn.confirm_sell'),
          TRADE,
          impact?.secondTap === true ? 'sure' : 'confirm',
          stateId,
        ),
        act(words.text('btn.cancel'), TRADE, 'cancelled', stateId),
      ],
      allowRow(words, quote, stateId),
      quote.side === 'buy' ? exitRow(words, facts) : [],
      quote.side === 'buy' ? eventRow(words, facts) : [],
    ),
  };
}

/** The amount given, the amount received, and the costs. */
function termLines(words: Words, facts: ConfirmFacts): readonly (Html | null | false)[] {
  const { quote, wallet } = facts;
  const { token, terms, side } = quote;
  const figures = figuresOf(words.language);
  const symbol = displaySymbol(token);
  const usd = (lamports: bigint): string => inUsd(figures, lamports, facts.microUsdPerSol);
  const tokens = (units: bigint): string => `${tradedUnits(words, units, token)} ${symbol}`;
  const out = (units: bigint): string => (side === 'buy' ? tokens(units) : figures.sol(units));
  const slippage = quote.warnings.find((warning) => warning.code === 'HIGH_SLIPPAGE');
  return [
    side === 'buy'
      ? words.html('trade.confirm_buy', {
          symbol,
          sol: figures.solExact(quote.amountIn),
          usd: usd(quote.amountIn),
        })
      : words.html('trade.confirm_sell', {
          symbol,
          amount: tokenText(words, quote.amountIn, token),
        }),
    quote.elsewhereUnits > 0n &&
      words.html('trade.elsewhere', {
        amount: tokenText(words, quote.elsewhereUnits, token),
        symbol,
      }),
    scaleNote(words, token),
    words.html('trade.about', {
      amount: out(terms.quotedOut),
      usd: side === 'buy' ? '' : usd(terms.quotedOut),
    }),
    words.html('trade.at_least', {
      amount: side === 'buy' ? tradedUnits(words, terms.minOut, token) : figures.sol(terms.minOut),
      percent: slipText(words, figures, quote),
    }),
    quote.auto !== undefined &&
      quote.auto.wantedBps > quote.auto.capBps &&
      words.html('trade.auto_capped', { percent: figures.percent(quote.auto.capBps) }),
    slippage !== undefined &&
      words.html('trade.high_slippage', { percent: percentText(words, slippage.slippageBps) }),
    feeLine(words, figures, terms),
    words.html('trade.network_fee', { sol: figures.solUpTo(quote.networkFeeUpToLamports) }),
    quote.tip !== undefined &&
      words.html('trade.tip', {
        sol: figures.solUpTo(quote.tip.atMost),
        sender: senderName(quote.tip.sender),
      }),
    quote.newAccountRentLamports > 0n &&
      words.html('trade.rent', { sol: figures.solExact(quote.newAccountRentLamports).replace(' SOL', '') }),
    quote.closedLamports > 0n && words.html('trade.closes', { sol: figures.solExact(quote.closedLamports) }),
    words.html('trade.leaves', {
      wallet: shortened(wallet.name, 14),
      sol: figures.solUpTo(quote.leavesWalletUpToLamports),
    }),
  ];
}

/** `3.1%, auto`. */
const slipText = (words: Words, figures: Figures, { terms, auto }: TradeQuote): string => {
  const percent = figures.percent(terms.slippageBps);
  return auto === undefined ? percent : words.text('trade.slip_auto', { percent });
};

/** The markets of the route, and the units that stay on the way. */
function routeLines(words: Words, quote: TradeQuote): readonly (Html | false)[] {
  return [
    words.html('trade.route', { route: routeText(words, quote.terms.route, quote.route.intermediates) }),
    ...quote.route.remainders.map(({ token: left, units }) =>
      words.html('trade.remainder', {
        amount: tokenText(words, units, left),
        symbol: `${displaySymbol(left)}${scaleMark(words, left)}`,
      }),
    ),
    quote.unasked.length > 0 && words.html('trade.unasked', { venues: quote.unasked.join(', ') }),
  ];
}

/** Where the market moves faster than the person's cap: the slippage that it asks for, for this trade alone. */
function allowRow(words: Words, { auto }: TradeQuote, stateId: string): Row {
  const percent = auto === undefined || auto.wantedBps <= auto.capBps ? null : percentOf(auto.wantedBps);
  return percent === null ? [] : [allowButton(words, percent, stateId)];
}

const allowButton = (words: Words, percent: number, stateId: string) =>
  act(
    words.text('btn.allow_slippage', { percent: figuresOf(words.language).percent(100 * percent) }),
    TRADE,
    `allow-${percent}`,
    stateId,
  );

/** A stop beside the purchase: both begin in one commit. */
function exitRow(words: Words, { exits, stateId }: ConfirmFacts): Row {
  return [
    act(takeLabel(words, exits), TRADE, 'take', stateId),
    act(stopLabel(words, exits), TRADE, 'stop', stateId),
  ];
}

/** The events that the person's own exits wait for, each on or off for this purchase. */
function eventRow(words: Words, { exits, own, stateId }: ConfirmFacts): Row {
  const fall = exits.liquidityBps ?? own.liquidityBps;
  const dev = exits.devSells ?? own.devSells;
  return [
    ...(dev === undefined
      ? []
      : [act(ticked(words.text('btn.exit_dev'), exits.devSells === true), TRADE, 'dev', stateId)]),
    ...(fall === undefined
      ? []
      : [act(ticked(liquidityLabel(words, fall), exits.liquidityBps !== undefined), TRADE, 'fall', stateId)]),
  ];
}

/** The impact is a loss, so it is rounded up; a fee that points made less says by how much. */
function feeLine(words: Words, figures: Figures, terms: TradeQuote['terms']): Html {
  const { platformFeeLamports, feeDiscountBps, priceImpactBps } = terms;
  const impact = figures.percentUpTo(priceImpactBps);
  if (platformFeeLamports === 0n) return words.html('trade.impact_no_fee', { impact });
  const sol = figures.solUpTo(platformFeeLamports);
  return feeDiscountBps === undefined
    ? words.html('trade.impact_fee', { impact, sol })
    : words.html('trade.impact_fee_less', { impact, sol, discount: figures.percent(feeDiscountBps) });
}

/** The second tap for a trade that moves the price a lot. Same row behind the button, so it still counts once. */
export function sureView(words: Words, side: 'buy' | 'sell', impactBps: number, stateId: string): View {
  return {
    text: words.html('trade.impact_sure', { percent: percentText(words, impactBps) }),
    keyboard: keyboard([
      act(words.text(side === 'buy' ? 'btn.sure_buy' : 'btn.sure_sell'), TRADE, 'confirm', stateId),
      act(words.text('btn.cancel'), TRADE, 'cancelled', stateId),
    ]),
  };
}

export function cancelledView(words: Words, stateId: string | null): View {
  return {
    text: words.html('trade.cancelled'),
    keyboard: keyboard([
      stateId === null ? null : act(words.text('btn.trade_card'), TRADE, 'card', stateId),
      nav(words.text('btn.home'), 'home', 'open'),
    ]),
  };
}

/** The market left the confirmed terms before anything was signed. `allowPercent`: the slippage that would have let it pass, where known. */
export function movedView(words: Words, stateId: string, allowPercent: number | null): View {
  const percent = figuresOf(words.language).percent(100 * (allowPercent ?? 0));
  return {
    text: lines(words.html('err.moved'), allowPercent !== null && words.html('result.allow', { percent })),
    keyboard: keyboard(
      allowPercent === null ? [] : [allowButton(words, allowPercent, stateId)],
      [
        act(words.text('btn.new_quote'), TRADE, 'again', stateId),
        nav(words.text('btn.raise_slippage'), 'setting', 'slippage'),
      ],
      [act(words.text('btn.back'), TRADE, 'card', stateId), nav(words.text('btn.home'), 'home', 'open')],
    ),
  };
}

/** Nothing that protects answers: the person says whether this one goes by the nodes. */
export function sendingDownView(words: Words, stateId: string): View {
  return {
    text: words.html('trade.sending_down'),
    keyboard: keyboard(
      [
        act(words.text('btn.sending_again'), TRADE, 'again', stateId),
        act(words.text('btn.send_normally'), TRADE, 'plainly', stateId),
      ],
      [
        act(words.text('btn.trade_card'), TRADE, 'card', stateId),
        nav(words.text('btn.home'), 'home', 'open'),
      ],
    ),
  };
}

/** One of the sales that should go with a purchase is refused, so nothing is bought. */
export function exitsRefusedView(words: Words, why: Html, stateId: string): View {
  return {
    text: words.html('trade.exits_refused', { why }),
    keyboard: keyboard([
      act(words.text('btn.buy_without'), TRADE, 'again', stateId),
      act(words.text('btn.trade_card'), TRADE, 'card', stateId),
      nav(words.text('btn.home'), 'home', 'open'),
    ]),
  };
}
