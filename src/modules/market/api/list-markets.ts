import { LIST_CODES, type ListQuery, listQuery } from './market-input.ts';
import { marketList } from './market-list.ts';
import { marketRoute } from './market-route.ts';
import { MARKET_VIEW, marketView, marketViewOf } from './market-view.ts';

const path = '/markets';

export const markets = marketRoute<ListQuery>({
  path,
  operationId: 'listMarkets',
  summary: 'All markets with price and 24 hour figures',
  description: 'Sorted by address; at most 30 seconds old.',
  input: { in: 'query', name: 'MarketsRequest', schema: listQuery },
  inputExample: { limit: '100' },
  output: { name: 'MarketsResponse', schema: marketView.array(), example: [MARKET_VIEW] },
  codes: LIST_CODES,
  handle: (deps, query) => marketList(deps, { path, envelope: 'data', record: marketViewOf }, query),
});
