import type { Words } from '../../../compose/texts/words.ts';
import { keyboard, nav } from './keyboard.ts';
import type { View } from './screen.ts';

/** The end of a dialogue that the person stopped. */
export function stoppedView(words: Words): View {
  return {
    text: words.html('cancel.stopped'),
    keyboard: keyboard([nav(words.text('btn.home'), 'home', 'open')]),
  };
}
