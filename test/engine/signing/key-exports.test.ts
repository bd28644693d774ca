import { fakeDatabase } from '../../support/fakes/database.ts';
import { describeKeyExports } from './key-exports-suite.ts';

describeKeyExports(async () => fakeDatabase());
