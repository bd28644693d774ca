import { describe } from 'vitest';
import { describeDialogStore } from '../../conformance/dialog-store.ts';
import { fakeClock } from './clock.ts';
import { fakeDialogStore } from './dialog-store.ts';

describe('dialogues in memory', () => {
  describeDialogStore(async () => {
    const clock = fakeClock();
    return { store: fakeDialogStore(clock), pass: async (ms) => clock.advance(ms) };
  });
});
