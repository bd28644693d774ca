import type { BotContext } from '../../context.ts';
import type { FeatureDeps } from '../../deps.ts';
import type { Feature, Tap } from '../../feature.ts';
import { HELP_TOPICS, type HelpFacts, helpTopicView, helpView } from './view.ts';

/** /help: works before there is a wallet, and reads no records. */
export function helpFeature(deps: FeatureDeps): Feature {
  const { sourceUrl, maxWallets, fees } = deps.options;
  const facts = (): HelpFacts => ({
    sourceUrl,
    maxWallets,
    referralShareBps: fees(deps.clock.now()).referralShareBps,
  });
  const open = ({ turn }: BotContext): Promise<number> => turn.screen.show(helpView(turn.words, facts()));
  const topics: readonly (readonly [string, Tap])[] = HELP_TOPICS.map((topic) => [
    topic,
    {
      unlocked: true,
      run: ({ turn }) => turn.screen.show(helpTopicView(turn.words, topic, facts())),
    },
  ]);
  return {
    name: 'help',
    commands: [{ name: 'help', unlocked: true, run: open }],
    taps: { open: { unlocked: true, run: open }, ...Object.fromEntries(topics) },
    forms: [],
  };
}
