import { VOLUME } from '../market-examples.ts';
import { volumeOf, volumeRecord } from '../market-records.ts';
import { v1List } from '../v1-route.ts';

export const volumes = v1List({
  path: '/v1/volumes',
  operationId: 'listVolumes',
  summary: '24 hour volumes of all markets',
  description: 'Volumes in quote tokens over the last 1,440 whole minutes and the current one.',
  name: 'Volumes',
  schema: volumeRecord,
  record: volumeOf,
  example: VOLUME,
  successor: '/markets',
});
