import { expect, it } from 'vitest';
import { rememberDialogs } from '../../../../src/platform/telegram/dialog/remembered-dialogs.ts';
import { memoryDialogStore } from '../../../support/chat/memory-dialog-store.ts';

it('asks the store once, absent rows included, and writes through', async () => {
  const store = memoryDialogStore();
  let reads = 0;
  const dialogs = rememberDialogs({
    ...store,
    read: (key) => {
      reads += 1;
      return store.read(key);
    },
  });
  expect(await dialogs.read('a')).toBeNull();
  expect(await dialogs.read('a')).toBeNull();
  expect(await dialogs.write('a', 0, 'one', 60)).toBe(true);
  expect(await dialogs.read('a')).toEqual({ revision: 1, value: 'one' });
  expect(await store.read('a')).toEqual({ revision: 1, value: 'one' });
  await dialogs.delete('a');
  expect(await dialogs.read('a')).toBeNull();
  expect(await store.read('a')).toBeNull();
  expect(reads).toBe(1);
});

it('forgets what it knew when another instance wrote first', async () => {
  const store = memoryDialogStore();
  const dialogs = rememberDialogs(store);
  await dialogs.write('a', 0, 'mine', 60);
  await store.write('a', 1, 'theirs', 60);
  expect(await dialogs.write('a', 1, 'mine again', 60)).toBe(false);
  expect(await dialogs.read('a')).toEqual({ revision: 2, value: 'theirs' });
});
