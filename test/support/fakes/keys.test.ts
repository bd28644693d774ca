import { describe } from 'vitest';
import { describeApiLimiter } from '../../conformance/api-limiter.ts';
import { describeKeyStores } from '../../conformance/key-stores.ts';
import { fakeApiLimiter } from './api-limiter.ts';
import { fakeDatabase } from './database.ts';

describe('the stores of keys in memory', () => describeKeyStores(async () => fakeDatabase()));

describe('limits in memory', () =>
  describeApiLimiter(async () => {
    const limiter = fakeApiLimiter();
    return [limiter, limiter];
  }));
