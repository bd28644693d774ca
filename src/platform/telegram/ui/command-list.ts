import type { Words } from '../../../compose/texts/words.ts';
import { COMMANDS } from '../feature.ts';
import { type Html, html, lines, plain } from './html.ts';

/** The published commands, a line each. */
export function commandList(words: Words): Html {
  return lines(...COMMANDS.map((name) => html`/${name} · ${plain(words.text(`cmd.${name}`))}`));
}
