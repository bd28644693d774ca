import type { BotContext } from '../../context.ts';
import type { FeatureDeps } from '../../deps.ts';
import type { Feature } from '../../feature.ts';
import { keyboard, nav } from '../../ui/keyboard.ts';

/** /create_token: says honestly that it is not there yet; the command is published because the specification names it. */
export function createTokenFeature(_deps: FeatureDeps): Feature {
  const open = ({ turn }: BotContext): Promise<number> =>
    turn.screen.show({
      text: turn.words.html('create_token.not_yet'),
      keyboard: keyboard([
        nav(turn.words.text('btn.trade'), 'trade', 'open'),
        nav(turn.words.text('btn.home'), 'home', 'open'),
      ]),
    });
  return {
    name: 'create_token',
    commands: [{ name: 'create_token', run: open }],
    taps: { open: { run: open } },
    forms: [],
  };
}
