import { z } from 'zod';

/** The types of the specification, written down a second time; our own fields stand beside them. */
const text = z.string();
const isoText = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const price = z.object({
  price: text.regex(/^\d+\.\d{10}$/),
  market: text,
  time: isoText,
  marketAddress: text,
});
const trade = z.object({
  id: z.int(),
  price: text,
  size: text,
  market: text,
  side: z.enum(['buy', 'sell']),
  time: isoText,
  orderId: text.regex(/^\d+$/),
  feeCost: text,
  marketAddress: text,
  createdAt: isoText,
});
const sums = {
  totalVolume: z.number(),
  sellVolume: z.number(),
  buyVolume: z.number(),
  highPrice: text,
  lowPrice: text,
};
const book = (side: 'buy' | 'sell') =>
  z.array(z.object({ price: z.number(), size: z.number(), side: z.literal(side) }));
/** What each path of /v1 answers with, where so many markets have traded at all, one market lately, and are known. */
export function v1Shapes(least: {
  readonly traded: number;
  readonly lately: number;
  readonly known: number;
}): Readonly<Record<string, z.ZodType>> {
  return {
    '/v1/prices': z.array(price).min(least.traded),
    '/v1/prices/recent': z
      .array(z.object({ price: text, price24hAgo: text, change: text, market: text }))
      .min(least.traded),
    '/v1/prices/:address/last': price,
    '/v1/prices/:address/closing-price': price,
    '/v1/trades': z.array(trade).min(least.traded),
    '/v1/trades/:address/24h': z.array(trade).min(least.lately),
    '/v1/trades/:address/all': z.array(trade).min(least.lately),
    '/v1/trades/:address/last': z.array(trade).length(1),
    '/v1/volumes': z
      .array(z.object({ name: text, address: text, programId: text, ...sums }))
      .min(least.known),
    '/v1/volumes/:address': z.object({
      market_name: text,
      address: text,
      programId: text,
      price: z.number(),
      summary: z.object(sums),
      last24hOrder: z.object({ exist: z.boolean(), time: isoText, price: text, percent: z.number() }),
    }),
    '/v1/orderbooks/:address': z.object({
      lastOrderPrice: z.number(),
      bids: book('buy'),
      asks: book('sell'),
    }),
    '/v1/pairs': z
      .array(
        z.object({
          market: text,
          coin: text,
          priceCurrency: text,
          address: text,
          baseMint: text,
          quoteMint: text,
          programId: text,
        }),
      )
      .min(least.known),
  };
}
