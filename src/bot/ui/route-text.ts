import type { TradeTerms } from '../../core/intents/params.ts';
import { displayName } from '../../core/tokens/display-name.ts';

/** `Desk North 70 % · Desk South 30 %`. */
export function routeText(route: TradeTerms['route']): string {
  return route.map(({ venue, percent }) => `${displayName(venue) ?? '?'} ${percent} %`).join(' · ');
}
