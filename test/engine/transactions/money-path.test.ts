import { fakeDatabase } from '../../support/fakes/database.ts';
import { describeMoneyPath } from './money-path-suite.ts';

describeMoneyPath('the money path over the database in memory', async () => fakeDatabase());
