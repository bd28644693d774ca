import { fakeDatabase } from '../support/fakes/database.ts';
import { describeFuzzedButtons } from './fuzzed-buttons-suite.ts';

describeFuzzedButtons('somebody else’s taps', 1_500, async () => fakeDatabase());
