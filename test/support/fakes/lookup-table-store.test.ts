import { describe } from 'vitest';
import { describeLookupTableStore } from '../../conformance/lookup-table-store.ts';
import { fakeLookupTableStore } from './lookup-table-store.ts';

describe('lookup tables in memory', () => describeLookupTableStore(async () => fakeLookupTableStore()));
