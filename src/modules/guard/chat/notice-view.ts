import { z } from 'zod';
import type { Key } from '../../../compose/texts/catalogue.ts';
import type { Words } from '../../../compose/texts/words.ts';
import { lines } from '../../../platform/telegram/ui/html.ts';
import { freshNav, keyboard } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { utcText } from '../../../platform/telegram/ui/time.ts';
import { GUARD_ACTS, type GuardAct } from '../rules/acts.ts';

const PAYLOAD = z.object({ act: z.enum(GUARD_ACTS), until: z.number().nullable() });

export const GUARD_TEXTS = {
  'pin-set': 'guarded.pin_set',
  'pin-change': 'guarded.pin_change',
  'factor-add': 'guarded.factor_add',
  'factor-codes': 'guarded.factor_codes',
  'factor-end': 'guarded.factor_end',
  'factor-end-by-operator': 'guarded.factor_end_operator',
  'cap-raise': 'guarded.cap_raise',
  'freeze-end': 'guarded.freeze_end',
  'freeze-end-unripe': 'guarded.freeze_end',
  'freeze-end-by-operator': 'guarded.freeze_end_operator',
  'notice-mail': 'guarded.notice_mail',
} as const satisfies Record<GuardAct, Key>;

/** The change at a person's guard, its moment, and the button that stops it. */
export function guardNoticeView(words: Words, payload: unknown): View {
  const { act, until } = PAYLOAD.parse(payload);
  return {
    text: lines(
      words.html(GUARD_TEXTS[act]),
      until !== null && words.html('guarded.counts_at', { at: utcText(until) }),
      words.html('guarded.stop'),
    ),
    keyboard: keyboard([
      freshNav(words.text('btn.stop_changes'), 'security', 'stop'),
      freshNav(words.text('btn.security'), 'security', 'open'),
    ]),
  };
}
