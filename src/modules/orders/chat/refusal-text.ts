import type { Words } from '../../../compose/texts/words.ts';
import { percentText, typableSol, typableText } from '../../../platform/telegram/ui/amounts.ts';
import type { Html } from '../../../platform/telegram/ui/html.ts';
import type { PlacementRefusal } from '../rules/placement.ts';

/** Orders as a person calls them: #2, #4. */
export function numbersText(numbers: readonly number[]): string {
  return numbers.map((number) => `#${number}`).join(', ');
}

/** Why an order is not taken, and which input would be. */
export function refusalText(words: Words, refusal: PlacementRefusal): Html {
  switch (refusal.kind) {
    case 'price-invalid':
    case 'price-ambiguous':
    case 'cap-invalid':
    case 'supply-zero':
    case 'amount-invalid':
    case 'mint-is-sol':
    case 'no-market':
    case 'entry-unknown':
    case 'band-unit':
    case 'no-default':
    case 'nothing-held':
      return words.html(`order.refused.${refusal.kind}`);
    case 'stop-stands':
      return words.html('order.refused.stop-stands', { numbers: numbersText(refusal.numbers) });
    case 'stop-fires':
      return words.html('order.refused.stop-fires', { number: refusal.number });
    case 'already-true':
      return refusal.side === 'sell'
        ? words.html('order.refused.true_sell', { sol: typableSol(refusal.wouldGet) })
        : words.html('order.refused.true_buy', { units: typableText(refusal.wouldGet, refusal.decimals) });
    case 'too-small':
      return words.html('order.refused.too-small', { sol: typableSol(refusal.minimumLamports) });
    case 'round-too-small':
      return words.html('order.refused.round-too-small', { sol: typableSol(refusal.minimumLamports) });
    case 'rhythm-invalid':
      return words.html('order.refused.rhythm-invalid');
    case 'amount-over-supply':
      return words.html('order.refused.amount-over-supply');
    case 'impact-too-high':
      return words.html('order.refused.impact-too-high', {
        impact: percentText(refusal.impactBps),
        max: percentText(refusal.maxBps),
      });
    case 'trail-out-of-range':
      return words.html('order.refused.trail', {
        min: percentText(refusal.minBps),
        max: percentText(refusal.maxBps),
      });
    case 'floor-above-trigger':
      return words.html('order.refused.floor');
    case 'floor-unit':
      return words.html(`order.refused.floor_${refusal.unit}`);
    case 'tolerance-out-of-range':
      return words.html('order.refused.tolerance', { max: percentText(refusal.maxBps) });
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
