import type { Words } from '../../../compose/texts/words.ts';
import type { TokenSpec } from '../../../modules/mint/rules/token-spec.ts';
import { displayName } from '../../../modules/tokens/rules/display-name.ts';
import { amountText, solText } from '../../../platform/telegram/ui/amounts.ts';
import { code, type Html } from '../../../platform/telegram/ui/html.ts';
import type { PreparedMint } from '../kinds/create-token/params.ts';
import type { LandedReceipt } from '../rules/intent.ts';

/** Texts that results and receipts of creations and launches share. */

export const tokenSymbol = ({ symbol }: Pick<TokenSpec, 'symbol'>): string => displayName(symbol) ?? '…';

/** The new mint's address, or nothing while no record of the chain names it. */
export function createdMintText(receipt: LandedReceipt | null): Html | '' {
  return receipt?.createdMint === undefined ? '' : code(receipt.createdMint);
}

/** The cost of the whole creation; `earlier` is the result of its first half. */
export function creationCosts(
  words: Words,
  receipt: LandedReceipt | null,
  earlier: PreparedMint | null = null,
): Html | false {
  return (
    receipt !== null &&
    words.html('result.creation_costs', {
      rent: solText(words, receipt.rentLamports + (earlier?.rentLamports ?? 0n)),
      fee: solText(words, receipt.feeLamports + (earlier?.feeLamports ?? 0n)),
      platform: solText(words, receipt.platformFeeLamports),
    })
  );
}

export function creationReceipt(
  words: Words,
  key: 'receipt.created' | 'receipt.launched',
  spec: TokenSpec,
  receipt: LandedReceipt,
): readonly Html[] {
  return [
    words.html(key, {
      symbol: tokenSymbol(spec),
      supply: amountText(words, spec.supply, spec.decimals),
      mint: createdMintText(receipt),
    }),
    words.html('receipt.platform_fee', { fee: solText(words, receipt.platformFeeLamports) }),
  ];
}
