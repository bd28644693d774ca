import type { Wallet } from '../../../core/wallets/wallet.ts';
import type { Words } from '../../locales/words.ts';
import { code, html, lines } from '../../ui/html.ts';
import { copy, keyboard, nav } from '../../ui/keyboard.ts';
import type { View } from '../../ui/screen.ts';

export function welcomeView(words: Words, bot: string, attachedCode: string | null): View {
  return {
    text: lines(
      words.html('start.welcome', { bot }),
      html``,
      attachedCode === null
        ? words.html('start.no_inviter')
        : words.html('start.inviter', { code: code(attachedCode) }),
    ),
    keyboard: keyboard(
      [nav(words.text('btn.create_wallet'), 'start', 'create')],
      [nav(words.text('btn.language'), 'setting', 'language'), nav(words.text('btn.help'), 'help', 'open')],
    ),
  };
}

export function walletReadyView(words: Words, wallet: Wallet, count: number, max: number): View {
  return {
    text: words.html('start.created', { address: code(wallet.address) }),
    keyboard: keyboard(
      [
        copy(words.text('btn.copy_address'), wallet.address),
        nav(words.text('btn.deposit'), 'deposit', 'open'),
      ],
      [
        nav(words.text('btn.trade'), 'trade', 'open'),
        nav(words.text('btn.wallets', { count, max }), 'wallets', 'open'),
      ],
      [nav(words.text('btn.home'), 'home', 'open')],
    ),
  };
}
