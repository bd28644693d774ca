import { type Address, shortAddress } from '@tradepost/solana';
import { type Words, wordsFor, wordsOf } from '../../../compose/texts/words.ts';
import { leftText, utcText } from '../../../platform/telegram/ui/time.ts';
import { NOTICE_CODE_MS } from '../rules/notice-mail.ts';
import type { StopFacts, Stoppable, StopWords } from '../rules/stop-facts.ts';
import type { NoticeLetters } from '../use/mail-notice.ts';
import type { StopPage } from '../use/stop-by-mail.ts';
import { GUARD_TEXTS } from './notice-view.ts';

/** The mails to a person, in the language of the chat. No secret is in them but the code or the link that they are for. */
export const NOTICE_LETTERS: NoticeLetters = {
  code: (person, code) => {
    const words = wordsFor(person);
    return letter(words, words.text('mail.code_subject'), [
      words.text('mail.code'),
      code,
      words.text('mail.code_where', { minutes: NOTICE_CODE_MS / 60_000 }),
      words.text('mail.code_not_you'),
    ]);
  },
  stop: (person, facts, link) => {
    const words = wordsFor(person);
    return letter(words, words.text('mail.stop_subject'), [
      ...happens(words, facts.what),
      `${words.text('mail.stop_page')}\n${link}`,
      effect(words, facts),
      words.text('mail.stop_until', { at: utcText(facts.endsAt) }),
      words.text('mail.stop_if_you'),
    ]);
  },
};

function letter(
  words: Words,
  subject: string,
  paragraphs: readonly string[],
): { subject: string; text: string } {
  return { subject, text: `${[words.text('mail.hello'), ...paragraphs].join('\n\n')}\n\n-- \nTradepost\n` };
}

/** The page behind the link of a mail. */
export function stopPageWords(page: StopPage): StopWords {
  if (page.kind === 'gone') return said(wordsOf('en'), 'gone');
  const words = wordsFor(page.person);
  if (!('facts' in page)) return said(words, page.kind);
  const { language } = words;
  const { facts } = page;
  return page.kind === 'open'
    ? {
        language,
        title: words.text('mail.page_open'),
        paragraphs: [...happens(words, facts.what), effect(words, facts), words.text('mail.stop_if_you')],
        button: words.text('mail.stop_button'),
      }
    : {
        language,
        title: words.text('mail.page_stopped'),
        paragraphs: [words.text(`mail.did_${facts.way}`)],
        button: null,
      };
}

function said(words: Words, kind: 'gone' | 'used' | 'over'): StopWords {
  return {
    language: words.language,
    title: words.text(`mail.page_${kind}`),
    paragraphs: [words.text(`mail.page_${kind}_why`)],
    button: null,
  };
}

/** What happens, as plain sentences. */
function happens(words: Words, what: Stoppable): readonly string[] {
  switch (what.kind) {
    case 'guard': {
      // These sentences of the chat have no values and no markup but bold.
      const text = words.text(GUARD_TEXTS[what.act]).replace(/<\/?b>/g, '');
      return what.until === null
        ? [text]
        : [`${text} ${words.text('guarded.counts_at', { at: utcText(what.until) })}`];
    }
    case 'export':
      return [words.text(what.isReady ? 'mail.export_ready' : 'mail.export_asked', named(what))];
    case 'imported':
      return [words.text('mail.imported', named({ ...what, at: 0 }))];
    case 'wallet-confirm-asked':
    case 'payout-wallet-asked':
      return [words.text(`mail.${what.kind}`, named(what))];
    case 'withdrawal':
      return [words.text('mail.withdrawal', { address: shortAddress(what.address), at: utcText(what.at) })];
  }
}

function named({
  wallet,
  address,
  at,
}: {
  readonly wallet: string;
  readonly address: Address | null;
  readonly at: number;
}): { readonly wallet: string; readonly address: string; readonly at: string } {
  return { wallet, address: address === null ? '' : shortAddress(address), at: utcText(at) };
}

/** What Stop does. */
function effect(words: Words, { way, what }: Pick<StopFacts, 'way' | 'what'>): string {
  if (way !== 'export') return words.text(`mail.way_${way}`);
  const barMs = what.kind === 'export' ? what.barMs : 0;
  return barMs === 0
    ? words.text('mail.way_export_now')
    : words.text('mail.way_export', { time: leftText(barMs) });
}
