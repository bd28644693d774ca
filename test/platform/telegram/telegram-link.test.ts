import { createPerson, startLocalTelegram } from '@tradepost/local-telegram';
import { Bot, GrammyError } from 'grammy';
import { describe, expect, it, vi } from 'vitest';
import { hasCode } from '../../../src/core/errors/app-error.ts';
import { clientOptions } from '../../../src/platform/telegram/client.ts';
import type { BotContext } from '../../../src/platform/telegram/context.ts';
import { pollUpdates } from '../../../src/platform/telegram/poll.ts';
import { createTelegramLink } from '../../../src/platform/telegram/telegram-link.ts';

function refusal(code: number, parameters = {}): GrammyError {
  return new GrammyError('refused', { ok: false, error_code: code, description: 'x', parameters }, 'm', {});
}

/** A link on a virtual clock; `answers` are given one after the other, the last one for ever. */
function linkTo(answers: readonly (Error | string)[]) {
  let now = 1_000;
  const lines: string[] = [];
  const pauses: number[] = [];
  const say = (level: string) => (_fields: unknown, text?: string) => void lines.push(`${level} ${text}`);
  const link = createTelegramLink({
    steadyMs: () => now,
    pause: async (ms) => {
      pauses.push(ms);
      now += ms;
    },
    log: { info: say('info'), warn: say('warn'), error: say('error') },
  });
  let asked = 0;
  const call = async (): Promise<string> => {
    const answer = answers[Math.min(asked++, answers.length - 1)];
    if (answer instanceof Error) throw answer;
    return answer ?? '';
  };
  return { link, call, lines, pauses };
}

const running = { aborted: false };

describe('the link to Telegram', () => {
  it('outlasts an outage with short pauses and tells its start and its end once', async () => {
    const world = linkTo([...Array.from({ length: 40 }, () => new Error('ECONNREFUSED')), 'hello']);
    expect(world.link.lastAnswerAt()).toBeNull();
    await expect(world.link.ask(world.call, { signal: running })).resolves.toBe('hello');
    expect(world.lines).toEqual([
      'warn Telegram cannot be reached; the bot keeps trying',
      'info Telegram answers again',
    ]);
    expect(Math.max(...world.pauses)).toBe(5_000);
    expect(world.link.lastAnswerAt()).toBe(1_000 + world.pauses.reduce((a, b) => a + b, 0));
  });

  it('waits out another poller and says so once', async () => {
    const world = linkTo([refusal(409), refusal(409), refusal(409), 'mine']);
    await expect(world.link.ask(world.call, { signal: running })).resolves.toBe('mine');
    expect(world.pauses).toEqual([3_000, 3_000, 3_000]);
    expect(world.lines[0]).toContain('another process polls');
    expect(world.lines).toHaveLength(2);
  });

  it('obeys a pause that Telegram asks for, half a minute at most', async () => {
    const world = linkTo([refusal(429, { retry_after: 7 }), refusal(429, { retry_after: 900 }), 'ok']);
    await world.link.ask(world.call, { signal: running });
    expect(world.pauses).toEqual([7_000, 30_000]);
  });

  it.each([401, 404])('ends the start with a sentence when the token is unknown (%i)', async (code) => {
    const world = linkTo([refusal(code)]);
    const failure = await world.link
      .ask(world.call, { signal: running, atStart: true })
      .catch((error: unknown) => error);
    expect(hasCode(failure, 'CONFIG_INVALID') && failure.details.problems[0]).toMatch(
      /^TELEGRAM_BOT_TOKEN: /,
    );
  });

  it('keeps a running bot alive when its token is revoked, and tells the operator', async () => {
    const world = linkTo([refusal(401), refusal(401), 'again']);
    await expect(world.link.ask(world.call, { signal: running })).resolves.toBe('again');
    expect(world.lines[0]).toMatch(/^error Telegram refuses TELEGRAM_BOT_TOKEN/);
  });

  it.each([400, 403])('says that a refusal is final, not that Telegram is away (%i)', async (code) => {
    const world = linkTo([refusal(code), refusal(code), 'mended']);
    await expect(world.link.ask(world.call, { signal: running, atStart: true })).resolves.toBe('mended');
    expect(world.lines[0]).toMatch(/^error Telegram refuses this request for good/);
    expect(world.lines).toHaveLength(2);
    expect(world.pauses).toEqual([30_000, 30_000]);
  });

  it('ends when the process stops', async () => {
    const signal = { aborted: false };
    const world = linkTo([new Error('ECONNREFUSED')]);
    const call = async (): Promise<string> => {
      signal.aborted = world.pauses.length === 3;
      return world.call();
    };
    await expect(world.link.ask(call, { signal })).rejects.toThrow('ECONNREFUSED');
  });
});

it('a poller takes updates again after Telegram was away', async () => {
  const telegram = await startLocalTelegram({});
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const bot = new Bot<BotContext>(telegram.token, { client: clientOptions(telegram.botApiUrl) });
  let away = 5;
  bot.api.config.use((prev, method, payload, signal) => {
    if (method === 'getUpdates' && away-- > 0) throw new Error('the network is away');
    return prev(method, payload, signal);
  });
  const taken = new Promise<string>((resolve) =>
    bot.hears('hello', (ctx) => resolve(ctx.message?.text ?? '')),
  );
  const link = createTelegramLink({ steadyMs: () => Date.now(), pause: async () => undefined, log });
  const polling = await pollUpdates(bot, { link, log, stopping: running });
  try {
    const ann = await createPerson({ core: telegram.core, user: { id: 5, first_name: 'Ann' } });
    await ann.start();
    await ann.say('hello');
    await expect(taken).resolves.toBe('hello');
    expect(log.warn).toHaveBeenCalledTimes(1);
  } finally {
    await polling.stop();
    await telegram.stop();
  }
});
