import type { Words } from '../../../compose/texts/words.ts';
import { nearestWords } from '../../../core/text/nearest.ts';
import { displayName } from '../../../modules/tokens/rules/display-name.ts';
import { commandList } from './command-list.ts';
import { code, type Html } from './html.ts';

const LONGEST_COMMAND = 33;

/**
 * The menu, as an answer to a command that is not in it; first of all the one or two of `known` that look like it. Commands are named
 * without markup: Telegram makes them links that send them.
 */
export function unknownCommand(words: Words, text: string, known: readonly string[]): Html {
  const [typed = ''] = text.split(/\s/, 1);
  const command = code(displayName(typed.slice(0, LONGEST_COMMAND)) ?? '…');
  const list = commandList(words);
  const [name = ''] = typed.slice(1, LONGEST_COMMAND).split('@', 1);
  const [first, second] = nearestWords(name, known).map((one) => `/${one}`);
  if (first === undefined) return words.html('text.unknown_command', { command, list });
  const meant = second === undefined ? first : words.html('text.either', { first, second });
  return words.html('text.unknown_command_near', { command, meant, list });
}
