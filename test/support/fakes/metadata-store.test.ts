import { describe } from 'vitest';
import { describeMetadataStore } from '../../conformance/metadata-store.ts';
import { fakeMetadataStore } from './metadata-store.ts';

describe('files in memory', () => describeMetadataStore(async (options) => fakeMetadataStore(options)));
