import { fakeDatabase } from '../../support/fakes/database.ts';
import { describeSecondFactor } from './second-factor-suite.ts';

describeSecondFactor('a second factor', async () => fakeDatabase());
