import { shortAddress } from '../../core/address/address.ts';
import type { DepositNotice } from '../../core/deposits/deposit-notice.ts';
import { displaySymbol } from '../../core/tokens/display-name.ts';
import type { Token } from '../../core/tokens/token.ts';
import type { Words } from '../locales/words.ts';
import { shortTokenText, solText, usdNote } from '../ui/amounts.ts';
import { code, type Html } from '../ui/html.ts';
import { freshNav, keyboard } from '../ui/keyboard.ts';
import type { View } from '../ui/screen.ts';

export type DepositFacts = {
  readonly said: DepositNotice;
  readonly wallet: string;
  /** Null for SOL, and where the chain does not tell it. */
  readonly token: Token | null;
  readonly microUsdPerSol: bigint | null;
};

/** What arrived, and where. The sender is not named: an address in a message is an address that gets copied. */
export function depositView(words: Words, facts: DepositFacts): View {
  const isSol = facts.said.mint === null;
  return {
    text: depositText(words, facts),
    keyboard: keyboard([
      !isSol && freshNav(words.text('btn.positions'), 'positions', 'open'),
      freshNav(words.text('btn.wallets_plain'), 'wallets', 'open'),
      freshNav(words.text('btn.home'), 'home', 'open'),
    ]),
  };
}

function depositText(words: Words, { said, wallet, token, microUsdPerSol }: DepositFacts): Html {
  const { mint, units, known } = said;
  if (mint === null)
    return words.html('notice.deposit_sol', {
      sol: solText(units),
      usd: usdNote(units, microUsdPerSol),
      wallet,
    });
  const what = {
    amount: token === null ? units.toString() : shortTokenText(units, token.decimals),
    symbol: token === null ? shortAddress(mint) : displaySymbol(token),
    mint: code(mint),
    wallet,
  };
  return words.html(known ? 'notice.deposit_token' : 'notice.deposit_stranger', what);
}
