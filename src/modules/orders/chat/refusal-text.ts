import type { Words } from '../../../compose/texts/words.ts';
import { percentText, typableSol, typableText } from '../../../platform/telegram/ui/amounts.ts';
import type { Html } from '../../../platform/telegram/ui/html.ts';
import type { PlacementRefusal } from '../rules/placement.ts';

/** Orders as a person calls them: #2, #4. */
export function numbersText(numbers: readonly number[]): string {
  return numbers.map((number) => `#${number}`).join(', ');
}

/** Reasons that say all by themselves. */
const PLAIN = [
  'price-invalid',
  'price-ambiguous',
  'cap-invalid',
  'supply-zero',
  'amount-invalid',
  'mint-is-sol',
  'no-market',
  'entry-unknown',
  'band-unit',
  'no-default',
  'nothing-held',
  'rhythm-invalid',
  'dev-unknown',
  'dev-unfollowed',
  'liquidity-unknown',
  'liquidity-step',
] as const;
type Plain = Extract<PlacementRefusal, { readonly kind: (typeof PLAIN)[number] }>;

function isPlain(refusal: PlacementRefusal): refusal is Plain {
  return PLAIN.some((kind) => kind === refusal.kind);
}

/** Why an order is not taken, and which input would be. */
export function refusalText(words: Words, refusal: PlacementRefusal): Html {
  if (isPlain(refusal)) return words.html(`order.refused.${refusal.kind}`);
  switch (refusal.kind) {
    case 'stop-stands':
      return words.html('order.refused.stop-stands', { numbers: numbersText(refusal.numbers) });
    case 'stop-fires':
      return words.html('order.refused.stop-fires', { number: refusal.number });
    case 'already-true':
      return refusal.side === 'sell'
        ? words.html('order.refused.true_sell', { sol: typableSol(words, refusal.wouldGet) })
        : words.html('order.refused.true_buy', {
            units: typableText(words, refusal.wouldGet, refusal.decimals),
          });
    case 'too-small':
      return words.html('order.refused.too-small', { sol: typableSol(words, refusal.minimumLamports) });
    case 'round-too-small':
      return words.html('order.refused.round-too-small', { sol: typableSol(words, refusal.minimumLamports) });
    case 'amount-over-supply':
      return words.html('order.refused.amount-over-supply');
    case 'impact-too-high':
      return words.html('order.refused.impact-too-high', {
        impact: percentText(words, refusal.impactBps),
        max: percentText(words, refusal.maxBps),
      });
    case 'trail-out-of-range':
      return words.html('order.refused.trail', {
        min: percentText(words, refusal.minBps),
        max: percentText(words, refusal.maxBps),
      });
    case 'floor-above-trigger':
      return words.html('order.refused.floor');
    case 'floor-unit':
      return words.html(`order.refused.floor_${refusal.unit}`);
    case 'tolerance-out-of-range':
      return words.html('order.refused.tolerance', { max: percentText(words, refusal.maxBps) });
    case 'expiry-out-of-range':
      return words.html('order.refused.expiry', { days: Math.floor(refusal.maxMs / 86_400_000) });
    case 'too-many-orders':
      return words.html(`order.refused.many_${refusal.per}`, { max: refusal.max });
    case 'interval-out-of-range':
      return words.html('order.refused.interval');
    case 'rounds-out-of-range':
      return words.html('order.refused.rounds', { min: refusal.min, max: refusal.max });
    case 'legs-invalid':
      return words.html(`order.refused.legs_${refusal.reason}`);
  }
}
