import { shortAddress } from '@tradepost/solana';
import type { Words } from '../../../compose/texts/words.ts';
import { percentText, solText, usdNote } from '../../../platform/telegram/ui/amounts.ts';
import { bold, code, type Html, html, lines } from '../../../platform/telegram/ui/html.ts';
import { copy, keyboard, link, nav } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { utcDay, utcText } from '../../../platform/telegram/ui/time.ts';
import type { PayoutWait } from '../use/payout-wait.ts';
import type { ReferralOverview } from '../use/referral-overview.ts';

export function referralView(
  words: Words,
  facts: ReferralOverview & {
    readonly inviteLink: string;
    readonly shareBps: number;
    /** Null = no wallet of theirs receives payouts. */
    readonly walletName: string | null;
    readonly wait: PayoutWait | null;
    readonly microUsdPerSol: bigint | null;
  },
): View {
  const { account, totals, inviteLink } = facts;
  return {
    text: lines(
      facts.created && words.html('referral.created'),
      words.html('referral.title', { code: code(account.code), day: utcDay(account.createdAt) }),
      code(inviteLink),
      html``,
      words.html('referral.rule', {
        percent: percentText(words, facts.shareBps),
        wallet: facts.walletName === null ? words.html('referral.no_payout_wallet') : bold(facts.walletName),
      }),
      html``,
      words.html('referral.counts', {
        invited: totals.invited,
        active: totals.active,
        volume: solText(words, facts.volumeLamports),
      }),
      words.html('referral.sums', {
        earned: solText(words, totals.earnedLamports),
        usd: usdNote(words, totals.earnedLamports, facts.microUsdPerSol),
        paid: solText(words, totals.paidLamports),
        pending: solText(words, totals.pendingLamports),
      }),
      facts.wait !== null &&
        words.html('referral.wait', {
          sol: solText(words, facts.wait.lamports),
          why: waitText(words, facts.wait),
        }),
      totals.lastPayout === null
        ? words.html('referral.payout')
        : words.html('referral.last', {
            at: utcText(totals.lastPayout.at),
            signature: code(shortAddress(totals.lastPayout.signature)),
          }),
    ),
    keyboard: keyboard(
      [
        copy(words.text('btn.copy_link'), inviteLink),
        link(
          words.text('btn.share'),
          `https://t.me/share/url?url=${encodeURIComponent(inviteLink)}&text=${encodeURIComponent(words.text('referral.share_text'))}`,
        ),
      ],
      [
        nav(words.text('btn.ledger'), 'referral', 'ledger'),
        nav(words.text('btn.uncounted'), 'referral', 'uncounted'),
      ],
      [
        nav(words.text('btn.campaigns'), 'referral', 'campaigns'),
        nav(words.text('btn.custom_code'), 'referral', 'code'),
      ],
      [nav(words.text('btn.qr'), 'referral', 'qr'), nav(words.text('btn.refresh'), 'referral', 'open')],
      [nav(words.text('btn.home'), 'home', 'open')],
    ),
  };
}

function waitText(words: Words, { reason }: PayoutWait): Html {
  switch (reason.kind) {
    case 'below-rent':
      return words.html('wait.below-rent', { missing: solText(words, reason.missing) });
    case 'above-cap':
      return words.html('wait.above-cap', { cap: solText(words, reason.cap) });
    case 'below-minimum':
      return words.html('wait.below-minimum', { minimum: solText(words, reason.minimum) });
    case 'no-wallet':
    case 'imported-only':
    case 'paused':
    case 'next':
    case 'in-flight':
      return words.html(`wait.${reason.kind}`);
  }
}
