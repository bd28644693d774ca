import type { Words } from '../../../compose/texts/words.ts';
import { type Figures, figuresOf } from '../../../core/text/figures.ts';
import { widthOf } from '../../../core/text/fit.ts';
import type { SaleProfit } from '../../../modules/positions/use/sale-profit.ts';
import type { Token } from '../../../modules/tokens/rules/token.ts';
import { shownUnits } from '../../../modules/tokens/rules/ui-scale.ts';
import { microUsd } from '../../../modules/trading/rules/price.ts';
import { bold, type Html, html } from '../../../platform/telegram/ui/html.ts';
import { ageText } from '../../../platform/telegram/ui/time.ts';
import type { DoneFacts } from './kind-view.ts';
import { unitsText } from './landed-texts.ts';

/** Lines of a landed purchase or sale. */

/** For reading; the receipt has every unit. */
export const tradedUnits = (words: Words, units: bigint, token: Token | null): string =>
  token === null
    ? unitsText(words, units, token)
    : figuresOf(words.language).units(shownUnits(units, token.uiScale), token.decimals);

/** ` ($150.00)`, or nothing while the price of SOL is not known. */
export const inUsd = (figures: Figures, lamports: bigint, microUsdPerSol: bigint | null): string =>
  microUsdPerSol === null ? '' : ` (${figures.usd(microUsd(lamports, microUsdPerSol))})`;

type Exchanged = {
  readonly lamports: bigint;
  readonly units: bigint;
  readonly token: Token | null;
  readonly microUsdPerSol: bigint | null;
};

/** Dollars × 10^12 per whole token; null where one of them is not known. */
export function picoUsdOf({ lamports, units, token, microUsdPerSol }: Exchanged): bigint | null {
  if (token === null || microUsdPerSol === null || units <= 0n) return null;
  // Lamports × millionths of a dollar per SOL are 10^-15 dollars.
  return (lamports * microUsdPerSol * 10n ** BigInt(token.decimals)) / (units * 1_000n);
}

/** A token's cost, every fee in, and the value of the whole supply at that cost. */
export function entryLine(words: Words, figures: Figures, bought: Exchanged): Html | null {
  const entry = picoUsdOf(bought);
  const { token } = bought;
  if (entry === null || token === null) return null;
  const cap = (entry * token.supply) / 10n ** BigInt(token.decimals) / 1_000_000n;
  return words.html('result.entry', { price: figures.price(entry), cap: figures.compact(cap) });
}

/** `**+$1.45 (+2.0%)** +0.0097 SOL`: a gain is cut, a loss rounded up. It says so where it is not of all that was sold. */
export function resultLine(
  words: Words,
  figures: Figures,
  { lamports, costLamports, counted }: SaleProfit,
  microUsdPerSol: bigint | null,
): Html {
  const sol = figures.signedSol(lamports);
  const percent = figures.change(lamports, costLamports);
  const part = counted === 'part' ? words.text('result.sold_part') : '';
  return microUsdPerSol === null
    ? html`${bold(`${sol} (${percent})`)}${part}`
    : html`${bold(`${figures.signedUsd(microUsd(lamports, microUsdPerSol))} (${percent})`)} ${sol}${part}`;
}

/** `$0.00155 → $0.00151 · held 6 min`: a token's cost, its proceeds, and how long it was held where that is known. */
export function movedLine(
  words: Words,
  figures: Figures,
  sold: {
    readonly profit: SaleProfit;
    readonly proceeds: bigint;
    readonly units: bigint;
    readonly token: Token | null;
    readonly microUsdPerSol: bigint | null;
    readonly heldMs: number | null;
  },
): Html | null {
  const { profit, proceeds, units, token, microUsdPerSol, heldMs } = sold;
  if (profit.counted === 'part') return null;
  const entry = picoUsdOf({ lamports: profit.costLamports, units, token, microUsdPerSol });
  const exit = picoUsdOf({ lamports: proceeds, units, token, microUsdPerSol });
  if (entry === null || exit === null) return null;
  const moved = html`${figures.price(entry)} → ${figures.price(exit)}`;
  return heldMs === null ? moved : html`${moved} · ${words.html('result.held', { time: ageText(heldMs) })}`;
}

/** The fees of the service, the network and the sender; the deposit of the account is not in them. How far the trade is. */
export function costsLine(words: Words, figures: Figures, { receipt, state, final }: DoneFacts): Html {
  const back = receipt !== null && receipt.rentLamports < 0n ? -receipt.rentLamports : null;
  return words.html('result.costs', {
    fees:
      receipt === null
        ? 'n/a'
        : figures.solExact(receipt.platformFeeLamports + receipt.feeLamports + (receipt.tipLamports ?? 0n)),
    state: final ? state : words.text('result.not_final_yet', { state }),
    back: back === null ? '' : words.html('result.deposit_back', { sol: figures.solExact(back) }),
  });
}

/** `Buy 1 SOL`; `Buy again` where the amount is too long for the button, which is `width` wide (see `fitted`). */
export function buyAgainLabel(words: Words, lamports: bigint, width: number): string {
  const figures = figuresOf(words.language);
  const label = words.text('btn.buy_sol', { sol: figures.solExact(lamports).replace(' SOL', '') });
  return widthOf(label) <= width ? label : words.text('btn.buy_again');
}
