import type { RouteTerm } from '../../core/intents/params.ts';
import { displayName } from '../../core/tokens/display-name.ts';
import type { Words } from '../locales/words.ts';

/**
 * `62 % Orca, 38 % Raydium CPMM, then Meteora DLMM`: the legs that spend one token stand together, with their parts where
 * there are several.
 */
export function routeText(words: Words, route: readonly RouteTerm[]): string {
  const stages = [...new Set(route.map(({ from }) => from))];
  return stages
    .map((from) => stageText(route.filter((leg) => leg.from === from)))
    .reduce((first, rest) => (first === '' ? rest : words.text('trade.route_then', { first, rest })), '');
}

function stageText(legs: readonly RouteTerm[]): string {
  const name = ({ venue }: RouteTerm): string => displayName(venue) ?? '?';
  return legs.map((leg) => (legs.length === 1 ? name(leg) : `${leg.percent} % ${name(leg)}`)).join(', ');
}
