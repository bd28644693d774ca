import { describe } from 'vitest';
import { describeApiUsageStore } from '../../conformance/api-usage-store.ts';
import { fakeApiUsageStore } from './api-usage-store.ts';

describe('API usage in memory', () => describeApiUsageStore(async () => fakeApiUsageStore()));
