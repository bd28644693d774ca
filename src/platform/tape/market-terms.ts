import type { TapeTrade } from '@tradepost/tape';
import type { Market } from '../../modules/market/rules/market.ts';
import type { Query } from '../db/connection.ts';

// SQL: some columns of the rows of an array of ids.

/** How many fraction digits the two mints of a market have. */
export type MarketDecimals = Pick<Market, 'baseDecimals' | 'quoteDecimals'>;
/** The two mints with them. */
export type MarketTerms = MarketDecimals & Pick<Market, 'baseMint' | 'quoteMint'>;

/** Mints and digits of the markets that were traded, each read once: they never change. */
export function createMarketTerms(query: Query) {
  const known = new Map<number, MarketTerms>();
  return {
    /** Reads those that are not known yet. */
    learn: async (trades: readonly TapeTrade[]): Promise<void> => {
      const unknown = [...new Set(trades.map(({ marketId }) => marketId))].filter((id) => !known.has(id));
      if (unknown.length === 0) return;
      const rows = await query<{ readonly id: number } & MarketTerms>(
        `SELECT id, base_mint AS "baseMint", quote_mint AS "quoteMint", base_decimals AS "baseDecimals",
           quote_decimals AS "quoteDecimals" FROM markets WHERE id = ANY ($1::int[])`,
        [unknown.map(String)],
      );
      for (const { id, ...rest } of rows) known.set(id, rest);
    },
    /** Throws a RangeError for a market that there is not. */
    of: (marketId: number): MarketTerms => {
      const found = known.get(marketId);
      if (found === undefined) throw new RangeError(`market ${marketId} is not known`);
      return found;
    },
  };
}
