import { changePercent } from '@tradepost/tape';
import { z } from 'zod';
import { Answer } from '../../../../platform/http/answer.ts';
import { SUMMARY } from '../market-examples.ts';
import { marketOf } from '../market-input.ts';
import { sumsOf } from '../market-records.ts';
import { EXAMPLE_MARKET, v1Market } from '../v1-route.ts';

const schema = z.object({
  market_name: z.string(),
  address: z.string(),
  programId: z.string(),
  price: z.number().describe('the last one; 0 before any'),
  summary: z.object({
    totalVolume: z.number().describe('quote tokens in 24 hours'),
    sellVolume: z.number(),
    buyVolume: z.number(),
    highPrice: z.string(),
    lowPrice: z.string(),
  }),
  last24hOrder: z
    .object({
      exist: z.boolean(),
      time: z.string(),
      price: z.string(),
      percent: z.number().describe('change of the price since then'),
    })
    .describe('the last trade at least 24 hours old; false, 1970 and zeros where there is none'),
});

const NONE = { exist: false, time: new Date(0).toISOString(), price: '0', percent: 0 } as const;

export const volumesMarket = v1Market({
  path: '/v1/volumes/:address',
  operationId: 'showVolume',
  summary: 'The 24 hour volume of one market',
  description: 'Volumes in quote tokens over the last 1,440 whole minutes and the current one.',
  name: 'Volume',
  schema,
  example: {
    market_name: 'PUP/USDC',
    address: EXAMPLE_MARKET,
    programId: 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C',
    price: 0.0123,
    summary: SUMMARY,
    last24hOrder: { exist: true, time: '2026-11-21T11:59:58.000Z', price: '0.012', percent: 2.5 },
  },
  successor: '',
  handle: async (deps, { address }) => {
    const entry = await marketOf(deps, address);
    const { market, stats } = entry;
    const before = await deps.market.priceDayAgo(entry);
    const last = stats?.last ?? null;
    const data: z.infer<typeof schema> = {
      market_name: market.name,
      address: market.address,
      programId: market.programId,
      price: last === null ? 0 : Number(last.price),
      summary: sumsOf(market, stats),
      last24hOrder:
        before === null
          ? NONE
          : {
              exist: true,
              time: new Date(before.at * 1_000).toISOString(),
              price: before.price,
              percent: changePercent(last?.price ?? before.price, before.price) ?? 0,
            },
    };
    return new Answer({ data, maxAge: 1 });
  },
});
