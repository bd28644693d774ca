import type { Words } from '../../../compose/texts/words.ts';
import { solText } from '../../../platform/telegram/ui/amounts.ts';
import { code, type Html, html, lines } from '../../../platform/telegram/ui/html.ts';
import { act, inRows, keyboard, link, nav } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { utcText } from '../../../platform/telegram/ui/time.ts';
import { displayName } from '../../tokens/rules/display-name.ts';
import type { CreatedToken } from '../rules/created-token.ts';
import { REVOCABLE_AUTHORITIES, type RevocableAuthority } from '../rules/instructions/revoke-authority.ts';
import { liveAuthorities, type RevocationQuote } from '../use/quote-revoke-authority.ts';

export const REVOKE = 'revoke';

export function tokensView(words: Words, tokens: readonly CreatedToken[], stateId: string): View {
  return {
    text: words.html(tokens.length === 0 ? 'revoke.none' : 'revoke.list'),
    keyboard: keyboard(
      ...inRows(
        tokens.map((token, index) => act(symbolOf(token), REVOKE, `pick-${index}`, stateId)),
        2,
      ),
      [nav(words.text('btn.home'), 'home', 'open')],
    ),
  };
}

/** The order in which powers are best given up. Buttons keep the numbers of `REVOCABLE_AUTHORITIES`. */
const ADVISED = ['mint', 'freeze', 'update'] as const satisfies typeof REVOCABLE_AUTHORITIES;

/** The powers that the creator still holds, those that are gone and since when, and one button for each step that is left. */
export function tokenView(
  words: Words,
  facts: { readonly token: CreatedToken; readonly passport: string | null; readonly stateId: string },
): View {
  const { token, passport, stateId } = facts;
  const live = liveAuthorities(token);
  return {
    text: lines(
      words.html('revoke.title', { symbol: symbolOf(token), mint: code(token.mint) }),
      html``,
      ...ADVISED.map((authority) => standingLine(words, token, authority)),
      live.length === 0 && html`\n${words.html('revoke.all_gone')}`,
    ),
    keyboard: keyboard(
      ...ADVISED.filter((authority) => live.includes(authority)).map((authority) => [
        act(
          words.text('btn.revoke', { authority: words.text(`mint.authority.${authority}`) }),
          REVOKE,
          `ask-${REVOCABLE_AUTHORITIES.indexOf(authority)}`,
          stateId,
        ),
      ]),
      [
        passport !== null && link(words.text('btn.passport'), passport),
        act(words.text('btn.trade'), 'trade', 'card', stateId),
      ],
      [nav(words.text('btn.my_tokens'), REVOKE, 'list'), nav(words.text('btn.home'), 'home', 'open')],
    ),
  };
}

export function askView(
  words: Words,
  facts: { readonly quote: RevocationQuote; readonly confirmId: string; readonly stateId: string },
): View {
  const { quote, confirmId, stateId } = facts;
  const { authority } = quote.params;
  return {
    text: words.html('revoke.ask', {
      authority: words.text(`mint.authority.${authority}`),
      symbol: symbolOf(quote.token),
      meaning: words.html(`revoke.means.${authority}`),
      fee: solText(words, quote.networkFeeLamports),
    }),
    keyboard: keyboard([
      act(words.text('btn.revoke_yes'), REVOKE, 'confirm', confirmId),
      act(words.text('btn.later'), REVOKE, 'token', stateId),
    ]),
  };
}

function standingLine(words: Words, token: CreatedToken, authority: RevocableAuthority): Html | null {
  const gone = token.revocations[authority];
  const name = words.text(`mint.authority.${authority}`);
  if (gone !== undefined) {
    return words.html('revoke.never', {
      authority: name,
      at: utcText(gone.at),
      signature: code(gone.signature),
    });
  }
  return liveAuthorities(token).includes(authority) ? words.html('revoke.held', { authority: name }) : null;
}

const symbolOf = ({ spec }: CreatedToken): string => displayName(spec.symbol) ?? '…';
