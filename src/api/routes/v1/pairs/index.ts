import { PAIR } from '../../shared/market-examples.ts';
import { pairOf, pairRecord } from '../../shared/market-records.ts';
import { v1List } from '../../shared/v1-route.ts';

export const pairs = v1List({
  path: '/v1/pairs',
  operationId: 'listPairs',
  summary: 'All markets',
  description: 'Every market that is known, traded or not, sorted by address.',
  name: 'Pairs',
  schema: pairRecord,
  record: pairOf,
  example: PAIR,
  successor: '/markets',
});
