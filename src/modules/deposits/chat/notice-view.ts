import { shortAddress } from '@tradepost/solana';
import type { Words } from '../../../compose/texts/words.ts';
import { solText, usdNote } from '../../../platform/telegram/ui/amounts.ts';
import { code, type Html } from '../../../platform/telegram/ui/html.ts';
import { freshNav, keyboard } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { scaleMark, shortTokenOf } from '../../../platform/telegram/ui/token-amounts.ts';
import { displaySymbol } from '../../tokens/rules/display-name.ts';
import type { Token } from '../../tokens/rules/token.ts';
import type { DepositNotice } from '../rules/deposit-notice.ts';

export type DepositFacts = {
  readonly said: DepositNotice;
  readonly wallet: string;
  /** Null for SOL, and where the chain does not give it. */
  readonly token: Token | null;
  readonly microUsdPerSol: bigint | null;
};

/** The units that arrived, and the wallet. The sender is not named: an address in a message is an address that gets copied. */
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
  const { mint, units, known, was } = said;
  if (was !== undefined) return correctionText(words, { said, was, wallet, token });
  if (mint === null)
    return words.html(said.seenByOne === true ? 'notice.deposit_sol_one' : 'notice.deposit_sol', {
      sol: solText(words, units),
      usd: usdNote(words, units, microUsdPerSol),
      wallet,
    });
  const what = {
    amount: token === null ? units.toString() : shortTokenOf(words, units, token),
    symbol: token === null ? shortAddress(mint) : `${displaySymbol(token)}${scaleMark(words, token)}`,
    mint: code(mint),
    wallet,
  };
  return words.html(known ? 'notice.deposit_token' : 'notice.deposit_stranger', what);
}

/** A notice that was not true. */
function correctionText(
  words: Words,
  { said, was, wallet, token }: Omit<DepositFacts, 'microUsdPerSol'> & { readonly was: bigint },
): Html {
  const text = (units: bigint): string => {
    if (said.mint === null) return solText(words, units);
    return token === null
      ? `${units} ${shortAddress(said.mint)}`
      : `${shortTokenOf(words, units, token)} ${displaySymbol(token)}${scaleMark(words, token)}`;
  };
  return said.units === 0n
    ? words.html('notice.deposit_gone', { was: text(was), wallet })
    : words.html('notice.deposit_other', { was: text(was), real: text(said.units), wallet });
}
