import type { Address } from '@tradepost/solana';
import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import type { Words } from '../../../compose/texts/words.ts';
import { hasCode } from '../../../core/errors/app-error.ts';
import { holdsAddress } from '../../../platform/telegram/ui/holds-address.ts';
import { code } from '../../../platform/telegram/ui/html.ts';
import { keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { pastedMint } from '../../tokens/chat/pasted-mint.ts';
import { isWordsAtAnyScreen } from '../../tokens/rules/typed-verb.ts';
import type { Wallet } from '../../wallets/rules/wallet.ts';

/**
 * The only token that a typed name can mean: the only one that is found, the only one of exactly that ticker, or one that a venue
 * knows by it. Null where there are several, or none.
 */
export async function meantBy(
  { tokens, trade }: Pick<FeatureDeps, 'tokens' | 'trade'>,
  wallet: Wallet,
  typed: string,
): Promise<Address | null> {
  const text = typed.replace(/^\$/, '');
  const hits = await tokens.search({ text, wallet: wallet.address, limit: MOST_HITS });
  const exact = hits.filter(({ symbol }) => symbol?.toLowerCase() === text.toLowerCase());
  const [only] = hits.length === 1 ? hits : exact;
  if (only !== undefined && (hits.length === 1 || exact.length === 1)) return only.mint;
  if (hits.length > 0) return null;
  try {
    return (await trade.lookUpToken(text)).mint;
  } catch (error) {
    if (hasCode(error, 'TOKEN_NOT_FOUND')) return null;
    throw error;
  }
}

/**
 * How a text answers "Which token?": a token's name comes before a word of every screen, such as a greeting. Throws TOKEN_NOT_FOUND for
 * a text that is neither, so that it is asked again.
 */
export async function answersToken(
  deps: Pick<FeatureDeps, 'tokens' | 'trade'>,
  text: string,
): Promise<'token' | 'words'> {
  try {
    const found = holdsAddress(text) ? [] : await deps.tokens.search({ text, limit: 1 });
    if (found.length === 0) await pastedMint(deps, text);
    return 'token';
  } catch (error) {
    if (hasCode(error, 'TOKEN_NOT_FOUND') && isWordsAtAnyScreen(text)) return 'words';
    throw error;
  }
}

/** Enough to see that there are several. */
const MOST_HITS = 20;

/** The answer to an amount without a token. */
export function whichTokenView(words: Words, amount: string): View {
  return {
    text: words.html('trade.which_for', { amount, example: code(`buy ${amount} PUP`) }),
    keyboard: keyboard([
      nav(words.text('btn.search'), 'search', 'open'),
      nav(words.text('btn.positions'), 'positions', 'open'),
      nav(words.text('btn.home'), 'home', 'open'),
    ]),
  };
}
