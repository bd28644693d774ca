import { displayName } from '../../core/tokens/display-name.ts';
import type { Words } from '../locales/words.ts';
import { commandList } from './command-list.ts';
import { code, type Html } from './html.ts';

const LONGEST_COMMAND = 33;

/** What the menu offers, to somebody who typed what is not in it. */
export function unknownCommand(words: Words, text: string): Html {
  const [command = ''] = text.split(/\s/, 1);
  return words.html('text.unknown_command', {
    command: code(displayName(command.slice(0, LONGEST_COMMAND)) ?? '…'),
    list: commandList(words),
  });
}
