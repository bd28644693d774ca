import { z } from 'zod';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { text } from '../../../platform/telegram/dialog/fields.ts';
import type { Form } from '../../../platform/telegram/dialog/form.ts';
import { defineForm } from '../../../platform/telegram/dialog/run-form.ts';

/** Letters and digits of any script; nothing that could become a link, a mention or a line of its own. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} _-]{0,18}[\p{L}\p{N}]$/u;

const WHOLE = z.object({ name: text });

/** Asks for the name on the public board. */
export function boardNameForm(
  finish: (ctx: BotContext, board: z.infer<typeof WHOLE>) => Promise<void>,
): Form<object> {
  return defineForm({
    id: 'board_name',
    version: 2,
    act: 'display',
    draft: WHOLE.partial(),
    whole: WHOLE,
    steps: [
      {
        key: 'name',
        ask: ({ turn }) => ({
          text: turn.words.html('board.ask_name'),
          placeholder: turn.words.text('ask.board_name'),
        }),
        read: ({ turn }, typed) => {
          const name = typed.normalize('NFC').trim();
          return NAME.test(name)
            ? { kind: 'taken', draft: { name } }
            : { kind: 'refused', why: turn.words.html('board.bad_name') };
        },
      },
    ],
    finish,
  });
}
