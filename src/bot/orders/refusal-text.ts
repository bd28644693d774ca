import type { PlacementRefusal } from '../../core/orders/placement.ts';
import type { Words } from '../locales/words.ts';
import { amountText, percentText, solText } from '../ui/amounts.ts';
import type { Html } from '../ui/html.ts';

/** Why an order is not taken, and what would be. */
export function refusalText(words: Words, refusal: PlacementRefusal): Html {
  switch (refusal.kind) {
    case 'price-invalid':
    case 'price-ambiguous':
    case 'cap-invalid':
    case 'supply-zero':
    case 'amount-invalid':
    case 'mint-is-sol':
    case 'no-market':
      return words.html(`order.refused.${refusal.kind}`);
    case 'already-true':
      return refusal.side === 'sell'
        ? words.html('order.refused.true_sell', { sol: solText(refusal.wouldGet) })
        : words.html('order.refused.true_buy', { units: amountText(refusal.wouldGet, refusal.decimals) });
    case 'too-small':
      return words.html('order.refused.too-small', { sol: solText(refusal.minimumLamports) });
    case 'round-too-small':
      return words.html('order.refused.round-too-small', { sol: solText(refusal.minimumLamports) });
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
