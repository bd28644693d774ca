import type { Words } from '../../../compose/texts/words.ts';
import { solText } from '../../../platform/telegram/ui/amounts.ts';
import { bold, code, type Html, html, lines, plain } from '../../../platform/telegram/ui/html.ts';
import { type ButtonSpec, keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { utcText } from '../../../platform/telegram/ui/time.ts';
import type { Campaign, RewardLine, UncountedLine } from '../rules/reward.ts';
import { uncountedReason } from '../use/audit-lines.ts';

export const AUDIT_PAGE = 5;

type Page = { readonly index: number; readonly more: boolean };

const footer = (words: Words): readonly ButtonSpec[] => [
  nav(words.text('btn.back'), 'referral', 'open'),
  nav(words.text('btn.home'), 'home', 'open'),
];

const pager = (words: Words, action: string, { index, more }: Page) => [
  index > 0 && nav(words.text('btn.newer'), 'referral', `${action}-${index - 1}`),
  more && nav(words.text('btn.older'), 'referral', `${action}-${index + 1}`),
];

export function ledgerView(words: Words, rows: readonly RewardLine[], page: Page): View {
  return {
    text: lines(
      words.html('ledger.title'),
      html``,
      ...(rows.length === 0
        ? [words.html('ledger.none')]
        : rows.map((row) =>
            words.html('ledger.row', {
              at: utcText(row.createdAt),
              invitee: row.inviteeMark ?? '',
              kind: kindText(words, row.kind),
              receipt: row.receipt ?? '',
              fee: solText(words, row.feeLamports ?? 0n),
              share: bold(solText(words, row.lamports)),
              payout: payoutText(words, row),
            }),
          )),
    ),
    keyboard: keyboard(
      pager(words, 'ledger', page),
      rows.length > 0 && [nav(words.text('btn.csv'), 'referral', 'csv')],
      footer(words),
    ),
  };
}

function payoutText(words: Words, { status, payoutSignature }: RewardLine): Html {
  if (payoutSignature !== null) return words.html('ledger.paid', { signature: code(payoutSignature) });
  return words.html(status === 'ACCRUED' ? 'ledger.accrued' : 'ledger.batched');
}

function kindText(words: Words, kind: string | null): Html {
  const key = `kind.${kind ?? ''}`;
  return words.has(key) ? words.html(key) : plain(kind ?? '');
}

export function uncountedView(words: Words, rows: readonly UncountedLine[], page: Page): View {
  return {
    text: lines(
      words.html('uncounted.title'),
      html``,
      ...(rows.length === 0
        ? [words.html('uncounted.none')]
        : rows.map((row) =>
            words.html('uncounted.row', {
              at: utcText(row.createdAt),
              invitee: row.inviteeMark,
              kind: kindText(words, row.kind),
              receipt: row.receipt,
              why: words.html(`uncounted.${uncountedReason(row)}`),
            }),
          )),
    ),
    keyboard: keyboard(pager(words, 'uncounted', page), footer(words)),
  };
}

export function campaignsView(words: Words, rows: readonly Campaign[]): View {
  return {
    text: lines(
      words.html('campaigns.title'),
      html``,
      ...(rows.length === 0
        ? [words.html('campaigns.none')]
        : rows.map(({ tag, invited, active, earnedLamports }) =>
            words.html('campaigns.row', {
              tag: bold(tag),
              invited,
              active,
              earned: solText(words, earnedLamports),
            }),
          )),
    ),
    keyboard: keyboard([nav(words.text('btn.new_campaign'), 'referral', 'tag')], footer(words)),
  };
}
