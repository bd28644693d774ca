import { describe, expect, it } from 'vitest';
import { ALICE, buildCore, refusal } from '../build-core.ts';

describe('people', () => {
  it('start the bot with a payload and a command entity', async () => {
    const { core } = buildCore();
    core.people.start(ALICE.id, 'ref_x-1');
    const [update] = await core.call('getUpdates');
    expect(update?.message).toMatchObject({
      text: '/start ref_x-1',
      entities: [{ type: 'bot_command', offset: 0, length: 6 }],
    });
    expect(() => core.people.start(ALICE.id, 'a b')).toThrow('start payload');
  });

  it('who block the bot get nothing, and the bot is told', async () => {
    const { core } = buildCore();
    core.people.block(ALICE.id, true);
    const [update] = await core.call('getUpdates');
    expect(update?.my_chat_member).toMatchObject({
      chat: { id: 101 },
      old_chat_member: { status: 'member' },
      new_chat_member: { status: 'kicked' },
    });
    const expected = '403 Forbidden: bot was blocked by the user';
    expect(await refusal(core.call('sendMessage', { chat_id: 101, text: 'x' }))).toBe(expected);
    expect(await refusal(core.call('sendChatAction', { chat_id: 101, action: 'typing' }))).toBe(expected);
    expect(() => core.people.say(ALICE.id, 'x')).toThrow('unblock it');
  });

  it('who come back press START: the block is lifted first', async () => {
    const { core } = buildCore();
    core.people.block(ALICE.id, true);
    core.people.start(ALICE.id);
    const updates = await core.call('getUpdates');
    expect(updates.slice(1).map((u) => u.my_chat_member?.new_chat_member.status ?? u.message?.text)).toEqual([
      'member',
      '/start',
    ]);
    expect(await core.call('sendMessage', { chat_id: 101, text: 'welcome back' })).toHaveProperty('text');
  });

  it('see the menu of their scope and language', async () => {
    const { core } = buildCore();
    const { commandsFor } = await import('../../src/core/methods/profile.ts');
    const set = (description: string, extra: object) =>
      core.call('setMyCommands', { commands: [{ command: 'start', description }], ...extra });
    await set('default', {});
    await set('private', { scope: { type: 'all_private_chats' } });
    await set('privado', { scope: { type: 'all_private_chats' }, language_code: 'es' });
    await set('admin', { scope: { type: 'chat', chat_id: 103 } });
    const menu = (id: number, language_code: string) =>
      commandsFor(core.world, { ...ALICE, id, language_code })[0]?.description;
    expect([menu(101, 'en'), menu(102, 'es'), menu(103, 'es')]).toEqual(['private', 'privado', 'admin']);
    await core.call('deleteMyCommands', { scope: { type: 'all_private_chats' } });
    expect(menu(101, 'en')).toBe('default');
  });

  it('reset empties the chats but goes on counting ids', async () => {
    const { core } = buildCore();
    const before = await core.call('sendMessage', { chat_id: 101, text: 'x' });
    core.people.say(ALICE.id, 'waiting');
    core.faults.add({ method: '*', times: 9, code: 500 });
    core.reset();
    expect(core.world.chats.get(101)?.messages.size).toBe(0);
    expect(await core.call('getUpdates')).toEqual([]);
    core.people.start(ALICE.id);
    const after = await core.call('sendMessage', { chat_id: 101, text: 'y' });
    expect(after.message_id).toBeGreaterThan(before.message_id);
  });
});

describe('profile', () => {
  it.each([
    [{ command: 'Start', description: 'x' }, 'BOT_COMMAND_INVALID'],
    [{ command: 'x'.repeat(33), description: 'x' }, 'BOT_COMMAND_INVALID'],
    [{ command: 'start', description: '' }, 'BOT_COMMAND_DESCRIPTION_INVALID'],
  ])('refuses the command %o', async (command, reason) => {
    const { core } = buildCore();
    expect(await refusal(core.call('setMyCommands', { commands: [command] }))).toBe(
      `400 Bad Request: ${reason}`,
    );
  });

  it('gives back what was set', async () => {
    const { core } = buildCore();
    await core.call('setMyDescription', { description: 'what it does' });
    await core.call('setMyShortDescription', { short_description: 'kurz', language_code: 'de' });
    await core.call('setMyName', { name: 'Desk' });
    await core.call('setChatMenuButton', { menu_button: { type: 'commands' } });
    expect(await core.call('getMyDescription', { language_code: 'fr' })).toEqual({
      description: 'what it does',
    });
    expect(await core.call('getMyShortDescription', { language_code: 'de' })).toEqual({
      short_description: 'kurz',
    });
    expect(await core.call('getMyName')).toEqual({ name: 'Desk' });
    expect(await core.call('getChatMenuButton', { chat_id: 101 })).toEqual({ type: 'commands' });
  });
});
