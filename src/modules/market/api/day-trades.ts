import type { z } from 'zod';
import type { Route } from '../../../platform/http/route.ts';
import { TRADE } from './market-examples.ts';
import { TRADES_CODES, tradesQuery } from './market-input.ts';
import { tradeRecord } from './market-records.ts';
import { marketTrades } from './market-trades.ts';
import { EXAMPLE_MARKET, v1Route } from './v1-route.ts';

const DAY_SECONDS = 86_400;

/** Trades of the last 24 hours of one market, at the newer path and at the older one, which says so. */
export function dayTrades(end: '24h' | 'all', operationId: string): Route {
  const path = `/v1/trades/:address/${end}`;
  return v1Route<z.infer<typeof tradesQuery>>({
    path,
    operationId,
    summary: 'Trades of the last 24 hours of one market',
    description: `Newest first, at most 10,000 unless a limit is given.${end === 'all' ? ' The older name of `/v1/trades/{address}/24h`.' : ''}`,
    pathFields: ['address'],
    input: { in: 'query', name: `Trades${end === 'all' ? 'All' : '24h'}Request`, schema: tradesQuery },
    inputExample: { address: EXAMPLE_MARKET, limit: '100' },
    output: { name: 'TradesResponse', schema: tradeRecord.array(), example: [TRADE] },
    codes: TRADES_CODES,
    successor: ({ address }) => `/markets/${address}/trades`,
    handle: (deps, query) =>
      marketTrades(deps, query, {
        path: `/v1/trades/${query.address}/${end}`,
        since: Math.floor(deps.clock.now() / 1_000) - DAY_SECONDS,
        links: end === 'all' ? [`</v1/trades/${query.address}/24h>; rel="canonical"`] : [],
      }),
  });
}
