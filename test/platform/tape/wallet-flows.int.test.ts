import { afterAll, beforeAll, describe } from 'vitest';
import { openTape, type Tape } from '../../../src/platform/tape/open-tape.ts';
import { describeWalletFlows } from '../../conformance/wallet-flows.ts';
import { createTestDatabase } from '../../support/database.ts';

let tape: Tape;
beforeAll(async () => {
  tape = await openTape({ url: await createTestDatabase() });
});
afterAll(() => tape.tape.close());

describe('beside the tape in Postgres', () =>
  describeWalletFlows(
    async () => {
      await tape.markets.forget();
      return tape;
    },
    { trades: 2_000, steps: 9 },
  ));
