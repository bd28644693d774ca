import { z } from 'zod';
import { emailAddress } from '../../../core/text/email-address.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { text } from '../../../platform/telegram/dialog/fields.ts';
import type { Form } from '../../../platform/telegram/dialog/form.ts';
import { defineForm } from '../../../platform/telegram/dialog/run-form.ts';

const WHOLE = z.object({ address: text });

/** Asks for the mail address; PIN and code are asked outside. */
export function noticeMailForm(
  finish: (ctx: BotContext, typed: z.infer<typeof WHOLE>) => Promise<void>,
): Form<object> {
  return defineForm({
    id: 'notice_mail',
    version: 1,
    act: 'notice-mail-ask',
    draft: WHOLE.partial(),
    whole: WHOLE,
    steps: [
      {
        key: 'address',
        ask: ({ turn }) => ({ text: turn.words.html('notice_mail.ask'), placeholder: 'you@example.org' }),
        read: ({ turn }, typed) => {
          const address = emailAddress(typed);
          return address === null
            ? { kind: 'refused', why: turn.words.html('notice_mail.err_shape') }
            : { kind: 'taken', draft: { address } };
        },
      },
    ],
    finish,
  });
}
