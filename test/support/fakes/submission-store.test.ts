import { describe } from 'vitest';
import { describeSubmissionStore } from '../../conformance/submission-store.ts';
import { fakeSubmissionStore } from './submission-store.ts';

describe('submissions in memory', () => describeSubmissionStore(async () => fakeSubmissionStore()));
