import type { BotCommand, BotCommandScope, MenuButton, User } from '@grammyjs/types';
import { isRecord } from '../args.ts';
import { badRequest } from '../tg-error.ts';
import type { World } from '../world.ts';
import type { Handler } from './handler.ts';

export const getMe: Handler<'getMe'> = (world) => world.bot;
export const logOut: Handler<'logOut'> = () => true;
export const close: Handler<'close'> = () => true;

export const setMyCommands: Handler<'setMyCommands'> = (world, args) => {
  const commands = args.json('commands');
  if (!Array.isArray(commands)) throw badRequest("can't parse commands: expected an Array of BotCommand");
  if (commands.length > 100) throw badRequest('BOT_COMMANDS_TOO_MUCH');
  const key = commandKey(args.json('scope'), args.text('language_code'));
  world.profile.commands.set(key, commands.map(readCommand));
  changed(world);
  return true;
};

export const getMyCommands: Handler<'getMyCommands'> = (world, args) => [
  ...(world.profile.commands.get(commandKey(args.json('scope'), args.text('language_code'))) ?? []),
];

export const deleteMyCommands: Handler<'deleteMyCommands'> = (world, args) => {
  world.profile.commands.delete(commandKey(args.json('scope'), args.text('language_code')));
  changed(world);
  return true;
};

export const setMyName: Handler<'setMyName'> = (world, args) =>
  setText(world, world.profile.names, args.text('name'), args.text('language_code'), 64);
export const getMyName: Handler<'getMyName'> = (world, args) => ({
  name: getText(world.profile.names, args.text('language_code')) ?? world.bot.first_name,
});

export const setMyDescription: Handler<'setMyDescription'> = (world, args) =>
  setText(world, world.profile.descriptions, args.text('description'), args.text('language_code'), 512);
export const getMyDescription: Handler<'getMyDescription'> = (world, args) => ({
  description: getText(world.profile.descriptions, args.text('language_code')) ?? '',
});

export const setMyShortDescription: Handler<'setMyShortDescription'> = (world, args) =>
  setText(
    world,
    world.profile.shortDescriptions,
    args.text('short_description'),
    args.text('language_code'),
    120,
  );
export const getMyShortDescription: Handler<'getMyShortDescription'> = (world, args) => ({
  short_description: getText(world.profile.shortDescriptions, args.text('language_code')) ?? '',
});

export const setChatMenuButton: Handler<'setChatMenuButton'> = (world, args) => {
  const button = args.json('menu_button') ?? { type: 'default' };
  const kinds = ['commands', 'default', 'web_app'];
  if (!isRecord(button) || !kinds.includes(String(button['type'])))
    throw badRequest("can't parse menu button");
  world.profile.menuButtons.set(args.integer('chat_id') ?? 0, button as unknown as MenuButton);
  changed(world);
  return true;
};
export const getChatMenuButton: Handler<'getChatMenuButton'> = (world, args) =>
  world.profile.menuButtons.get(args.integer('chat_id') ?? 0) ??
  world.profile.menuButtons.get(0) ?? { type: 'default' };

/** The commands a person's menu shows: the narrowest scope wins, then the person's language, then the default. */
export function commandsFor(world: World, user: User): readonly BotCommand[] {
  const language = user.language_code ?? '';
  for (const scope of [`chat:${user.id}`, 'all_private_chats', 'default']) {
    for (const code of [language, '']) {
      const found = world.profile.commands.get(`${scope}/${code}`);
      if (found !== undefined && found.length > 0) return found;
    }
  }
  return [];
}

/** The text a person sees before START, in their language. */
export function descriptionFor(world: World, user: User): string {
  return getText(world.profile.descriptions, user.language_code) ?? '';
}

export function nameFor(world: World, user: User): string {
  return getText(world.profile.names, user.language_code) ?? world.bot.first_name;
}

function commandKey(rawScope: unknown, language: string | undefined): string {
  const scope = (rawScope ?? { type: 'default' }) as BotCommandScope;
  if (!isRecord(scope)) throw badRequest("can't parse BotCommandScope");
  const name = scope.type === 'chat' ? `chat:${scope.chat_id}` : scope.type;
  if (language !== undefined && !/^[a-z]{0,2}$/.test(language))
    throw badRequest('invalid language code specified');
  return `${name}/${language ?? ''}`;
}

function readCommand(raw: unknown): BotCommand {
  if (!isRecord(raw)) throw badRequest("can't parse BotCommand: expected an Object");
  const command = String(raw['command'] ?? '').replace(/^\//, '');
  const description = String(raw['description'] ?? '').trim();
  if (!/^[a-z0-9_]{1,32}$/.test(command)) throw badRequest('BOT_COMMAND_INVALID');
  if (description === '' || description.length > 256) throw badRequest('BOT_COMMAND_DESCRIPTION_INVALID');
  return { command, description };
}

function setText(
  world: World,
  texts: Map<string, string>,
  text: string | undefined,
  language: string | undefined,
  limit: number,
): true {
  if ((text ?? '').length > limit) throw badRequest(`text is too long: at most ${limit} characters`);
  if (text === undefined || text === '') texts.delete(language ?? '');
  else texts.set(language ?? '', text);
  changed(world);
  return true;
}

function getText(texts: ReadonlyMap<string, string>, language: string | undefined): string | undefined {
  return texts.get(language ?? '') ?? texts.get('');
}

function changed(world: World): void {
  world.touch(0);
  world.events.emit({ kind: 'profile' });
}
