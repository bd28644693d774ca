import type { Person } from '@tradepost/local-telegram';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuditStore } from '../../src/engine/audit/store/audit-store.ts';
import { earnTransfer } from '../../src/engine/ledger/rules/point-postings.ts';
import type { ConvertPeriod } from '../../src/modules/convert/rules.ts';
import { roundFaults } from '../../src/modules/games/rules/round.ts';
import { startRound } from '../../src/modules/games/use/start-round.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import { createGameSeeds } from '../../src/platform/games/game-seeds.ts';
import { newId } from '../conformance/store-rows.ts';
import { createTestDatabase } from '../support/database.ts';
import { fakeIds } from '../support/fakes/ids.ts';
import { TEST_CERTIFIER } from '../support/signer.ts';
import { type JourneyRig, startJourneyRig, until } from './rig.ts';

/** Updates as a hostile client sends them, through the real bot into Postgres. */
let rig: JourneyRig;
let db: PrismaDatabase;
let offset = 0;
const clock = { now: () => Date.now() + offset };
beforeAll(async () => {
  db = await createPrismaDatabase({ url: await createTestDatabase() });
  rig = await startJourneyRig('points-hostile', { db, clock, games: true, convert: true, unlimited: true });
});
afterAll(async () => {
  await rig.stop();
  await db.close();
});

const hash = (text: string) => createGameSeeds(new Uint8Array(32)).sha256(text);
const DAY = 86_400_000;
const NOBODY = 'AAAAAAAAAAAAAAAAAAAAAA';

type Shown = Awaited<ReturnType<Person['waitFor']>>;
type Inline = { inline_keyboard: { text: string; callback_data?: string }[][] };
function dataOf(message: { reply_markup?: unknown }, label: string): string {
  const found = (message.reply_markup as Inline).inline_keyboard.flat().find(({ text }) => text === label);
  if (found?.callback_data === undefined) throw new Error(`no button ${label}`);
  return found.callback_data;
}
const stateOf = (data: string): string => data.split(':')[2] ?? '';

const player = async (name: string, points: bigint) => {
  const { person, wallet } = await rig.trader(name);
  const user = await rig.user(person);
  const key = `grant/${newId()}`;
  await db.ledger.post(
    earnTransfer(
      { id: newId(), createdAt: Date.now() },
      { userId: user.id, points, reason: 'points-trade', key, ref: 'x' },
    ),
  );
  const balance = () => db.ledger.balance({ kind: 'points', owner: user.id });
  const rounds = () =>
    db.query<{ readonly id: string; readonly points: string }>(
      'SELECT id, points::text AS points FROM game_rounds WHERE user_id = $1 AND points IS NOT NULL ORDER BY id',
      [user.id],
    );
  return { person, wallet, user, balance, rounds };
};
const open = async (person: Person, button: string, text: RegExp): Promise<Shown> => {
  await person.say('/points');
  await person.waitFor(/Points \d/);
  await person.tap(button);
  return person.waitFor(text);
};
const openCoin = async (person: Person): Promise<Shown> => {
  await open(person, 'Games', /house keeps 5 %/);
  await person.tap('Coin guess');
  return person.waitFor(/Commitment [0-9a-f]{64}/);
};
/** The same tap from several devices, all at once. */
const tapAtOnce = (person: Person, message: Shown, datas: readonly string[]) =>
  Promise.all(datas.map((data) => person.tap({ data }, message.message_id)));

describe('a coin guess', () => {
  it('is one bet and one payout under double taps, two devices, another choice and replays', async () => {
    const { person, balance, rounds } = await player('Flipper', 1_000n);
    const message = await openCoin(person);
    const [heads, tails] = [dataOf(message, 'Heads'), dataOf(message, 'Tails')];
    await tapAtOnce(person, message, [heads, tails, heads, heads, tails]);
    const shown = await person.waitFor(/Seed [0-9a-f]{64}/);
    const [first, ...more] = await rounds();
    expect(more).toEqual([]);
    const round = await until(() => db.games.find(first?.id ?? ''));
    expect(roundFaults(round, hash)).toEqual([]);
    expect(shown.text).toContain(`Commitment ${round.commitment}`);
    expect(message.text).toContain(`Commitment ${round.commitment}`);
    expect(shown.text).toContain(`Seed ${round.result?.seed}`);
    const after = 1_000n - 10n + (round.result?.payout ?? 0n);
    expect(await balance()).toBe(after);
    await person.tap('Play again');
    const again = await person.waitFor(/fixed already/);
    expect(again.text).not.toContain(round.commitment);
    // The old button, kept by a client: it shows how that round ended and takes nothing.
    await person.tap({ data: tails }, message.message_id);
    await person.waitFor(new RegExp(`Seed ${round.result?.seed}`));
    expect([await balance(), (await rounds()).length]).toEqual([after, 1]);
  });

  it('gives nothing to forged data, to another person’s button and to buttons of other screens', async () => {
    const { person, balance, rounds } = await player('Victim', 200n);
    const thief = await player('Thief', 200n);
    const message = await openCoin(person);
    const state = stateOf(dataOf(message, 'Heads'));
    const own = await openCoin(thief.person);
    await thief.person.tap({ data: `games:flip-0:${state}` }, own.message_id);
    await thief.person.waitForToast(/This button is old/);
    for (const data of [
      `games:flip-0:${NOBODY}`,
      `games:flip-2:${state}`,
      `games:flip-99:${state}`,
      `games:flip:${state}`,
      'games:flip-0',
      'games:spin-3',
      `games:nosuch-1:${state}`,
      `points:claim-0:${state}`,
    ]) {
      await person.tap({ data }, message.message_id);
      await person.waitForToast(/This button is old/);
    }
    for (const data of [`points:redeem:${state}`, `convert:confirm:${state}`]) {
      await person.tap({ data }, message.message_id);
      await person.waitForToast(/Already pressed, or too old/);
    }
    expect([await balance(), await thief.balance(), await rounds(), await thief.rounds()]).toEqual([
      200n,
      200n,
      [],
      [],
    ]);
  });

  it('takes no stake that is negative, huge, nothing, between the steps or no number', async () => {
    const { person, balance, rounds } = await player('Staker', 1_000n);
    await openCoin(person);
    await person.tap('Other stake');
    await person.waitFor(/How many points do you stake\? 10 to 100/);
    for (const [typed, answer] of [
      ['-50', /cannot be negative/],
      ['0', /more than zero/],
      ['99999999999999999999999999', /larger than any amount/],
      ['110', /Expected 10 to 100 points, in steps of 10/],
      ['15', /Expected 10 to 100 points, in steps of 10/],
      ['1e2', /not an amount/],
    ] as const) {
      await person.say(typed);
      await person.waitFor(answer);
    }
    await person.say('30');
    const message = await person.waitFor(/Stake 30: a right guess pays 57/);
    await person.tap({ data: dataOf(message, 'Heads') }, message.message_id);
    await person.waitFor(/Seed [0-9a-f]{64}/);
    expect((await rounds()).map(({ points }) => points)).toEqual(['30']);
    expect([970n, 1_027n]).toContain(await balance());
  });

  it('is settled by the worker when the bot dies between bet and result', async () => {
    const { person, user, balance } = await player('Survivor', 100n);
    const message = await openCoin(person);
    const data = dataOf(message, 'Tails');
    await rig.restartBot({
      games: {
        ...rig.services.games,
        playRound: async (bet) => {
          await startRound({ db, clock, ids: fakeIds(Number(user.telegramId)) }, bet);
          throw new Error('killed');
        },
      },
    });
    await person.tap({ data }, message.message_id);
    await person.waitFor(/fault on our side/);
    expect(await balance()).toBe(90n);
    await rig.restartBot();
    offset += 5_000;
    await Promise.all([rig.services.settlePoints(), rig.services.settlePoints()]);
    const settled = await balance();
    expect([90n, 109n]).toContain(settled);
    await person.tap({ data }, message.message_id);
    await person.waitFor(/Seed [0-9a-f]{64}/);
    expect(await balance()).toBe(settled);
  });
});

describe('the wheel', () => {
  it('turns once a day on however many devices, also when the clock is set back', async () => {
    const { person, rounds } = await player('Turner', 500n);
    await open(person, 'Games', /Games/);
    await person.tap('Daily wheel');
    const message = await person.waitFor(/16 sectors pay: 1 × 5, 2 × 2, 4 × 1/);
    const state = stateOf(dataOf(message, '4'));
    await tapAtOnce(person, message, [
      `games:spin-3:${state}`,
      `games:spin-9:${state}`,
      `games:spin-3:${state}`,
    ]);
    await person.waitFor(/Seed [0-9a-f]{64}/);
    try {
      for (const back of [0, DAY, 30 * DAY]) {
        offset -= back;
        await open(person, 'Games', /Games/);
        await person.tap('Daily wheel');
        await person.waitFor(/You have turned it today/);
      }
    } finally {
      offset = 0;
    }
    expect(await rounds()).toHaveLength(1);
  });
});

describe('mining and the shop', () => {
  it('gives nothing for a clock that is set back', async () => {
    const { person, balance } = await player('Traveller', 1n);
    await person.say('/points');
    await person.waitFor(/Energy 100\/100/);
    try {
      while ((await balance()) < 101n) {
        offset += 1_000;
        await person.tap('Mine +10');
        await person.waitForToast(/energy/);
      }
      for (const back of [3_600_000, 5 * DAY]) {
        offset -= back;
        await person.tap('Mine +10');
        await person.waitForToast(/No energy left/);
      }
    } finally {
      offset = 0;
    }
    expect(await balance()).toBe(101n);
  });

  it('sells once under double taps and replays, and nothing by somebody else’s button', async () => {
    const { person, user, balance } = await player('Buyer', 500n);
    const thief = await player('Shoplifter', 500n);
    await open(person, 'Shop', /Shop · you have 500 points/);
    await person.tap('Get fee −10 %, 1 day');
    const message = await person.waitFor(/Give 150 points for this/);
    const data = dataOf(message, 'Give 150 points');
    await thief.person.tap({ data }, (await thief.person.lastMessage())?.message_id);
    await thief.person.waitForToast(/Already pressed, or too old/);
    await tapAtOnce(person, message, [data, data, data, data]);
    await person.waitFor(/Done\./);
    await person.tap({ data }, message.message_id);
    await person.waitForToast(/Already pressed, or too old/);
    expect([await balance(), await thief.balance()]).toEqual([350n, 500n]);
    expect(await db.shop.listByUser(user.id)).toHaveLength(1);
  });
});

/** As `ops convert announce` writes it down. */
function announce(facts: Pick<ConvertPeriod, 'budgetLamports' | 'opensAt' | 'closesAt'>) {
  const at = clock.now();
  const certificate = TEST_CERTIFIER.period({ ...facts, at, uncountedLamports: 0n, isCancelled: false });
  return db.convert.announce({ ...facts, announcedAt: at, seal: { at, uncountedLamports: 0n, certificate } });
}

describe('convert', () => {
  it('locks what was confirmed, once, and pays the share to the deposit wallet', async () => {
    const { person, wallet, user, balance } = await player('Converter', 1_000n);
    const thief = await player('Envious', 1_000n);
    const period = await announce({
      budgetLamports: 50_000_000n,
      opensAt: clock.now() - 1_000,
      closesAt: clock.now() + 10 * DAY,
    });
    expect(period?.number).toBe(1);
    await open(person, 'Convert', /A fixed budget of 0\.05 SOL/);
    await person.tap('Give points');
    await person.waitFor(/How many points do you give\?/);
    for (const [typed, answer] of [
      ['-300', /cannot be negative/],
      ['99', /At least 100 points/],
      ['1001', /takes 1001 points; you have 1000/],
      ['99999999999999999999999999', /larger than any amount/],
    ] as const) {
      await person.say(typed);
      await person.waitFor(answer);
    }
    await person.say('300');
    const message = await person.waitFor(/Give 300 points in period 1\?/);
    const data = dataOf(message, 'Give 300 points');
    await thief.person.tap({ data }, (await thief.person.lastMessage())?.message_id);
    await thief.person.waitForToast(/Already pressed, or too old/);
    await tapAtOnce(person, message, [data, data, data]);
    await person.waitFor(/Done\. 300 points are in period 1/);
    await person.tap({ data }, message.message_id);
    await person.waitForToast(/Already pressed, or too old/);
    expect([await balance(), await thief.balance()]).toEqual([700n, 1_000n]);
    expect(await db.convert.entered(1, user.id)).toEqual({ total: 300n, own: 300n });

    const before = await rig.chain.balance(wallet.address);
    try {
      offset += 11 * DAY;
      await rig.services.settlePoints();
      await rig.services.settlePoints();
      await person.waitFor(/Convert, period 1: your 300 points brought 0\.05 SOL/);
      await until(async () => (await rig.chain.balance(wallet.address)) === before + 50_000_000n);
    } finally {
      offset = 0;
    }
    // A clock that is set back does not open it again.
    await open(thief.person, 'Convert', /Convert is announced and not open yet/);
  });

  it('stays shut while it and the games are switched off, and tells those who asked when it opens', async () => {
    const { person, balance, rounds } = await player('Patient', 500n);
    const coin = await openCoin(person);
    await rig.restartBot({ options: { ...rig.options, games: false, convert: false } });
    await person.tap({ data: dataOf(coin, 'Heads') }, coin.message_id);
    await person.waitFor(/Games are not open here yet/);
    await open(person, 'Convert', /Convert is announced and not open yet\. Your points stay/);
    await person.tap('Tell me when it opens');
    await person.waitForToast(/You will get a message/);
    await person.tap({ data: 'convert:give' }, (await person.lastMessage())?.message_id);
    await person.waitFor(/takes no points now/);
    await rig.restartBot();
    await rig.services.settlePoints();
    await announce({
      budgetLamports: 1_000n,
      opensAt: clock.now() + 20 * DAY,
      closesAt: clock.now() + 30 * DAY,
    });
    try {
      offset += 21 * DAY;
      await Promise.all([rig.services.settlePoints(), rig.services.settlePoints()]);
      await person.waitFor(/Convert is open/);
    } finally {
      offset = 0;
    }
    expect([await balance(), await rounds()]).toEqual([500n, []]);
  });
});

describe('afterwards', () => {
  it('the books are in order', async () => {
    expect(await createAuditStore(db.query).mismatches()).toEqual([]);
  });
});
