import type { Api } from 'grammy';
import type { BotCommand } from 'grammy/types';
import { isLanguage, LANGUAGES, type Language, wordsOf } from '../../compose/texts/words.ts';
import type { Logger } from '../ports/logger.ts';
import { COMMANDS, GROUP_COMMANDS } from './feature.ts';

/**
 * Publishes the command menu and the descriptions, per language, where they differ from those that Telegram has. A failure is logged and
 * not fatal: the bot works without its menu.
 */
export async function publishProfile(api: Api, log: Pick<Logger, 'info' | 'warn' | 'error'>): Promise<void> {
  try {
    for (const language of Object.keys(LANGUAGES).filter(isLanguage)) await publishLanguage(api, language);
    await api.setChatMenuButton({ menu_button: { type: 'commands' } });
  } catch (error) {
    log.warn({ err: error }, 'the command menu could not be published');
  }
}

async function publishLanguage(api: Api, language: Language): Promise<void> {
  const words = wordsOf(language);
  // English is used for every language without a catalogue.
  const code = language === 'en' ? {} : { language_code: language };
  const described = (commands: readonly (typeof COMMANDS | typeof GROUP_COMMANDS)[number][]) =>
    commands.map((command) => ({ command, description: words.text(`cmd.${command}`) }));
  await publishCommands(api, described(COMMANDS), {
    scope: { type: 'all_private_chats' as const },
    ...code,
  });
  await publishCommands(api, described(GROUP_COMMANDS), {
    scope: { type: 'all_group_chats' as const },
    ...code,
  });
  const short = words.text('profile.short');
  if ((await api.getMyShortDescription(code)).short_description !== short) {
    await api.setMyShortDescription(short, code);
  }
  const long = words.text('profile.description');
  if ((await api.getMyDescription(code)).description !== long) await api.setMyDescription(long, code);
}

/** Writes a menu where it differs from the one that Telegram has. */
async function publishCommands(
  api: Api,
  wanted: readonly BotCommand[],
  where: NonNullable<Parameters<Api['getMyCommands']>[0]>,
): Promise<void> {
  const present = await api.getMyCommands(where);
  const same = present.map(({ command, description }) => ({ command, description }));
  if (JSON.stringify(same) !== JSON.stringify(wanted)) await api.setMyCommands(wanted, where);
}
