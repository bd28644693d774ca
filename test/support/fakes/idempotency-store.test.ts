import { describe } from 'vitest';
import { describeIdempotencyStore } from '../../conformance/idempotency-store.ts';
import { fakeIdempotencyStore } from './idempotency-store.ts';

describe('kept answers in memory', () => describeIdempotencyStore(async () => fakeIdempotencyStore()));
