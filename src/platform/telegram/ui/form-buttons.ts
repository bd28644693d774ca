import type { Words } from '../../../compose/texts/words.ts';
import { callbackData } from './callback.ts';
import type { ButtonSpec } from './keyboard.ts';

/** A button that answers the question above it. */
export function choice(text: string, name: string): ButtonSpec {
  return { text, callback_data: callbackData('form', name) };
}

export const cancelChoice = (words: Words): ButtonSpec => choice(words.text('btn.cancel'), 'cancel');

/** Asks the question before this one again. */
export const backChoice = (words: Words): ButtonSpec => choice(words.text('btn.back'), 'back');
