import { expect, it } from 'vitest';
import { ALICE, buildCore } from '../build-core.ts';

const GROUP = { id: -5, type: 'supergroup', title: 'Traders' } as const;

it('a message of any kind arrives with what it holds, and with the marks of its words', async () => {
  const { core } = buildCore();
  core.people.send(ALICE.id, { dice: { emoji: '🎲', value: 3 } });
  core.people.send(ALICE.id, {
    text: ' see /panic here ',
    entities: [{ type: 'text_link', offset: 1, length: 3, url: 'https://x.example/a' }],
    forward_origin: { type: 'hidden_user', sender_user_name: 'Somebody', date: 1 },
  });
  core.people.send(ALICE.id, { photo: [], caption: '/start' });
  const [dice, forwarded, photo] = await core.call('getUpdates');
  expect(dice?.message).toMatchObject({ dice: { value: 3 }, from: { id: ALICE.id }, chat: { id: ALICE.id } });
  expect(forwarded?.message).toMatchObject({
    text: 'see /panic here',
    entities: [
      { type: 'text_link', offset: 0, length: 3 },
      { type: 'bot_command', offset: 4, length: 6 },
    ],
    forward_origin: { sender_user_name: 'Somebody' },
  });
  expect(photo?.message).toMatchObject({ caption: '/start', caption_entities: [{ type: 'bot_command' }] });
  expect(photo?.message).not.toHaveProperty('text');
});

it('what no client can send is refused', () => {
  const { core } = buildCore();
  expect(() => core.people.send(ALICE.id, {})).toThrow('holds something');
  expect(() => core.people.send(ALICE.id, { text: '  ' })).toThrow('not empty');
  expect(() => core.people.send(ALICE.id, { text: 'x'.repeat(4_097) })).toThrow('4096');
  expect(() => core.people.send(ALICE.id, { photo: [], caption: 'x'.repeat(1_025) })).toThrow('1024');
  core.people.block(ALICE.id, true);
  expect(() => core.people.send(ALICE.id, { text: 'x' })).toThrow('unblock');
});

it('a group is there from its first message on, and the bot can write to it', async () => {
  const { core } = buildCore();
  await expect(core.call('sendMessage', { chat_id: GROUP.id, text: 'x' })).rejects.toThrow('chat not found');
  core.people.sendInGroup(ALICE.id, GROUP, { text: '/help' });
  const [update] = await core.call('getUpdates');
  expect(update?.message).toMatchObject({ chat: GROUP, from: { id: ALICE.id }, text: '/help' });
  expect(await core.call('sendMessage', { chat_id: GROUP.id, text: 'hello' })).toMatchObject({ chat: GROUP });
  expect(() => core.people.sendInGroup(ALICE.id, { ...GROUP, id: 5 }, { text: 'x' })).toThrow('below 0');
});

it('an edit is told to a bot that asks for edits, and to no other', async () => {
  const { core } = buildCore();
  const { message } = core.people.send(ALICE.id, { text: 'one' });
  core.people.edit(ALICE.id, message.message_id, '/two');
  const updates = await core.call('getUpdates');
  expect(updates[1]?.edited_message).toMatchObject({
    message_id: message.message_id,
    text: '/two',
    entities: [{ type: 'bot_command' }],
  });
  await core.call('getUpdates', { offset: (updates[1]?.update_id ?? 0) + 1, allowed_updates: ['message'] });
  core.people.edit(ALICE.id, message.message_id, 'three');
  expect(await core.call('getUpdates')).toEqual([]);
  expect(() => core.people.edit(ALICE.id, 99_999, 'x')).toThrow('text message');
});
