import { describeJournal } from '../../conformance/journal.ts';
import { fakeDisk, fakeJournal } from './journal.ts';

describeJournal('the journal in memory', async () => {
  const disk = fakeDisk();
  let journal = fakeJournal(disk);
  return {
    journal,
    restart: async () => {
      journal = fakeJournal(disk);
      return journal;
    },
    fill: (isFull) => {
      journal.full = isFull;
    },
    close: () => journal.close(),
  };
});
