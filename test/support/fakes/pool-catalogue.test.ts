import { describe } from 'vitest';
import { describePoolCatalogue } from '../../conformance/pool-catalogue.ts';
import { fakePoolCatalogue } from './pool-catalogue.ts';

describe('the pool catalogue in memory', () => describePoolCatalogue(async () => fakePoolCatalogue()));
