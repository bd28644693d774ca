import type { BotContext } from '../../context.ts';
import type { Answers, Form } from '../../dialog/form.ts';

/** Letters and digits of any script; nothing that could become a link, a mention or a line of its own. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} _-]{0,18}[\p{L}\p{N}]$/u;

/** Asks for the name on the public board. */
export function boardNameForm(finish: (ctx: BotContext, answers: Answers) => Promise<void>): Form {
  return {
    id: 'board_name',
    version: 1,
    steps: [
      {
        key: 'name',
        ask: ({ turn }) => ({
          text: turn.words.html('board.ask_name'),
          placeholder: turn.words.text('ask.board_name'),
        }),
        read: ({ turn }, text) => {
          const name = text.normalize('NFC').trim();
          return NAME.test(name)
            ? { kind: 'taken', value: name }
            : { kind: 'refused', why: turn.words.html('board.bad_name') };
        },
      },
    ],
    finish,
  };
}
