import { describe, expect, it } from 'vitest';
import { ALICE, buildCore, refusal } from '../build-core.ts';

const TOO_OLD = '400 Bad Request: query is too old and response timeout expired or query ID is invalid';

describe('answering a tap', () => {
  it('shows the text to the person once', async () => {
    const { core } = buildCore();
    const id = core.people.tap(ALICE.id, 1, 'x:y');
    const before = core.world.events.rev();
    expect(
      await core.call('answerCallbackQuery', { callback_query_id: id, text: 'ok', show_alert: true }),
    ).toBe(true);
    expect(core.world.events.since(ALICE.id, before)).toMatchObject([
      { kind: 'answer', queryId: id, text: 'ok', alert: true },
    ]);
    expect(await refusal(core.call('answerCallbackQuery', { callback_query_id: id }))).toBe(TOO_OLD);
  });

  it('is too late after 150 seconds', async () => {
    const { core, clock } = buildCore();
    const id = core.people.tap(ALICE.id, 1, 'x:y');
    clock.advance(150_001);
    expect(await refusal(core.call('answerCallbackQuery', { callback_query_id: id }))).toBe(TOO_OLD);
  });

  it('is refused for an id that was never given', async () => {
    const { core } = buildCore();
    expect(await refusal(core.call('answerCallbackQuery', { callback_query_id: '42' }))).toBe(TOO_OLD);
  });

  it('gives every tap of a burst its own id', () => {
    const { core } = buildCore();
    const ids = Array.from({ length: 200 }, () => core.people.tap(ALICE.id, 1, 'x:y'));
    expect(new Set(ids).size).toBe(200);
  });

  it('carries the message as it stands, or an inaccessible one when it is gone', async () => {
    const { core } = buildCore();
    const message = await core.call('sendMessage', { chat_id: 101, text: 'x' });
    core.people.tap(ALICE.id, message.message_id, 'a');
    core.people.tap(ALICE.id, 4711, 'b');
    const [there, gone] = await core.call('getUpdates');
    expect(there?.callback_query).toMatchObject({ data: 'a', message: { text: 'x' }, from: { id: 101 } });
    expect(gone?.callback_query).toMatchObject({ data: 'b', message: { message_id: 4711, date: 0 } });
  });

  it('refuses data no button could carry', () => {
    const { core } = buildCore();
    expect(() => core.people.tap(ALICE.id, 1, 'x'.repeat(65))).toThrow('1 to 64 bytes, got 65');
  });
});
