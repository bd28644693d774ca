import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import type { Feature, Tap } from '../../../platform/telegram/feature.ts';
import { HELP_TOPICS, type HelpFacts, helpTopicView, helpView } from './help-view.ts';

/** /help: works before there is a wallet, and reads no records but the pauses. */
export function helpFeature(deps: FeatureDeps): Feature {
  const { sourceUrl, maxWallets, fees } = deps.options;
  const facts = (): HelpFacts => ({
    sourceUrl,
    maxWallets,
    fees: fees(deps.clock.now()),
  });
  const open = async ({ turn }: BotContext): Promise<number> => {
    const pauses = await deps.db.flags.pauses();
    return turn.screen.show(helpView(turn.words, facts(), pauses));
  };
  const topics: readonly (readonly [string, Tap])[] = HELP_TOPICS.map((topic) => [
    topic,
    {
      act: 'reads',
      unlocked: true,
      run: ({ turn }) => turn.screen.show(helpTopicView(turn.words, topic, facts())),
    },
  ]);
  return {
    name: 'help',
    commands: [{ name: 'help', act: 'reads', unlocked: true, run: open }],
    taps: { open: { act: 'reads', unlocked: true, run: open }, ...Object.fromEntries(topics) },
    forms: [],
  };
}
