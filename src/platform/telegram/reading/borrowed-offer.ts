import type { Message } from 'grammy/types';
import type { Words } from '../../../compose/texts/words.ts';
import { BORROWED_COMMANDS } from '../feature.ts';
import { keyboard, nav } from '../ui/keyboard.ts';
import type { View } from '../ui/screen.ts';
import { borrowedBy } from './authored.ts';

/** The answer to an acting command in borrowed words: a question, with the tap that acts. Null where the command runs. */
export function borrowedOffer(words: Words, name: string, message: Partial<Message>): View | null {
  const borrowed = borrowedBy(message);
  if (borrowed === null || !isKnown(name)) return null;
  const does = BORROWED_COMMANDS[name];
  if (does === 'reads') return null;
  return {
    text: words.html('borrowed.command', {
      why: words.html(`borrowed.${borrowed}`),
      command: `/${name}`,
      effect: words.html(`borrowed.effect.${does.feature}`),
    }),
    keyboard: keyboard(
      [nav(words.text(does.feature === 'panic' ? 'btn.freeze' : 'btn.call_off'), does.feature, does.action)],
      [nav(words.text('btn.home'), 'home', 'open')],
    ),
  };
}

const isKnown = (name: string): name is keyof typeof BORROWED_COMMANDS => name in BORROWED_COMMANDS;
