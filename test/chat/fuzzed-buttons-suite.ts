import { shortAddress } from '@tradepost/solana';
import type { Context } from 'grammy';
import type { Update } from 'grammy/types';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assembleBot } from '../../src/compose/assemble-bot.ts';
import type { Database } from '../../src/platform/ports/stores.ts';
import { createButtonStates } from '../../src/platform/telegram/ui/state.ts';
import { type JourneyRig, startJourneyRig, until } from '../journeys/rig.ts';
import { seededRandom } from '../support/simulator/random.ts';

const ALICE = 71;
const MALLORY = 666;
const me = {
  id: 42,
  is_bot: true as const,
  first_name: 'Bot',
  username: 'test_bot',
} as unknown as Context['me'];

let rig: JourneyRig;

/** The assembled bot on a Telegram that takes everything at once; every button that it shows is written down. */
function assemble() {
  const { db, clock, ids } = rig.botDeps;
  const seen = new Map<number, Set<string>>();
  const told = new Map<number, string[]>();
  const states = createButtonStates({ buttons: db.buttons, clock, ids });
  // Every tap is to be looked at, however fast.
  const options = { ...rig.options, rateLimit: { updates: 1_000_000, windowMs: 1 } };
  const bot = assembleBot({ ...rig.botDeps, options, states });
  bot.botInfo = me as never;
  let serial = 0;
  let longest = 0;
  bot.api.config.use(async (_, __, payload) => {
    serial += 1;
    const { reply_markup: markup, chat_id: chat } = payload as {
      reply_markup?: { inline_keyboard?: { callback_data?: string }[][] };
      chat_id?: number;
    };
    if (chat !== undefined) told.set(chat, [...(told.get(chat)?.slice(-50) ?? []), JSON.stringify(payload)]);
    for (const { callback_data: data } of (markup?.inline_keyboard ?? []).flat()) {
      if (data === undefined || chat === undefined) continue;
      longest = Math.max(longest, Buffer.byteLength(data));
      const known = seen.get(chat) ?? new Set<string>();
      seen.set(chat, known.add(data));
    }
    return {
      ok: true,
      result: { message_id: serial, date: 0, chat: { id: chat ?? 0, type: 'private' } },
    } as never;
  });
  let updates = 0;
  const person = (id: number) => ({ id, is_bot: false, first_name: id === ALICE ? 'Alice' : 'Mallory' });
  const send = async (update: object): Promise<void> => {
    updates += 1;
    await bot.handleUpdate({ update_id: updates, ...update } as Update);
  };
  return {
    longest: () => longest,
    /** The newest of what was said in a chat. */
    told: (id: number) => (told.get(id) ?? []).join('\n'),
    buttonsOf: (id: number) => [...(seen.get(id) ?? [])],
    say: (id: number, text: string) =>
      send({
        message: {
          message_id: 1,
          date: 0,
          text,
          from: person(id),
          chat: { id, type: 'private', first_name: 'P' },
          ...(text.startsWith('/')
            ? { entities: [{ type: 'bot_command', offset: 0, length: text.length }] }
            : {}),
        },
      }),
    tap: (id: number, data: string, chat: { id: number; type: string } = { id, type: 'private' }) =>
      send({
        callback_query: {
          id: '1',
          chat_instance: '1',
          from: person(id),
          data,
          message: { message_id: 1, date: 0, chat, from: me, text: 'x' },
        },
      }),
  };
}

/** Everything of hers that anybody could want to change. */
async function everythingOf(telegramId: number): Promise<string> {
  const { db } = rig;
  const user = await db.users.findByTelegramId(BigInt(telegramId));
  if (user === null) throw new Error('unknown');
  const wallets = await db.wallets.listByUser(user.id, { deleted: true });
  const kept = await Promise.all([
    db.intents.listByUser(user.id, { limit: 1_000 }),
    db.guards.find(user.id),
    db.referrals.account(user.id),
    db.createdTokens.listByUser(user.id, 100),
    ...wallets.map(({ id }) => db.addressBook.list(id)),
  ]);
  // Where the bot's last screen stands is the chat's affair.
  const { screenMessageId: _, ...rest } = user;
  return JSON.stringify([rest, wallets, kept], (key, value: unknown) =>
    key.startsWith('lease') ? undefined : typeof value === 'bigint' ? String(value) : value,
  );
}

/**
 * Whose button a tap is, is decided by the rows: run over the database in memory and over Postgres, whose SQL asks for the owner.
 * BUTTON_TAPS=100000 for the full size.
 */
export function describeFuzzedButtons(title: string, usual: number, open: () => Promise<Database>): void {
  const TAPS = Number(process.env['BUTTON_TAPS'] ?? usual);
  describe(title, () => {
    beforeAll(async () => {
      rig = await startJourneyRig(title, { db: await open() });
    });
    afterAll(() => rig?.stop());

    it(`change nothing of hers, ${TAPS} of them, stolen, forged, in groups and replayed`, async () => {
      const bot = assemble();
      await bot.say(ALICE, '/start');
      const make = bot.buttonsOf(ALICE).find((data) => /create|new/.test(data)) ?? '';
      await bot.tap(ALICE, make);
      const alice = await until(() => rig.db.users.findByTelegramId(BigInt(ALICE)));
      const wallet = await until(async () => (await rig.db.wallets.listByUser(alice.id))[0]);
      await rig.fund(wallet.address, 3_000_000_000n);
      // Every screen that a word leads to, and every screen behind their buttons that spends nothing by a tap.
      const words = [
        '/home',
        '/wallets',
        '/setting',
        '/deposit',
        '/withdraw_sol',
        '/referral',
        '/points',
        '/help',
      ];
      for (const word of [...words, '/create_token', rig.token('PUP').mint]) await bot.say(ALICE, word);
      for (let round = 0; round < 2; round += 1) {
        for (const data of bot.buttonsOf(ALICE)) {
          if (/confirm|delete|panic|now|stop|end|faucet|place/.test(data)) continue;
          await bot.tap(ALICE, data);
        }
      }
      // A purchase that she could confirm now, with its button.
      await bot.say(ALICE, rig.token('PUP').mint);
      const buys = bot.buttonsOf(ALICE).filter((data) => data.startsWith('trade:buy'));
      await bot.tap(ALICE, buys.at(-1) ?? '');
      const hers = bot.buttonsOf(ALICE);
      expect(hers.length).toBeGreaterThan(40);
      expect(hers.filter((data) => /confirm/.test(data)).length).toBeGreaterThan(0);

      await bot.say(MALLORY, '/start');
      const before = await everythingOf(ALICE);
      const random = seededRandom(16);
      const letters = Array.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-:');
      const forged = (): string => {
        const data = random.pick(hers);
        const at = random.between(0, data.length - 1);
        switch (random.between(0, 5)) {
          case 0:
            return data.slice(0, at) + random.pick(letters) + data.slice(at + 1);
          case 1:
            return data.slice(0, at);
          case 2:
            return `${data}${random.pick(letters)}`.slice(0, 64);
          // One screen's state behind another screen's action.
          case 3:
            return [...data.split(':').slice(0, 2), random.pick(hers).split(':')[2] ?? ''].join(':');
          case 4:
            return Array.from({ length: random.between(1, 64) }, () => random.pick(letters)).join('');
          default:
            return data;
        }
      };
      const chats = [
        { id: MALLORY, type: 'private' },
        { id: -100, type: 'group' },
        { id: -1_000_000, type: 'supergroup' },
        { id: -2_000_000, type: 'channel' },
      ];
      // Each of hers as it is, once for sure.
      for (const data of hers) await bot.tap(MALLORY, data);
      for (let n = 0; n < TAPS; n += 1) {
        const isHers = random.chance(0.1);
        // Her own taps count in her own chat alone.
        if (isHers) await bot.tap(ALICE, forged(), random.pick(chats.slice(1)));
        else await bot.tap(MALLORY, forged(), random.pick(chats));
        if (n % 20 === 19) {
          const heard = chats.map(({ id }) => bot.told(id)).join('\n');
          expect(heard).not.toContain(wallet.address);
          expect(heard).not.toContain(shortAddress(wallet.address));
        }
        if (n % 1_000 === 999) expect(await everythingOf(ALICE), `after ${n} taps`).toBe(before);
      }
      expect(await everythingOf(ALICE)).toBe(before);
      // Nor did she request for anything herself: she has no wallet, so it would be with somebody else's.
      const mallory = await until(() => rig.db.users.findByTelegramId(BigInt(MALLORY)));
      expect(await rig.db.intents.listByUser(mallory.id, { limit: 5 })).toEqual([]);
      expect(bot.longest()).toBeLessThanOrEqual(64);
      // The same bytes from herself still work: it was the hand that was refused, not the button.
      const confirm = hers.filter((data) => /confirm/.test(data)).at(-1) ?? '';
      await bot.tap(ALICE, confirm);
      await until(async () => (await rig.db.intents.listByUser(alice.id, { limit: 5 })).length > 0);
    }, 3_600_000);
  });
}
