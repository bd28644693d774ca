import type { Words } from '../../../compose/texts/words.ts';
import { code, html, lines } from '../../../platform/telegram/ui/html.ts';
import { act, copy, keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import type { Wallet } from '../../wallets/rules/wallet.ts';

/** `stateId`: the state with which the button that makes the wallet goes on; null = nothing. */
export function welcomeView(
  words: Words,
  bot: string,
  attachedCode: string | null,
  stateId: string | null,
  /** Of a trade's SOL side. */
  feePercent: string,
): View {
  const label = words.text('btn.create_wallet');
  return {
    text: lines(
      words.html('start.welcome', { bot, fee: feePercent }),
      html``,
      attachedCode === null
        ? words.html('start.no_inviter')
        : words.html('start.inviter', { code: code(attachedCode) }),
    ),
    keyboard: keyboard(
      [stateId === null ? nav(label, 'start', 'create') : act(label, 'start', 'create', stateId)],
      [nav(words.text('btn.try_paper'), 'paper', 'open')],
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
