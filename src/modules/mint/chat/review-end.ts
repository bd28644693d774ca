import type { Words } from '../../../compose/texts/words.ts';
import { solText } from '../../../platform/telegram/ui/amounts.ts';
import type { Html } from '../../../platform/telegram/ui/html.ts';
import { act, type ButtonSpec, nav } from '../../../platform/telegram/ui/keyboard.ts';
import type { Draft } from './answers.ts';
import { CREATE_TOKEN } from './feature-name.ts';

type Funds = { readonly availableLamports: bigint; readonly missingLamports: bigint };

/** The wallet's balance, and under it, where that is too little, how to fill it. */
export function fundsLines(
  words: Words,
  { walletName }: Draft,
  { availableLamports, missingLamports }: Funds,
  short: 'create.short' | 'launch.short',
): readonly (Html | false)[] {
  return [
    words.html('create.wallet', { wallet: walletName, sol: solText(words, availableLamports) }),
    missingLamports > 0n && words.html(short, { sol: solText(words, missingLamports) }),
  ];
}

/** The buttons under a review: the one that spends, or Deposit where there is nothing to spend; then the ways back. */
export function reviewButtons(
  words: Words,
  facts: {
    readonly funds: Funds;
    readonly confirm: ButtonSpec;
    /** Ways to change something, before Cancel. */
    readonly change: readonly ButtonSpec[];
    readonly confirmId: string;
  },
): readonly (readonly ButtonSpec[])[] {
  const canPay = facts.funds.missingLamports === 0n;
  return [
    [canPay ? facts.confirm : nav(words.text('btn.deposit'), 'deposit', 'open')],
    [...facts.change, act(words.text('btn.cancel'), CREATE_TOKEN, 'stop', facts.confirmId)],
  ];
}
