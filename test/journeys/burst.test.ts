import type { Person } from '@tradepost/local-telegram';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type JourneyRig, PIN, startJourneyRig, until } from './rig.ts';
import { sayAndWait, tapAndWait } from './token-wizard.ts';

/** How often a PIN was compared, and whether the process dies over the next one. */
const pins = { compared: 0, dies: false };
let rig: JourneyRig;
beforeAll(async () => {
  rig = await startJourneyRig('burst', {
    wrapPins: (real) => ({
      ...real,
      verify: async (...typed) => {
        if (pins.dies) throw new Error('killed between PIN and commit');
        pins.compared += 1;
        return real.verify(...typed);
      },
    }),
  });
});
afterAll(() => rig.stop());

/** What stands in the chat and was said by the person. */
const theirs = (person: Person): readonly string[] =>
  [...(rig.telegram.core.world.chats.get(person.user.id)?.messages.values() ?? [])].flatMap((item) => {
    const { message } = item as { message: { from?: { id: number }; text?: string } };
    return message.from?.id === person.user.id ? [message.text ?? ''] : [];
  });
const pinsLeft = (person: Person): readonly string[] => theirs(person).filter((text) => /\d{6}/.test(text));

async function withPin(name: string): Promise<Person> {
  const { person } = await rig.trader(name, 3n);
  const { id: userId } = await rig.user(person);
  const hash = await rig.services.guard.hashPin({ userId, pin: PIN });
  await rig.services.guard.setPin({ userId, hash, again: PIN, replaces: null });
  await sayAndWait(person, '/setting', /Settings/);
  await tapAndWait(person, 'Security', /PIN: set/);
  return person;
}

const STRANGER = 'HWuj7UbrYze7Aijy3dTVgQUooVvZqXm1NQ5phJyinyFc';

async function toSend(person: Person): Promise<void> {
  await person.say('/withdraw_sol');
  await person.waitFor(/To which/);
  await person.say(STRANGER);
  await person.waitFor(/How much SOL/);
  await person.say('1');
  await person.waitFor(/cannot be undone/);
}

describe('Under the limit of production', () => {
  it('deletes a PIN that is the fourth thing within a moment', async () => {
    const person = await withPin('Hasty');
    await rig.burst(async () => {
      await person.tap('Change PIN');
      for (let n = 0; n < 3; n += 1) await person.say('111222');
    });
    await person.waitFor(/Tries left: 2/);
    expect(pinsLeft(person)).toEqual([]);
  });

  it('lets /panic through as the fifth command', async () => {
    const person = await withPin('Hurried');
    await rig.burst(async () => {
      for (const command of ['/home', '/help', '/home', '/help', '/panic']) await person.say(command);
    });
    await person.waitFor(/Frozen/);
    const { id: userId } = await rig.user(person);
    expect((await rig.services.guard.overview({ userId })).frozen).toBe(true);
    // What is not urgent is limited.
    await rig.burst(async () => {
      for (const command of ['/home', '/help', '/home', '/help']) await person.say(command);
    });
    await person.waitFor(/too fast/);
  });

  it('deletes twenty PINs of one second, compares five, and tells the truth', async () => {
    const person = await withPin('Flood');
    await tapAndWait(person, 'Change PIN', /present PIN/);
    pins.compared = 0;
    await rig.burst(async () => {
      for (let n = 0; n < 20; n += 1) await person.say(String(300_200 + n * 17));
    });
    await person.waitFor(/Too many wrong PINs/);
    await until(async () => pinsLeft(person).length === 0);
    expect(pins.compared).toBe(5);
    expect((await person.transcript()).match(/nothing asks for one now/g)).toHaveLength(1);
  });

  it('deletes a right PIN that is sent twice', async () => {
    const person = await withPin('Twice');
    await toSend(person);
    await rig.burst(async () => {
      await person.say(PIN);
      await person.say(PIN);
    });
    await person.waitFor(/^Sent .*\(in \d/);
    await until(async () => pinsLeft(person).length === 0);
    expect((await rig.intents(person)).length).toBe(1);
  });
});

describe('A process that dies between the PIN and the commit', () => {
  it('leaves no "Preparing…" and no PIN, and takes the PIN when it is back, however often it died', async () => {
    const person = await withPin('Unlucky');
    await toSend(person);
    pins.dies = true;
    for (let n = 0; n < 9; n += 1) {
      await person.say(PIN);
      // As far as a process gets before it is killed; the next one is asked again by nobody.
      await until(async () => pinsLeft(person).length === 0);
      await rig.restartBot();
    }
    expect(await rig.intents(person)).toHaveLength(0);
    expect(await person.transcript()).not.toMatch(/Preparing/);
    pins.dies = false;
    await person.say(PIN);
    await person.waitFor(/^Sent .*\(in \d/);
    expect(await rig.intents(person)).toHaveLength(1);
    expect(pinsLeft(person)).toEqual([]);
  });
});

describe('A private key that nobody asked for', () => {
  it('is deleted', async () => {
    const { person } = await rig.trader('Careless');
    await person.say(JSON.stringify(Array.from({ length: 64 }, (_, n) => n)));
    await person.waitFor(/looked like a private key/);
    expect(theirs(person).filter((text) => text.startsWith('['))).toEqual([]);
  });
});
