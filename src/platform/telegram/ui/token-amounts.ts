import type { Words } from '../../../compose/texts/words.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import type { Token } from '../../../modules/tokens/rules/token.ts';
import { shownUnits, type UiScale, unitsOfShown } from '../../../modules/tokens/rules/ui-scale.ts';
import { amountText, type Reader, shortTokenText, typableText } from './amounts.ts';
import type { Html } from './html.ts';
import { readAmount, type TypedAmount } from './read-amount.ts';

/** Amounts of a token as its mint asks for them to be shown. Every screen prints and reads token units here. */

/** The facts about a mint that a printed amount needs. */
export type Scaled = Pick<Token, 'decimals' | 'uiScale'>;

/** Exact and grouped, cut to `maxFraction` digits where it is given. */
export function tokenText(
  reader: Reader,
  units: bigint,
  { decimals, uiScale }: Scaled,
  maxFraction?: number,
): string {
  return amountText(reader, shownUnits(units, uiScale), decimals, maxFraction);
}

/** As `shortTokenText`: fewer digits the larger the number. */
export function shortTokenOf(reader: Reader, units: bigint, { decimals, uiScale }: Scaled): string {
  return shortTokenText(reader, shownUnits(units, uiScale), decimals);
}

/** As `typableText`: read back by `readTokenAmount`, it never means more than `units`. */
export function typableTokenText(reader: Reader, units: bigint, { decimals, uiScale }: Scaled): string {
  return typableText(reader, shownUnits(units, uiScale), decimals);
}

/** As `readAmount`, of shown units: answers the mint's units, rounded down. Throws AMOUNT_DUST for less than one of them. */
export function readTokenAmount(text: string, { decimals, uiScale }: Scaled): TypedAmount {
  const read = readAmount(text, decimals, mostShown(uiScale));
  if (read.kind !== 'exact') return read;
  const units = unitsOfShown(read.units, uiScale);
  if (units === 0n) throw new AppError('AMOUNT_DUST', { minimum: null });
  return { kind: 'exact', units };
}

/** `Shown × 1.05: this token scales its amounts`; null for a token that does not. */
export function scaleNote(words: Words, token: Pick<Token, 'uiScale'> | null): Html | null {
  const scale = token?.uiScale ?? null;
  return scale === null ? null : words.html('token.scaled', { factor: factorText(words, scale) });
}

/** As `scaleNote`, behind an amount in a row: ` (× 1.05)`. */
export function scaleMark(reader: Reader, token: Pick<Token, 'uiScale'> | null): string {
  const scale = token?.uiScale ?? null;
  return scale === null ? '' : ` (× ${factorText(reader, scale)})`;
}

/** Cut to nine digits behind the point; smaller factors are printed in full. */
function factorText(reader: Reader, { numerator, denominator }: UiScale): string {
  return amountText(reader, (numerator * 10n ** 18n) / denominator, 18, 9);
}

function mostShown(scale: UiScale | null | undefined): bigint | undefined {
  return scale == null ? undefined : shownUnits(2n ** 64n - 1n, scale);
}
