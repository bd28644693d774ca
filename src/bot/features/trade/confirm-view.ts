import { displaySymbol } from '../../../core/tokens/display-name.ts';
import type { Wallet } from '../../../core/wallets/wallet.ts';
import type { TradeQuote } from '../../../services/trading/trade-quote.ts';
import type { Words } from '../../locales/words.ts';
import {
  amountText,
  percentText,
  shortTokenText,
  solShort,
  solText,
  solUpTo,
  usdNote,
} from '../../ui/amounts.ts';
import { bold, code, type Html, html, lines } from '../../ui/html.ts';
import { act, keyboard, nav, type Row } from '../../ui/keyboard.ts';
import { routeText } from '../../ui/route-text.ts';
import type { View } from '../../ui/screen.ts';
import { tierText } from '../../ui/tier-text.ts';
import { TRADE } from './card-view.ts';
import { type Exits, exitsLine, stopLabel, takeLabel } from './exits.ts';

export type ConfirmFacts = {
  readonly quote: TradeQuote;
  readonly wallet: Wallet;
  readonly microUsdPerSol: bigint | null;
  readonly feeBps: number;
  readonly stateId: string;
  /** A sentence to read first, such as that the same trade was asked for a moment ago. */
  readonly note: Html | null;
  /** Why confirming asks for the PIN; null when it does not. */
  readonly why: string | null;
  /** Of a purchase: where what it brings is sold again. */
  readonly exits: Exits;
};

/** Everything before it is done. The price impact comes first when it matters. */
export function confirmTradeView(words: Words, facts: ConfirmFacts): View {
  const { quote, wallet, stateId } = facts;
  const { token, terms, side } = quote;
  const symbol = displaySymbol(token);
  const impact = quote.warnings.find((warning) => warning.code === 'PRICE_IMPACT');
  const slippage = quote.warnings.find((warning) => warning.code === 'HIGH_SLIPPAGE');
  const out = (units: bigint): string =>
    side === 'buy' ? `${shortTokenText(units, token.decimals)} ${symbol}` : solShort(units);
  const usd = (lamports: bigint): string => usdNote(lamports, facts.microUsdPerSol);
  return {
    text: lines(
      impact !== undefined &&
        bold(words.text('trade.impact_first', { percent: percentText(impact.impactBps) })),
      facts.note,
      side === 'buy'
        ? words.html('trade.confirm_buy', {
            symbol,
            sol: solText(quote.amountIn),
            usd: usd(quote.amountIn),
          })
        : words.html('trade.confirm_sell', { symbol, amount: amountText(quote.amountIn, token.decimals) }),
      words.html('trade.mint_line', { mint: code(token.mint) }),
      words.html('trade.wallet_line', { wallet: wallet.name }),
      html``,
      words.html('trade.about', {
        amount: out(terms.quotedOut),
        usd: side === 'buy' ? '' : usd(terms.quotedOut),
      }),
      words.html('trade.at_least', { amount: out(terms.minOut), percent: percentText(terms.slippageBps) }),
      slippage !== undefined &&
        words.html('trade.high_slippage', { percent: percentText(slippage.slippageBps) }),
      words.html('trade.impact', { percent: percentText(terms.priceImpactBps) }),
      feeLine(words, terms, facts.feeBps),
      words.html('trade.network_fee', {
        sol: solUpTo(quote.networkFeeUpToLamports),
        tier: tierText(words, quote.tier),
      }),
      quote.newAccountRentLamports > 0n &&
        words.html('trade.rent', { sol: solUpTo(quote.newAccountRentLamports) }),
      quote.closedLamports > 0n && words.html('trade.closes', { sol: solText(quote.closedLamports) }),
      words.html('trade.leaves', { sol: solUpTo(quote.leavesWalletUpToLamports) }),
      words.html('trade.route', { route: routeText(words, terms.route, quote.route.intermediates) }),
      quote.route.savesBps !== null &&
        quote.route.savesBps > 0 &&
        words.html('trade.saves', { percent: percentText(quote.route.savesBps) }),
      ...quote.route.remainders.map(({ token: left, units }) =>
        words.html('trade.remainder', {
          amount: amountText(units, left.decimals),
          symbol: displaySymbol(left),
        }),
      ),
      quote.unasked.length > 0 && words.html('trade.unasked', { venues: quote.unasked.join(', ') }),
      html``,
      exitsLine(words, facts.exits),
      facts.why !== null && words.html('trade.needs_pin', { why: facts.why }),
      words.html('trade.valid'),
    ),
    keyboard: keyboard(
      [
        act(
          words.text(side === 'buy' ? 'btn.confirm_buy' : 'btn.confirm_sell'),
          TRADE,
          impact?.secondTap === true ? 'sure' : 'confirm',
          stateId,
        ),
        act(words.text('btn.cancel'), TRADE, 'cancelled', stateId),
      ],
      side === 'buy' ? exitRow(words, facts) : [],
    ),
  };
}

/** A stop beside the purchase: there is no moment at which one stands without the other. */
function exitRow(words: Words, { exits, stateId }: ConfirmFacts): Row {
  return [
    act(takeLabel(words, exits), TRADE, 'take', stateId),
    act(stopLabel(words, exits), TRADE, 'stop', stateId),
  ];
}

function feeLine(words: Words, terms: TradeQuote['terms'], feeBps: number): Html {
  const { platformFeeLamports, feeDiscountBps } = terms;
  if (platformFeeLamports === 0n) return words.html('trade.platform_fee_none');
  const sol = solShort(platformFeeLamports);
  if (feeDiscountBps === undefined)
    return words.html('trade.platform_fee', { sol, percent: percentText(feeBps) });
  return words.html('trade.platform_fee_less', {
    sol,
    percent: percentText((feeBps * (10_000 - feeDiscountBps)) / 10_000),
    discount: percentText(feeDiscountBps),
  });
}

/** The second tap for a trade that moves the price a lot. Same row behind the button, so it still counts once. */
export function sureView(words: Words, side: 'buy' | 'sell', impactBps: number, stateId: string): View {
  return {
    text: words.html('trade.impact_sure', { percent: percentText(impactBps) }),
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

/** The market left the confirmed terms before anything was signed. */
export function movedView(words: Words, stateId: string): View {
  return {
    text: words.html('err.moved'),
    keyboard: keyboard(
      [
        act(words.text('btn.new_quote'), TRADE, 'again', stateId),
        nav(words.text('btn.raise_slippage'), 'setting', 'open'),
      ],
      [act(words.text('btn.back'), TRADE, 'card', stateId), nav(words.text('btn.home'), 'home', 'open')],
    ),
  };
}
