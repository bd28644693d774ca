import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jobHandlers } from '../../src/compose/create-worker.ts';
import type { Database } from '../../src/platform/ports/stores.ts';
import { createLocalJobs } from '../../src/platform/worker/local-jobs.ts';
import { fakeDatabase } from '../support/fakes/database.ts';
import { type JourneyRig, noTape, startJourneyRig, until } from './rig.ts';

/**
 * What one purchase asks of the database, from the pasted address until it is final: 28 transactions, four more for the own
 * result on the card of a token that is held, two more when the watcher looks while the slot is still open, two for the exits that the
 * message of the purchase shows, and one in which the signer reads the person's certificate.
 */
const MOST = 37;
/** They come by the clock, whether anybody trades or not. */
const BY_THE_CLOCK = new Set(['watch.beat', 'flags.pauses']);

const asked: string[] = [];
const db = fakeDatabase();
let rig: JourneyRig;

/** Each call outside a transaction commits by itself, and a transaction is one however much is done in it. */
function counted(db: Database): Database {
  const note = (name: string, call: (...args: unknown[]) => unknown) => {
    return (...args: unknown[]) => {
      if (!BY_THE_CLOCK.has(name)) asked.push(name);
      return call(...args);
    };
  };
  const stores = Object.entries(db).map(([store, methods]) => [
    store,
    typeof methods === 'function'
      ? note(store, methods as (...args: unknown[]) => unknown)
      : Object.fromEntries(
          Object.entries(methods).map(([name, method]) => [
            name,
            note(`${store}.${name}`, method as (...args: unknown[]) => unknown),
          ]),
        ),
  ]);
  return Object.fromEntries(stores) as Database;
}

beforeAll(async () => {
  rig = await startJourneyRig('trade-cost', { db: counted(db), unlimited: true });
  const { services, deliverNotice, clock, queue } = rig;
  // As in a process that has the worker's role.
  services.relay.here = createLocalJobs({
    handlers: jobHandlers({ services: { ...services, ...noTape, deliverNotice }, log: rig.log }),
    queue,
    clock,
    places: 4,
  });
});
afterAll(() => rig.stop());

describe('one purchase', () => {
  it(`takes at most ${MOST} database transactions, taps included`, async () => {
    const { person } = await rig.trader('Ann', 10n);
    const buy = async (): Promise<void> => {
      await person.say(rig.token('PUP').mint);
      await person.waitFor(
        (text, message) => /\n\S+( SOL)? · cap |No market/.test(text) && message.reply_markup !== undefined,
      );
      await person.tap('🟢 0.1');
      await person.waitFor((text, message) => /At least/.test(text) && message.reply_markup !== undefined);
      await person.tap('Confirm buy');
      await person.waitFor(/^Bought/);
      const user = await db.users.findByTelegramId(BigInt(person.user.id));
      const ended = async () =>
        (await db.intents.listByUser(user?.id ?? '', { limit: 9 })).every(
          ({ status }) => status === 'SUCCEEDED',
        );
      await until(ended);
      await until(async () => (await db.notices.undelivered(Number.MAX_SAFE_INTEGER, 9)).length === 0);
    };
    // The first one fills what is remembered: token, exit, tables, whose wallet it is.
    await buy();
    const before = asked.length;
    await buy();
    const mine = asked.slice(before);
    expect(mine.length, mine.join('\n')).toBeLessThanOrEqual(MOST);
    // Far below it, something of a trade would not have been counted.
    expect(mine.filter((name) => name === 'transact').length).toBeGreaterThanOrEqual(5);
  });
});
