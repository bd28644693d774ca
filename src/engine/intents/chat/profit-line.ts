import type { Words } from '../../../compose/texts/words.ts';
import type { SaleProfit } from '../../../modules/positions/use/sale-profit.ts';
import { usdNote } from '../../../platform/telegram/ui/amounts.ts';
import type { Html } from '../../../platform/telegram/ui/html.ts';
import { signedPercent, signedSol } from '../../../platform/telegram/ui/signed.ts';

/** Lamports, net of every fee. */
export type ShownProfit = SaleProfit & { readonly microUsdPerSol: bigint | null };

/** In SOL, dollars and percent of the cost. It says so where it does not cover all sold units. */
export function profitLine(
  words: Words,
  { lamports, costLamports, counted, microUsdPerSol }: ShownProfit,
): Html {
  return words.html(lamports < 0n ? 'result.sold_loss' : 'result.sold_profit', {
    sol: signedSol(words, lamports, 6),
    usd: usdNote(words, lamports < 0n ? -lamports : lamports, microUsdPerSol),
    percent: signedPercent(words, lamports, costLamports),
    part: counted === 'part' ? words.text('result.sold_part') : '',
  });
}
