import { fakeDatabase } from '../../support/fakes/database.ts';
import { describeMintPath } from './mint-path-suite.ts';

describeMintPath('the mint path over the database in memory', async () => fakeDatabase());
