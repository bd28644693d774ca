import type { Pause } from '../../../core/switches/switch.ts';
import { WALLET_GRACE_DAYS } from '../../../core/wallets/wallet.ts';
import type { Words } from '../../locales/words.ts';
import { percentText } from '../../ui/amounts.ts';
import { commandList } from '../../ui/command-list.ts';
import { type Html, lines } from '../../ui/html.ts';
import { keyboard, nav } from '../../ui/keyboard.ts';
import { pauseText } from '../../ui/pause-text.ts';
import type { View } from '../../ui/screen.ts';

export type HelpFacts = {
  readonly sourceUrl: string | null;
  readonly maxWallets: number;
  readonly referralShareBps: number;
};

export const HELP_TOPICS = ['steps', 'trading', 'wallets', 'referral', 'commands'] as const;
export type HelpTopic = (typeof HELP_TOPICS)[number];

export function helpView(words: Words, facts: HelpFacts, pauses: readonly Pause[]): View {
  return {
    text: lines(
      words.html('help.title', {
        source: facts.sourceUrl === null ? '' : words.html('help.source', { url: facts.sourceUrl }),
      }),
      ...pauses.map((pause) => pauseText(words, pause)),
    ),
    keyboard: keyboard(
      [
        nav(words.text('btn.help_steps'), 'help', 'steps'),
        nav(words.text('btn.help_trading'), 'help', 'trading'),
      ],
      [
        nav(words.text('btn.help_wallets'), 'help', 'wallets'),
        nav(words.text('btn.help_referral'), 'help', 'referral'),
      ],
      [nav(words.text('btn.help_commands'), 'help', 'commands'), nav(words.text('btn.home'), 'home', 'open')],
    ),
  };
}

export function helpTopicView(words: Words, topic: HelpTopic, facts: HelpFacts): View {
  return {
    text: topicText(words, topic, facts),
    keyboard: keyboard([
      nav(words.text('btn.back'), 'help', 'open'),
      nav(words.text('btn.home'), 'home', 'open'),
    ]),
  };
}

function topicText(words: Words, topic: HelpTopic, facts: HelpFacts): Html {
  switch (topic) {
    case 'steps':
      return words.html('help.steps');
    case 'trading':
      return words.html('help.trading');
    case 'wallets':
      return words.html('help.wallets', { max: facts.maxWallets, days: WALLET_GRACE_DAYS });
    case 'referral':
      return words.html('help.referral', { percent: percentText(facts.referralShareBps) });
    case 'commands':
      return words.html('help.commands', { list: commandList(words) });
  }
}
