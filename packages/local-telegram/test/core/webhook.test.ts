import { describe, expect, it } from 'vitest';
import type { PostUpdate, WebhookAnswer } from '../../src/core/webhook.ts';
import { ALICE, BOB, buildCore, refusal } from '../build-core.ts';

type Delivery = {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly answer: (answer: WebhookAnswer) => Promise<void>;
};

/** A bot's server that answers when the test says so. */
async function hooked(settings: object = {}) {
  const open: Delivery[] = [];
  const seen: string[] = [];
  const post: PostUpdate = (_url, headers, update) =>
    new Promise((resolve) => {
      const text = update.message?.text ?? update.callback_query?.data ?? '?';
      seen.push(text);
      const answer = async (given: WebhookAnswer) => {
        open.splice(open.indexOf(delivery), 1);
        resolve(given);
        await new Promise((settled) => setImmediate(settled));
      };
      const delivery: Delivery = { text, headers, answer };
      open.push(delivery);
    });
  const { core, clock } = buildCore({ post });
  await core.call('setWebhook', { url: 'http://127.0.0.1:9/hook', ...settings });
  return { core, clock, open, seen };
}

describe('the webhook', () => {
  it('delivers ten messages of a chat in order, one in flight', async () => {
    const { core, open, seen } = await hooked();
    const texts = Array.from({ length: 10 }, (_, n) => `m${n}`);
    for (const text of texts) core.people.say(ALICE.id, text);
    for (let n = 0; n < 10; n += 1) {
      expect(open.map((d) => d.text)).toEqual([`m${n}`]);
      await open[0]?.answer({ status: 200 });
    }
    expect(seen).toEqual(texts);
    expect((await core.call('getWebhookInfo')).pending_update_count).toBe(0);
  });

  it('does not let a tap wait behind a message, nor one chat behind another', async () => {
    const { core, open } = await hooked();
    core.people.say(ALICE.id, 'slow');
    core.people.tap(ALICE.id, 1, 'tap');
    core.people.say(BOB.id, 'other');
    expect(open.map((d) => d.text)).toEqual(['slow', 'tap', 'other']);
  });

  it('opens no more connections than allowed', async () => {
    const { core, open } = await hooked({ max_connections: 1 });
    core.people.say(ALICE.id, 'a');
    core.people.say(BOB.id, 'b');
    expect(open.map((d) => d.text)).toEqual(['a']);
    await open[0]?.answer({ status: 204 });
    expect(open.map((d) => d.text)).toEqual(['b']);
  });

  it('sends the secret in its header', async () => {
    const { core, open } = await hooked({ secret_token: 's3cret_-' });
    core.people.say(ALICE.id, 'a');
    expect(open[0]?.headers).toEqual({ 'x-telegram-bot-api-secret-token': 's3cret_-' });
  });

  it('repeats after a failure with a delay that doubles, or as Retry-After says', async () => {
    const { core, clock, open, seen } = await hooked();
    core.people.say(ALICE.id, 'a');
    await open[0]?.answer({ status: 503 });
    clock.advance(999);
    expect(seen).toHaveLength(1);
    clock.advance(1);
    expect(seen).toHaveLength(2);
    await open[0]?.answer({ status: 0, problem: 'Connection refused' });
    clock.advance(1999);
    expect(seen).toHaveLength(2);
    clock.advance(1);
    await open[0]?.answer({ status: 429, retryAfterSeconds: 30 });
    clock.advance(29_999);
    expect(seen).toHaveLength(3);
    clock.advance(1);
    await open[0]?.answer({ status: 200 });
    expect(open).toEqual([]);
    expect(await core.call('getWebhookInfo')).toMatchObject({
      last_error_message: 'Wrong response from the webhook: 429',
    });
  });

  it('carries out a method in the answer', async () => {
    const { core, open } = await hooked();
    core.people.say(ALICE.id, 'a');
    await open[0]?.answer({ status: 200, body: '{"method":"sendMessage","chat_id":101,"text":"by answer"}' });
    expect([...(core.world.chats.get(101)?.messages.values() ?? [])].at(-1)?.message.text).toBe('by answer');
    core.people.say(ALICE.id, 'b');
    await open[0]?.answer({ status: 200, body: 'OK' });
    expect(open).toEqual([]);
  });

  it('is closed after 23 hours of 410', async () => {
    const { core, clock, open } = await hooked();
    core.people.say(ALICE.id, 'a');
    await open[0]?.answer({ status: 410, retryAfterSeconds: 23 * 3600 + 1 });
    clock.advance(23 * 3_600_000 + 1000);
    await open[0]?.answer({ status: 410 });
    expect(await core.call('getWebhookInfo')).toMatchObject({ url: '' });
  });

  it.each([
    [{ url: 'http://127.0.0.1:9', secret_token: 'a b' }, 'secret token contains unallowed characters'],
    [{ url: 'http://127.0.0.1:9', secret_token: 'a'.repeat(257) }, 'secret token is too long'],
    [{ url: 'nonsense' }, 'invalid webhook URL specified'],
    [{ url: 'ftp://127.0.0.1/' }, 'invalid webhook URL specified'],
    [
      { url: 'https://example.com/' },
      'bad webhook: the local server delivers to 127.0.0.1, [::1] and localhost only',
    ],
  ])('refuses %o', async (args, reason) => {
    const { core } = buildCore();
    expect(await refusal(core.call('setWebhook', args))).toBe(`400 Bad Request: ${reason}`);
  });

  it('is set at most once a second', async () => {
    const { core, clock } = await hooked();
    const again = () => core.call('setWebhook', { url: 'http://127.0.0.1:9/two' });
    expect(await refusal(again())).toBe('429 Too Many Requests: retry after 1');
    clock.advance(1000);
    expect(await again()).toBe(true);
  });

  it('takes over what waited, unless told to drop it', async () => {
    const { core, clock, open } = await hooked();
    await core.call('deleteWebhook');
    core.people.say(ALICE.id, 'waited');
    clock.advance(1000);
    await core.call('setWebhook', { url: 'http://127.0.0.1:9/two' });
    expect(open.map((d) => d.text)).toEqual(['waited']);
    await core.call('deleteWebhook', { drop_pending_updates: true });
    expect(await core.call('getUpdates')).toEqual([]);
  });
});
