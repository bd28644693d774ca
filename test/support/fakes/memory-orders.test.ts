import { describe } from 'vitest';
import { describeOrderFeed } from '../../conformance/order-feed.ts';
import { memoryOrderFeed } from './memory-orders.ts';

describe('the feed of orders in memory', () => {
  const feed = memoryOrderFeed();
  describeOrderFeed(() => feed);
});
