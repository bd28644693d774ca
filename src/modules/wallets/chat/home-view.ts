import { shortAddress } from '@tradepost/solana';
import type { Words } from '../../../compose/texts/words.ts';
import type { Pause } from '../../../engine/switches/rules.ts';
import { amountText, solText, usdNote, usdText } from '../../../platform/telegram/ui/amounts.ts';
import { type Html, html, lines, plain } from '../../../platform/telegram/ui/html.ts';
import { copy, keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import { pauseText } from '../../../platform/telegram/ui/pause-text.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { utcText } from '../../../platform/telegram/ui/time.ts';
import { tokensText } from '../../../platform/telegram/ui/tokens-text.ts';
import { microUsd } from '../../trading/rules/price.ts';
import type { WalletFunds } from '../rules/agreed-funds.ts';
import type { Wallet } from '../rules/wallet.ts';
import type { TokensWorth } from './home-tokens-worth.ts';

const HOME = 'home';

export type HomeFacts = {
  readonly bot: string;
  readonly wallet: Wallet;
  /** Whether its address is one for deposits. */
  readonly receives: boolean;
  readonly count: number;
  readonly max: number;
  readonly funds: WalletFunds | null;
  /** Of the tokens; null = not known. */
  readonly worth: TokensWorth | null;
  /** Orders that are not closed, one that cancels another counted once. */
  readonly openOrders: number;
  readonly microUsdPerSol: bigint | null;
  readonly points: bigint;
  /** The pauses that operators made. */
  readonly pauses: readonly Pause[];
  /** Whether tokens open with pretend money. */
  readonly paper: boolean;
  /** Whether the person has frozen everything, and until when at least; null = not frozen. */
  readonly frozen: { readonly until: number | null } | null;
};

/** Four things to do, and everything else behind them. A wallet without SOL gets the one that comes first. */
export function homeView(words: Words, facts: HomeFacts): View {
  const { wallet, funds, count, max } = facts;
  const isEmpty = funds !== null && funds.lamports === 0n && !funds.inDoubt;
  return {
    text: lines(
      words.html('home.title', { bot: facts.bot, wallet: wallet.name }),
      // A tap here must not copy: only the button below copies the whole address.
      plain(shortAddress(wallet.address)),
      funds === null
        ? words.html('home.funds_unknown')
        : words.html('home.funds', {
            sol: solText(words, funds.lamports, 4),
            usd: usdNote(words, funds.lamports, facts.microUsdPerSol),
            tokens: `${tokensText(words, funds.tokens.length)}${worthNote(words, facts)}`,
          }),
      funds?.inDoubt === true && words.html('funds.in_doubt'),
      portfolioLine(words, facts),
      words.html('home.points', { points: amountText(words, facts.points, 0) }),
      html``,
      frozenLine(words, facts.frozen),
      facts.paper && words.html('paper.on'),
      ...facts.pauses.map((pause) => pauseText(words, pause)),
      words.html(isEmpty ? 'home.hint_empty' : 'home.hint'),
    ),
    keyboard: keyboard(
      isEmpty && [nav(words.text('btn.deposit'), 'deposit', 'open')],
      [nav(words.text('btn.trade'), 'trade', 'open'), nav(words.text('btn.search'), 'search', 'open')],
      [
        nav(words.text('btn.positions'), 'positions', 'open'),
        nav(
          facts.openOrders === 0
            ? words.text('btn.orders')
            : words.text('btn.orders_open', { count: facts.openOrders }),
          'orders',
          'open',
        ),
      ],
      [
        nav(words.text('btn.newest'), 'launches', 'open'),
        nav(words.text('btn.trending'), 'search', 'trend-0'),
        nav(words.text('btn.following'), 'follow', 'open'),
      ],
      [nav(words.text('btn.create'), HOME, 'create'), nav(words.text('btn.earn'), HOME, 'earn')],
      [
        nav(words.text('btn.wallets', { count, max }), 'wallets', 'open'),
        // Only where deposits may go.
        facts.receives
          ? copy(words.text('btn.copy_address'), wallet.address)
          : nav(words.text('btn.deposit'), 'deposit', 'open'),
      ],
      [nav(words.text('btn.more'), HOME, 'more'), nav(words.text('btn.refresh'), HOME, 'open')],
    ),
  };
}

/** ` ($96.10)` behind the number of tokens; nothing where none of them has a price. */
function worthNote(words: Words, { funds, worth }: HomeFacts): string {
  const priced = worth === null || funds === null ? 0 : funds.tokens.length - worth.unpriced;
  return worth === null || priced === 0 ? '' : ` (${usdText(words, worth.microUsd)})`;
}

/** The total, where the line above does not say it already. */
function portfolioLine(words: Words, { funds, worth, microUsdPerSol }: HomeFacts): Html | null {
  if (funds === null || worth === null || microUsdPerSol === null || funds.tokens.length === 0) return null;
  const total = usdText(words, microUsd(funds.lamports, microUsdPerSol) + worth.microUsd);
  return worth.unpriced === 0
    ? words.html('home.portfolio', { total })
    : words.html('home.portfolio_part', { total, count: worth.unpriced });
}

function frozenLine(words: Words, frozen: HomeFacts['frozen']): Html | null {
  if (frozen === null) return null;
  return frozen.until === null
    ? words.html('home.frozen')
    : words.html('home.frozen_until', { until: utcText(frozen.until) });
}

/** The things that a person can make here. `canLaunch`: this cluster has a launchpad. */
export function createMenu(words: Words, canLaunch: boolean): View {
  return {
    text: words.html(canLaunch ? 'home.create' : 'home.create_only'),
    keyboard: keyboard(
      [
        canLaunch && nav(words.text('btn.launch'), 'create_token', 'launch'),
        nav(words.text('btn.new_token'), 'create_token', 'open'),
      ],
      [nav(words.text('btn.my_tokens'), 'revoke', 'list'), backHome(words)],
    ),
  };
}

export function earnMenu(words: Words, referralPercent: string): View {
  return {
    text: words.html('home.earn', { percent: referralPercent }),
    keyboard: keyboard(
      [nav(words.text('btn.referral'), 'referral', 'open'), nav(words.text('btn.points'), 'points', 'open')],
      [backHome(words)],
    ),
  };
}

/** Seldom used buttons. */
export function moreMenu(words: Words, paper: boolean): View {
  return {
    text: words.html('home.more'),
    keyboard: keyboard(
      [nav(words.text('btn.deposit'), 'deposit', 'open'), nav(words.text('btn.tokens'), 'wallets', 'tokens')],
      [
        nav(words.text('btn.withdraw_sol'), 'withdraw', 'sol'),
        nav(words.text('btn.withdraw_token'), 'withdraw', 'tokens'),
      ],
      [
        nav(words.text('btn.settings'), 'setting', 'open'),
        nav(words.text('btn.security'), 'security', 'open'),
      ],
      [
        nav(words.text('btn.help'), 'help', 'open'),
        paper
          ? nav(words.text('btn.leave_paper'), 'paper', 'leave')
          : nav(words.text('btn.try_paper'), 'paper', 'open'),
      ],
      [backHome(words)],
    ),
  };
}

const backHome = (words: Words) => nav(words.text('btn.back'), HOME, 'open');
