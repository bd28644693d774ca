import type { Turn } from '../context.ts';
import { keyboard, nav } from './keyboard.ts';
import type { View } from './screen.ts';

/** The answer of every core command until there is a deposit wallet; paper mode needs none. */
export function lockedView({ words, user }: Pick<Turn, 'words' | 'user'>): View {
  const paper = user.settings.paper?.on === true ? 'btn.paper_home' : 'btn.try_paper';
  return {
    text: words.html('locked.text'),
    keyboard: keyboard(
      [nav(words.text('btn.create_wallet'), 'start', 'create')],
      [nav(words.text(paper), 'paper', 'open'), nav(words.text('btn.help'), 'help', 'open')],
    ),
  };
}
