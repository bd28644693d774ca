import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import type { Feature } from '../../../platform/telegram/feature.ts';
import { keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import { panicText } from './frozen-text.ts';

/** /panic: freezes everything in one tap. No PIN and no question: the person is in a hurry. */
export function panicFeature(deps: FeatureDeps): Feature {
  async function now({ turn }: BotContext): Promise<void> {
    const { cancelled } = await deps.guard.freeze({ userId: turn.user.id });
    const overview = await deps.guard.overview({ userId: turn.user.id });
    await turn.screen.show({
      text: panicText(turn.words, cancelled, overview),
      keyboard: keyboard([
        nav(turn.words.text('btn.security'), 'security', 'open'),
        nav(turn.words.text('btn.home'), 'home', 'open'),
      ]),
    });
  }
  return {
    name: 'panic',
    commands: [],
    taps: { now: { act: 'panic', unlocked: true, run: now } },
    forms: [],
    hidden: [{ name: 'panic', act: 'panic', run: now }],
  };
}
