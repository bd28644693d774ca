import { fakeClock } from '../support/fakes/clock.ts';
import { fakeDatabase } from '../support/fakes/database.ts';
import { fakeDialogStore } from '../support/fakes/dialog-store.ts';
import { describeOneUse } from './one-use-suite.ts';

describeOneUse(
  'in memory',
  async () => fakeDatabase(),
  async () => fakeDialogStore(fakeClock()),
);
