/**
 * Menu taps through the full stack (local Telegram, runner, person and settings from Postgres, chain reads, screen edited)
 * against a bare grammY bot that answers the tap and edits its message, over the same Bot API server, same people, same run.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run as runBot, sequentialize } from '@grammyjs/runner';
import { createPerson, type Person, startLocalTelegram } from '@tradepost/local-telegram';
import { Bot, InlineKeyboard } from 'grammy';
import { startProgram } from '../test/support/program.ts';
import { median } from './median.ts';
import type { Row } from './run.ts';

export const name = 'bot';

const PEOPLE = 8;
const TAPS = 40;
const ROUNDS = 3;

export async function run(): Promise<readonly Row[]> {
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(await bareRate());
    ours.push(await ourRate());
  }
  const [rate, baseline] = [median(ours), median(bare)];
  return [
    {
      metric: 'menu taps per second, full stack',
      value: rate,
      unit: '/s',
      baseline: 'a bare grammY bot',
      ratio: rate / baseline,
      note: 'goal 0.5',
    },
    { metric: 'menu taps per second, bare grammY bot', value: baseline, unit: '/s' },
  ];
}

async function ourRate(): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), 'tradepost-bench-'));
  const program = await startProgram(dir, { CHAT_UPDATES: '1000' });
  try {
    const people = await meet(program.run.chatUrl);
    for (const person of people) {
      await person.start();
      await person.waitFor(/Welcome/);
      await person.tap('Create Deposit Wallet');
      await person.waitFor(/is ready/);
      await person.say('/setting');
      await person.waitFor(/Settings/);
    }
    return await tapAll(people, 'Confirm trades');
  } finally {
    await program.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function bareRate(): Promise<number> {
  const telegram = await startLocalTelegram();
  const bot = new Bot(telegram.token, { client: { apiRoot: telegram.botApiUrl } });
  bot.use(sequentialize((ctx) => String(ctx.chatId)));
  const keyboard = (n: number) => new InlineKeyboard().text(`Confirm trades: ${n}`, `n:${n}`);
  bot.command('start', (ctx) => ctx.reply('Settings 0', { reply_markup: keyboard(0) }));
  bot.on('callback_query:data', async (ctx) => {
    const n = Number(ctx.callbackQuery.data.slice(2)) + 1;
    await ctx.answerCallbackQuery('Saved.');
    await ctx.editMessageText(`Settings ${n}`, { reply_markup: keyboard(n) });
  });
  const handle = runBot(bot);
  try {
    const people = await meet(telegram.chatUrl);
    for (const person of people) {
      await person.start();
      await person.waitFor(/Settings/);
    }
    return await tapAll(people, 'Confirm trades');
  } finally {
    await handle.stop();
    await telegram.stop();
  }
}

function meet(url: string): Promise<Person[]> {
  return Promise.all(
    Array.from({ length: PEOPLE }, (_, index) =>
      createPerson({ url, user: { id: 9_000 + index, first_name: `P${index}`, language_code: 'en' } }),
    ),
  );
}

/** Everybody taps, waits for the edited screen, taps again. */
async function tapAll(people: readonly Person[], label: string): Promise<number> {
  const button = new RegExp(`^${label}`);
  const startedAt = performance.now();
  await Promise.all(
    people.map(async (person) => {
      for (let tap = 0; tap < TAPS; tap += 1) {
        await person.tap(button);
        await person.waitFor(/Settings/);
      }
    }),
  );
  return (people.length * TAPS) / ((performance.now() - startedAt) / 1000);
}
