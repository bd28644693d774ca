import { describe, expect, it } from 'vitest';
import { buildCore, refusal } from '../build-core.ts';

const send = { chat_id: 101, text: 'x' };

describe('planned faults', () => {
  it('answer 429 with retry_after, as often as asked', async () => {
    const { core } = buildCore();
    core.faults.add({ method: 'sendmessage', times: 2, code: 429, retryAfterSeconds: 7 });
    for (let time = 0; time < 2; time += 1) {
      expect(await core.invoke('sendMessage', send)).toEqual({
        ok: false,
        code: 429,
        description: 'Too Many Requests: retry after 7',
        parameters: { retry_after: 7 },
      });
    }
    expect(await core.invoke('sendMessage', send)).toMatchObject({ ok: true });
  });

  it('hit only the chat they name', async () => {
    const { core } = buildCore();
    core.faults.add({ method: '*', times: 1, code: 500, chatId: 102 });
    expect(await core.invoke('sendMessage', send)).toMatchObject({ ok: true });
    expect(await core.invoke('sendMessage', { ...send, chat_id: '102' })).toMatchObject({ code: 500 });
  });

  it('carry out a call whose response is dropped', async () => {
    const { core } = buildCore();
    core.faults.add({ method: '*', times: 1, dropResponse: true });
    expect(await core.invoke('getUpdates', {})).toMatchObject({ ok: true, drop: false });
    const before = core.world.chats.get(101)?.messages.size ?? 0;
    expect(await core.invoke('sendMessage', send)).toMatchObject({ ok: true, drop: true });
    expect(core.world.chats.get(101)?.messages.size).toBe(before + 1);
  });

  it('delay a call', async () => {
    const { core, clock } = buildCore();
    core.faults.add({ method: 'getMe', times: 1, delayMs: 5000 });
    let done = false;
    const call = core.call('getMe').then(() => {
      done = true;
    });
    clock.advance(4999);
    await Promise.resolve();
    expect(done).toBe(false);
    clock.advance(1);
    await call;
    expect(done).toBe(true);
  });

  it('say their own description when given one', async () => {
    const { core } = buildCore();
    core.faults.add({
      method: 'sendMessage',
      times: 1,
      code: 403,
      description: 'Forbidden: user is deactivated',
    });
    expect(await refusal(core.call('sendMessage', send))).toBe('403 Forbidden: user is deactivated');
  });
});
