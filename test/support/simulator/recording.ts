import type { Intent } from '../../../src/engine/intents/rules/intent.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';

/** The database with a note of every intent that is inserted, also of those whose transaction is rolled back later. */
export function recording(db: Database, note: (intent: Intent) => void): Database {
  return {
    ...db,
    transact: (work) =>
      db.transact((stores) =>
        work({
          ...stores,
          intents: {
            ...stores.intents,
            insert: async (intent) => {
              const result = await stores.intents.insert(intent);
              if (result.created) note(result.intent);
              return result;
            },
          },
        }),
      ),
  };
}
