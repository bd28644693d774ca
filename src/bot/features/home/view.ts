import type { Pause } from '../../../core/switches/switch.ts';
import type { Wallet } from '../../../core/wallets/wallet.ts';
import type { WalletFunds } from '../../../services/wallets/list-wallets.ts';
import type { Words } from '../../locales/words.ts';
import { amountText, solText, usdNote } from '../../ui/amounts.ts';
import { code, html, lines } from '../../ui/html.ts';
import { keyboard, nav } from '../../ui/keyboard.ts';
import { pauseText } from '../../ui/pause-text.ts';
import type { View } from '../../ui/screen.ts';
import { tokensText } from '../../ui/tokens-text.ts';

export type HomeFacts = {
  readonly bot: string;
  readonly wallet: Wallet;
  readonly count: number;
  readonly max: number;
  readonly funds: WalletFunds | null;
  readonly microUsdPerSol: bigint | null;
  readonly points: bigint;
  /** What operators have paused. */
  readonly pauses: readonly Pause[];
  /** Whether this cluster has a launchpad. */
  readonly canLaunch: boolean;
};

export function homeView(words: Words, facts: HomeFacts): View {
  const { wallet, funds, count, max } = facts;
  return {
    text: lines(
      words.html('home.title', { bot: facts.bot, wallet: wallet.name }),
      code(wallet.address),
      funds === null
        ? words.html('home.funds_unknown')
        : words.html('home.funds', {
            sol: solText(funds.lamports, 4),
            usd: usdNote(funds.lamports, facts.microUsdPerSol),
            tokens: tokensText(words, funds.tokens.length),
          }),
      words.html('home.points', { points: amountText(facts.points, 0) }),
      html``,
      ...facts.pauses.map((pause) => pauseText(words, pause)),
      words.html('home.hint'),
    ),
    keyboard: keyboard(
      [nav(words.text('btn.trade'), 'trade', 'open'), nav(words.text('btn.tokens'), 'wallets', 'tokens')],
      [
        nav(words.text('btn.wallets', { count, max }), 'wallets', 'open'),
        nav(words.text('btn.deposit'), 'deposit', 'open'),
      ],
      [
        nav(words.text('btn.withdraw_sol'), 'withdraw', 'sol'),
        nav(words.text('btn.withdraw_token'), 'withdraw', 'tokens'),
      ],
      [
        nav(words.text('btn.new_token'), 'create_token', 'open'),
        facts.canLaunch && nav(words.text('btn.launch'), 'create_token', 'launch'),
        nav(words.text('btn.my_tokens'), 'revoke', 'list'),
      ],
      [
        nav(words.text('btn.referral'), 'referral', 'open'),
        nav(words.text('btn.points'), 'points', 'open'),
        nav(words.text('btn.settings'), 'setting', 'open'),
      ],
      [nav(words.text('btn.help'), 'help', 'open'), nav(words.text('btn.refresh'), 'home', 'open')],
    ),
  };
}
