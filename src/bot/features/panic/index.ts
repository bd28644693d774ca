import type { BotContext } from '../../context.ts';
import type { FeatureDeps } from '../../deps.ts';
import type { Feature } from '../../feature.ts';
import { keyboard, nav } from '../../ui/keyboard.ts';

/** /panic: freezes everything in one tap. No PIN and no question: whoever asks for it is in a hurry. */
export function panicFeature(deps: FeatureDeps): Feature {
  async function now({ turn }: BotContext): Promise<void> {
    const { cancelled } = await deps.guard.freeze({ userId: turn.user.id });
    await turn.screen.show({
      text: turn.words.html('panic.done', { count: cancelled }),
      keyboard: keyboard([
        nav(turn.words.text('btn.security'), 'security', 'open'),
        nav(turn.words.text('btn.home'), 'home', 'open'),
      ]),
    });
  }
  return {
    name: 'panic',
    commands: [],
    taps: { now: { unlocked: true, run: now } },
    forms: [],
    hidden: [{ name: 'panic', run: now }],
  };
}
