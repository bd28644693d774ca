import { exactPrice } from '@tradepost/tape';
import type { BookLevel } from '@tradepost/venues';
import { z } from 'zod';
import type { ApiDeps } from '../../../compose/api-deps.ts';
import { formatUnits } from '../../../core/amounts/decimal.ts';
import { Answer } from '../../../platform/http/answer.ts';
import type { Market } from '../rules/market.ts';
import { marketAddressField, marketOf } from './market-input.ts';
import { lastPricedTradeOf } from './market-trades.ts';

const DEPTH = 'expected a whole number from 1 to 200';
const DEFAULT_DEPTH = '50';

export const bookQuery = z.strictObject({
  address: marketAddressField,
  depth: z
    .string({ error: DEPTH })
    .regex(/^[1-9]\d{0,2}$/, { error: DEPTH })
    .refine((text) => Number(text) <= 200, { error: DEPTH })
    .default(DEFAULT_DEPTH)
    .describe('levels of each side'),
});
export const BOOK_CODES = { address: 'ADDRESS_INVALID', depth: 'DEPTH_INVALID' } as const;

const level = (side: 'buy' | 'sell') =>
  z.object({
    price: z.number().describe('quote per base'),
    size: z.number().describe('base tokens'),
    side: z.literal(side),
  });

export const BOOK_EXAMPLE = {
  lastOrderPrice: 0.0123,
  bids: [{ price: 0.0122, size: 1500, side: 'buy' }],
  asks: [{ price: 0.0124, size: 1400, side: 'sell' }],
  market: 'PUP/USDC',
  synthetic: true,
  slot: 400000000,
  asOf: '2026-11-22T12:00:00.000Z',
} as const;

export const bookSchema = z.object({
  lastOrderPrice: z.number().describe('0 before the first trade'),
  bids: z.array(level('buy')).describe('highest price first'),
  asks: z.array(level('sell')).describe('lowest price first'),
  market: z.string(),
  synthetic: z
    .boolean()
    .describe(
      'made of a pool’s curve: what its own quote gives, fees included, until the price has moved by 5 %',
    ),
  slot: z.number(),
  asOf: z.string(),
});

/** The liquidity available now. Throws MARKET_NOT_FOUND, INDEX_BEHIND and CHAIN_UNREACHABLE. */
export async function bookAnswer(
  deps: Pick<ApiDeps, 'market' | 'clock'>,
  { address, depth }: z.infer<typeof bookQuery>,
): Promise<Answer> {
  const entry = await marketOf(deps, address);
  const { market } = entry;
  const [book, last] = await Promise.all([
    deps.market.book(market, Number(depth)),
    lastPricedTradeOf(deps, entry),
  ]);
  const lastPrice = last?.price ?? entry.stats?.last?.price ?? '0';
  const data: z.infer<typeof bookSchema> = {
    lastOrderPrice: Number(lastPrice),
    bids: (book?.bids ?? []).map((one) => ({ ...levelOf(market, one), side: 'buy' as const })),
    asks: (book?.asks ?? []).map((one) => ({ ...levelOf(market, one), side: 'sell' as const })),
    market: market.name,
    synthetic: book?.synthetic ?? market.kind !== 'book',
    slot: Number(book?.slot ?? 0n),
    asOf: new Date(book?.asOf ?? deps.clock.now()).toISOString(),
  };
  return new Answer({ data, maxAge: 1 });
}

function levelOf(market: Market, level: BookLevel): { readonly price: number; readonly size: number } {
  return {
    price: Number(exactPrice(level, market)),
    size: Number(formatUnits(level.base, market.baseDecimals)),
  };
}
