import { Bot, type Context, GrammyError } from 'grammy';
import type { Update } from 'grammy/types';
import { describe, expect, it } from 'vitest';
import type { FeatureDeps } from '../../../../src/compose/bot-deps.ts';
import type { BotContext } from '../../../../src/platform/telegram/context.ts';
import { errorBoundary } from '../../../../src/platform/telegram/middleware/error-boundary.ts';
import { onceEverywhere, onceInProcess } from '../../../../src/platform/telegram/middleware/once.ts';
import { personLock } from '../../../../src/platform/telegram/middleware/person-lock.ts';
import { privateOnly } from '../../../../src/platform/telegram/middleware/private-only.ts';
import { HandlerTimeoutError, timeLimit } from '../../../../src/platform/telegram/middleware/time-limit.ts';
import { memoryDialogStore } from '../../../support/chat/memory-dialog-store.ts';

const me = {
  id: 42,
  is_bot: true as const,
  first_name: 'Bot',
  username: 'test_bot',
} as unknown as Context['me'];

/** A bot without network: what it would send is not part of these tests. */
function botWith(...middleware: Parameters<Bot<BotContext>['use']>): Bot<BotContext> {
  const bot = new Bot<BotContext>('42:token', { botInfo: me as never });
  bot.use(...middleware);
  return bot;
}

function textUpdate(updateId: number, change: Record<string, unknown> = {}): Update {
  return {
    update_id: updateId,
    message: {
      message_id: updateId,
      date: 0,
      text: 'hello',
      from: { id: 7, is_bot: false, first_name: 'A' },
      chat: { id: 7, type: 'private', first_name: 'A' },
      ...change,
    },
  } as Update;
}

describe('updates', () => {
  it('run once in one process', async () => {
    let runs = 0;
    const bot = botWith(onceInProcess(), () => {
      runs += 1;
    });
    for (const id of [1, 1, 2, 1]) await bot.handleUpdate(textUpdate(id));
    expect(runs).toBe(2);
  });

  it('run once over two processes, and again when the first one died', async () => {
    let now = 0;
    const dialogs = memoryDialogStore(() => now);
    let runs = 0;
    const good = botWith(onceEverywhere({ dialogs }), () => {
      runs += 1;
    });
    const dying = botWith(onceEverywhere({ dialogs }), () => {
      throw new Error('killed');
    });
    await expect(dying.handleUpdate(textUpdate(1))).rejects.toThrow();
    await expect(good.handleUpdate(textUpdate(1))).rejects.toThrow();
    now += 31_000;
    await good.handleUpdate(textUpdate(1));
    await good.handleUpdate(textUpdate(1));
    expect(runs).toBe(1);
  });

  it('of one person wait for each other over two processes', async () => {
    const dialogs = memoryDialogStore();
    const order: string[] = [];
    let let_go = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      let_go = resolve;
    });
    const first = botWith(personLock({ dialogs }), async () => {
      order.push('first in');
      await held;
      order.push('first out');
    });
    const second = botWith(personLock({ dialogs }), () => {
      order.push('second');
    });
    const one = first.handleUpdate(textUpdate(1));
    await new Promise((resolve) => setImmediate(resolve));
    const two = second.handleUpdate(textUpdate(2));
    let_go();
    await Promise.all([one, two]);
    expect(order).toEqual(['first in', 'first out', 'second']);
  });

  it('are given up in time, and the lock is left to its time to live', async () => {
    const dialogs = memoryDialogStore();
    const caught: unknown[] = [];
    const bot = botWith(
      personLock({ dialogs }),
      async (_ctx, next) => {
        await next().catch((error: unknown) => caught.push(error));
      },
      timeLimit(5),
      () => new Promise(() => undefined),
    );
    await bot.handleUpdate(textUpdate(1));
    expect(caught[0]).toBeInstanceOf(HandlerTimeoutError);
    expect(await dialogs.lock('lock:42:7', 1)).toBeNull();
  });

  it('from channels, bots and, in private, on behalf of chats are dropped; those of groups go to the door of groups alone', async () => {
    let runs = 0;
    let inGroups = 0;
    const inGroup = async () => {
      inGroups += 1;
    };
    const bot = botWith(privateOnly(inGroup), () => {
      runs += 1;
    });
    await bot.handleUpdate(textUpdate(1));
    expect(runs).toBe(1);
    await bot.handleUpdate(textUpdate(2, { from: { id: 8, is_bot: true, first_name: 'B' } }));
    await bot.handleUpdate(textUpdate(3, { chat: { id: -5, type: 'group', title: 'G' } }));
    expect(inGroups).toBe(1);
    await bot.handleUpdate(textUpdate(4, { sender_chat: { id: -9, type: 'channel', title: 'C' } }));
    const { message: edited_message } = textUpdate(5);
    await bot.handleUpdate({ update_id: 5, edited_message } as Update);
    expect([runs, inGroups]).toEqual([1, 1]);
    const group = { id: -5, type: 'supergroup', title: 'G' };
    const anonymous = { id: 1_087_968_824, is_bot: true, first_name: 'Group' };
    await bot.handleUpdate(textUpdate(6, { chat: group, from: anonymous, sender_chat: group }));
    await bot.handleUpdate(textUpdate(7, { chat: group, from: { ...anonymous, id: 9 } }));
    expect([runs, inGroups]).toEqual([1, 2]);
  });
});

it('a chat that takes no message costs no error line, and nothing is explained there', async () => {
  const lines: string[] = [];
  const say = (level: string) => (_fields: unknown, text?: string) => void lines.push(`${level} ${text}`);
  const deps = {
    ids: { code: () => 'ABCDEF' },
    log: { info: say('info'), warn: say('warn'), error: say('error') },
  } as unknown as FeatureDeps;
  const refusal = (code: number) =>
    new GrammyError('x', { ok: false, error_code: code, description: 'x' }, 'sendMessage', {});
  const failing = (code: number) =>
    botWith(errorBoundary(deps), () => {
      throw refusal(code);
    });
  await failing(403).handleUpdate(textUpdate(1));
  expect(lines).toEqual(['info the chat takes no message']);
  await failing(400).handleUpdate(textUpdate(2));
  expect(lines[1]).toBe('error an update failed');
});
