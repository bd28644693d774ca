import { describe, expect, it } from 'vitest';
import { ALICE, BOB, buildCore, refusal } from '../build-core.ts';

const ids = (updates: readonly { readonly update_id: number }[]) => updates.map((u) => u.update_id);

describe('long polling', () => {
  it('repeats updates until a higher offset confirms them', async () => {
    const { core } = buildCore();
    for (const text of ['a', 'b', 'c']) core.people.say(ALICE.id, text);
    const first = await core.call('getUpdates');
    expect(first.map((u) => u.message?.text)).toEqual(['a', 'b', 'c']);
    expect(ids(await core.call('getUpdates'))).toEqual(ids(first));
    const last = first[2]?.update_id ?? 0;
    expect(ids(await core.call('getUpdates', { offset: last }))).toEqual([last]);
    expect(await core.call('getUpdates', { offset: last + 1 })).toEqual([]);
    expect(ids(first)).toEqual([last - 2, last - 1, last]);
  });

  it('keeps the last n for a negative offset and honours the limit', async () => {
    const { core } = buildCore();
    for (const text of ['a', 'b', 'c']) core.people.say(ALICE.id, text);
    expect(await core.call('getUpdates', { limit: 1 })).toHaveLength(1);
    const left = await core.call('getUpdates', { offset: -2 });
    expect(left.map((u) => u.message?.text)).toEqual(['b', 'c']);
    expect(await core.call('getUpdates')).toHaveLength(2);
  });

  it('waits for an update and gives it at once', async () => {
    const { core } = buildCore();
    const poll = core.call('getUpdates', { timeout: 30 });
    core.people.say(BOB.id, 'hello');
    expect((await poll)[0]?.message).toMatchObject({ text: 'hello', from: { id: 102, language_code: 'es' } });
  });

  it('ends empty after its timeout, of at most 50 seconds', async () => {
    const { core, clock } = buildCore();
    const poll = core.call('getUpdates', { timeout: 500 });
    await Promise.resolve();
    clock.advance(50_000);
    expect(await poll).toEqual([]);
  });

  it('loses nothing to a client that hung up', async () => {
    const { core } = buildCore();
    const abort = new AbortController();
    const poll = core.invoke('getUpdates', { timeout: 30 }, new Map(), abort.signal);
    await Promise.resolve();
    abort.abort();
    expect(await poll).toMatchObject({ ok: true, result: [] });
    core.people.say(ALICE.id, 'for the next poll');
    expect(await core.call('getUpdates')).toHaveLength(1);
  });

  it('is ended by a second poller', async () => {
    const { core, clock } = buildCore();
    const first = refusal(core.call('getUpdates', { timeout: 30 }));
    await Promise.resolve();
    const second = core.call('getUpdates', { timeout: 30 });
    expect(await first).toBe(
      '409 Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
    );
    clock.advance(30_000);
    expect(await second).toEqual([]);
  });

  it('makes only the kinds asked for, from then on', async () => {
    const { core } = buildCore();
    await core.call('getUpdates', { allowed_updates: ['callback_query'] });
    core.people.say(ALICE.id, 'ignored');
    core.people.tap(ALICE.id, 1, 'x:y');
    const updates = await core.call('getUpdates');
    expect(updates.map((u) => Object.keys(u)[1])).toEqual(['callback_query']);
    await core.call('getUpdates', { allowed_updates: [] });
    core.people.say(ALICE.id, 'heard');
    expect(await core.call('getUpdates')).toHaveLength(2);
  });

  it('forgets a tap after 150 seconds, a message after a day', async () => {
    const { core, clock } = buildCore();
    core.people.say(ALICE.id, 'a');
    core.people.tap(ALICE.id, 1, 'x:y');
    clock.advance(151_000);
    expect((await core.call('getUpdates')).map((u) => u.message?.text)).toEqual(['a']);
    clock.advance(86_400_000);
    expect(await core.call('getUpdates')).toEqual([]);
  });

  it('delivers copies with one update id when asked to', async () => {
    const { core } = buildCore();
    core.world.queue.setCopies(3);
    core.people.say(ALICE.id, 'a');
    const updates = await core.call('getUpdates');
    expect(updates).toHaveLength(3);
    expect(new Set(ids(updates)).size).toBe(1);
    expect(await core.call('getUpdates', { offset: (updates[0]?.update_id ?? 0) + 1 })).toEqual([]);
  });

  it('is closed while a webhook is set', async () => {
    const { core } = buildCore();
    await core.call('setWebhook', { url: 'http://127.0.0.1:1/hook' });
    expect(await refusal(core.call('getUpdates'))).toBe(
      "409 Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
    );
    await core.call('deleteWebhook');
    expect(await core.call('getUpdates')).toEqual([]);
  });
});
