import type { Address } from '@tradepost/solana';
import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { hasCode } from '../../../core/errors/app-error.ts';
import { holdsAddress } from '../../../platform/telegram/ui/holds-address.ts';

/**
 * The mint that a pasted text means: see `lookUpToken`, and the base token of a market where the text is a market's address or a link
 * to its page. Throws TOKEN_NOT_FOUND and TOKEN_ACCOUNT_NOT_MINT.
 */
export async function pastedMint(
  { trade, tokens }: Pick<FeatureDeps, 'trade' | 'tokens'>,
  text: string,
): Promise<Address> {
  try {
    return (await trade.lookUpToken(text)).mint;
  } catch (error) {
    if (!hasCode(error, 'TOKEN_NOT_FOUND') || !holdsAddress(text)) throw error;
    const [traded] = await tokens.search({ text, limit: 1 });
    if (traded === undefined) throw error;
    return traded.mint;
  }
}
