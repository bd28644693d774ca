import { afterAll, beforeAll, describe } from 'vitest';
import { openTape, type Tape } from '../../../src/platform/tape/open-tape.ts';
import { describeTapeStore } from '../../conformance/tape-store.ts';
import { createTestDatabase } from '../../support/database.ts';

let tape: Tape;
beforeAll(async () => {
  tape = await openTape({ url: await createTestDatabase() });
});
afterAll(() => tape.tape.close());

describe('the tape in Postgres', () =>
  describeTapeStore(async () => {
    await tape.markets.forget();
    return tape;
  }));
