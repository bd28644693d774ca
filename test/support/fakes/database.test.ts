import { describe, expect, it } from 'vitest';
import { describeStores } from '../../conformance/stores.ts';
import { fakeDatabase } from './database.ts';

describe('the database in memory', () => {
  describeStores(async () => fakeDatabase());

  it('refuses a write on itself from inside a transaction, where the real one could wait for ever', async () => {
    const db = fakeDatabase();
    await expect(db.transact(() => db.flags.set('trading-paused', true, 0))).rejects.toThrow(
      'inside transact',
    );
  });
});
