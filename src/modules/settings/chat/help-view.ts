import type { Words } from '../../../compose/texts/words.ts';
import type { Fees } from '../../../engine/fees/rules/fee-table.ts';
import type { Pause } from '../../../engine/switches/rules.ts';
import { percentText, solText } from '../../../platform/telegram/ui/amounts.ts';
import { commandList } from '../../../platform/telegram/ui/command-list.ts';
import { type Html, lines, plain } from '../../../platform/telegram/ui/html.ts';
import { inRows, keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import { pauseText } from '../../../platform/telegram/ui/pause-text.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { WALLET_GRACE_DAYS } from '../../wallets/rules/wallet.ts';

export type HelpFacts = {
  readonly sourceUrl: string | null;
  readonly maxWallets: number;
  readonly fees: Fees;
};

export const HELP_TOPICS = [
  'steps',
  'trading',
  'fees',
  'create',
  'wallets',
  'security',
  'referral',
  'points',
  'commands',
] as const;
export type HelpTopic = (typeof HELP_TOPICS)[number];

export function helpView(words: Words, facts: HelpFacts, pauses: readonly Pause[]): View {
  return {
    text: lines(
      words.html('help.title', {
        source: facts.sourceUrl === null ? '' : words.html('help.source', { url: plain(facts.sourceUrl) }),
      }),
      ...pauses.map((pause) => pauseText(words, pause)),
    ),
    keyboard: keyboard(
      ...inRows(
        HELP_TOPICS.map((topic) => nav(words.text(`btn.help_${topic}`), 'help', topic)),
        2,
      ),
      [nav(words.text('btn.home'), 'home', 'open')],
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
    case 'fees':
      return words.html('help.fees', {
        trade: percentText(words, facts.fees.tradeBps),
        create: solText(words, facts.fees.createLamports),
        launch: solText(words, facts.fees.launchLamports),
      });
    case 'create':
      return words.html('help.create', { fee: solText(words, facts.fees.createLamports) });
    case 'security':
      return words.html('help.security');
    case 'points':
      return words.html('help.points');
    case 'wallets':
      return words.html('help.wallets', { max: facts.maxWallets, days: WALLET_GRACE_DAYS });
    case 'referral':
      return words.html('help.referral', { percent: percentText(words, facts.fees.referralShareBps) });
    case 'commands':
      return words.html('help.commands', { list: commandList(words) });
  }
}
