import type { ReferralOverview } from '../../../services/referrals/referral-overview.ts';
import type { Words } from '../../locales/words.ts';
import { percentText, solText, usdNote } from '../../ui/amounts.ts';
import { bold, code, html, lines } from '../../ui/html.ts';
import { copy, keyboard, link, nav } from '../../ui/keyboard.ts';
import type { View } from '../../ui/screen.ts';
import { utcDay, utcText } from '../../ui/time.ts';

export function referralView(
  words: Words,
  facts: ReferralOverview & {
    readonly inviteLink: string;
    readonly shareBps: number;
    readonly walletName: string;
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
      words.html('referral.rule', { percent: percentText(facts.shareBps), wallet: bold(facts.walletName) }),
      html``,
      words.html('referral.counts', { invited: totals.invited, active: totals.active }),
      words.html('referral.sums', {
        earned: solText(totals.earnedLamports),
        usd: usdNote(totals.earnedLamports, facts.microUsdPerSol),
        paid: solText(totals.paidLamports),
        pending: solText(totals.pendingLamports),
      }),
      totals.lastPayout === null
        ? words.html('referral.payout')
        : words.html('referral.last', {
            at: utcText(totals.lastPayout.at),
            signature: code(totals.lastPayout.signature),
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
      [nav(words.text('btn.qr'), 'referral', 'qr'), nav(words.text('btn.refresh'), 'referral', 'open')],
      [nav(words.text('btn.home'), 'home', 'open')],
    ),
  };
}
