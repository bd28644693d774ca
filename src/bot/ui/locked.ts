import type { Words } from '../locales/words.ts';
import { keyboard, nav } from './keyboard.ts';
import type { View } from './screen.ts';

/** What every core command answers until there is a deposit wallet. */
export function lockedView(words: Words): View {
  return {
    text: words.html('locked.text'),
    keyboard: keyboard(
      [nav(words.text('btn.create_wallet'), 'start', 'create')],
      [nav(words.text('btn.help'), 'help', 'open')],
    ),
  };
}
