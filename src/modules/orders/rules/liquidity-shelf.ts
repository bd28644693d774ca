import type { PriceView } from './book.ts';
import { isLiquidityFall, type LiquidityFalls, leastLiquidity } from './event-trigger.ts';
import { compareRates, type Rate } from './rate.ts';
import { createSortedTriggers } from './sorted-triggers.ts';

/** The orders of one mint that wait for its liquidity to fall: none of them asks for a price. */
export type LiquidityShelf = {
  add(id: string, event: LiquidityFalls): void;
  remove(id: string): void;
  /** Those whose fall is there at this look. */
  whereTrue(view: Pick<PriceView, 'liquidity'>): readonly string[];
};

/** Sorted by the liquidity at which they fire, the highest first; those of a curve apart, for a curve may end without a fall. */
export function createLiquidityShelf(): LiquidityShelf {
  const events = new Map<string, LiquidityFalls>();
  const highestFirst = (a: Rate, b: Rate): number => compareRates(b, a);
  const shelves = {
    curve: createSortedTriggers(highestFirst),
    pool: createSortedTriggers(highestFirst),
  };
  const shelfOf = ({ onCurve }: LiquidityFalls) => (onCurve ? shelves.curve : shelves.pool);

  const remove = (id: string): void => {
    const event = events.get(id);
    if (event === undefined) return;
    events.delete(id);
    shelfOf(event).remove(id, rateOf(leastLiquidity(event)));
  };

  return {
    add: (id, event) => {
      remove(id);
      events.set(id, event);
      shelfOf(event).add(id, rateOf(leastLiquidity(event)));
    },
    remove,
    whereTrue: (view) => {
      if (events.size === 0) return [];
      const now = view.liquidity();
      if (now === null) return [];
      return [shelves.curve, shelves.pool]
        .flatMap((shelf) => [...shelf.whereTrue(rateOf(now.liquidity))])
        .filter(({ id }) => {
          const event = events.get(id);
          return event !== undefined && isLiquidityFall(event, now);
        })
        .map(({ id }) => id);
    },
  };
}

function rateOf(liquidity: bigint): Rate {
  return { got: liquidity, given: 1n };
}
