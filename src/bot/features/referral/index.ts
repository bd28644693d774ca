import { invitePayload } from '../../../core/referrals/start-payload.ts';
import { openReferralAccount } from '../../../services/referrals/open-referral-account.ts';
import { referralOverview } from '../../../services/referrals/referral-overview.ts';
import { activeWallet } from '../../../services/wallets/active-wallet.ts';
import type { BotContext } from '../../context.ts';
import type { FeatureDeps } from '../../deps.ts';
import type { Feature } from '../../feature.ts';
import { code } from '../../ui/html.ts';
import { keyboard, nav } from '../../ui/keyboard.ts';
import { referralView } from './view.ts';

/** /referral: opens the account on first use. */
export function referralFeature(deps: FeatureDeps): Feature {
  const sources = { referrals: deps.db.referrals, ids: deps.ids, clock: deps.clock };
  const linkOf = (ctx: BotContext, inviteCode: string): string =>
    `https://t.me/${ctx.me.username}?start=${invitePayload(inviteCode)}`;

  async function open(ctx: BotContext): Promise<void> {
    const { turn } = ctx;
    const [overview, wallet, microUsdPerSol] = await Promise.all([
      referralOverview(sources, turn.user.id),
      activeWallet(deps.db.wallets, turn.user),
      deps.solPrice(),
    ]);
    await turn.screen.show(
      referralView(turn.words, {
        ...overview,
        inviteLink: linkOf(ctx, overview.account.code),
        shareBps: deps.options.referralShareBps,
        walletName: wallet.name,
        microUsdPerSol,
      }),
    );
  }

  async function qr(ctx: BotContext): Promise<void> {
    const { turn } = ctx;
    const { account } = await openReferralAccount(sources, turn.user.id);
    const inviteLink = linkOf(ctx, account.code);
    await turn.screen.photo({
      caption: turn.words.html('referral.qr_caption', { link: code(inviteLink) }),
      keyboard: keyboard([
        nav(turn.words.text('btn.back'), 'referral', 'open'),
        nav(turn.words.text('btn.home'), 'home', 'open'),
      ]),
      fileId: null,
      bytes: () => deps.qr.png(inviteLink),
    });
  }

  return {
    name: 'referral',
    commands: [{ name: 'referral', run: open }],
    taps: { open: { run: open }, qr: { run: qr } },
    forms: [],
  };
}
