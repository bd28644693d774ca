import { type Address, shortAddress, WSOL_MINT } from '@tradepost/solana';
import type { Words } from '../../../compose/texts/words.ts';
import { figuresOf } from '../../../core/text/figures.ts';
import type { RouteTerm } from '../../../engine/intents/rules/terms.ts';
import { displayName, displaySymbol } from '../../../modules/tokens/rules/display-name.ts';
import type { Token } from '../../../modules/tokens/rules/token.ts';

/**
 * `Orca 62% + Raydium CPMM 38% to USDC, then Meteora DLMM`: the legs that spend one token are together, with their parts where there are
 * several, and the tokens on the way by name. `intermediates` are those; a missing one is named by its address.
 */
export function routeText(
  words: Words,
  route: readonly RouteTerm[],
  intermediates: readonly Token[] = [],
): string {
  const nameOf = (mint: Address): string => {
    if (mint === WSOL_MINT) return 'SOL';
    const token = intermediates.find((one) => one.mint === mint);
    return token === undefined ? shortAddress(mint) : displaySymbol(token);
  };
  const stages = [...new Set(route.map(({ from }) => from))];
  return stages
    .map((from) =>
      stageText(
        words,
        route.filter((leg) => leg.from === from),
        nameOf,
      ),
    )
    .reduce((first, rest) => (first === '' ? rest : words.text('trade.route_then', { first, rest })), '');
}

/** Legs of one stage that lead to different tokens each say where. */
function stageText(words: Words, legs: readonly RouteTerm[], nameOf: (mint: Address) => string): string {
  const targets = [...new Set(legs.map(({ to }) => to))];
  const partOf = (leg: RouteTerm): string => {
    const name = displayName(leg.venue) ?? '?';
    return legs.length === 1 ? name : `${name} ${figuresOf(words.language).percent(leg.percent * 100)}`;
  };
  return targets
    .map((to) => {
      const parts = legs
        .filter((leg) => leg.to === to)
        .map(partOf)
        .join(' + ');
      return to === null ? parts : words.text('trade.route_to', { legs: parts, symbol: nameOf(to) });
    })
    .join(' + ');
}
