import { PAIR } from '../market-examples.ts';
import { pairOf, pairRecord } from '../market-records.ts';
import { v1List } from '../v1-route.ts';

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
