import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { enterForm } from '../../../platform/telegram/dialog/enter-form.ts';
import type { Feature } from '../../../platform/telegram/feature.ts';
import { bold, code } from '../../../platform/telegram/ui/html.ts';
import { copy, keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import { payoutWallet } from '../../wallets/rules/receiving-wallet.ts';
import { openReferralAccount } from '../use/open-referral-account.ts';
import { payoutWait } from '../use/payout-wait.ts';
import { referralOverview } from '../use/referral-overview.ts';
import { campaignsView } from './audit-view.ts';
import { tagForm } from './flow.ts';
import { inviteLink } from './invite-link.ts';
import { ownCodeSteps } from './own-code.ts';
import { rewardTaps } from './rewards.ts';
import { referralView } from './view.ts';

const CAMPAIGN_ROWS = 10;

/** /referral: opens the account on first use. */
export function referralFeature(deps: FeatureDeps): Feature {
  const { referrals } = deps.db;

  async function open(ctx: BotContext): Promise<void> {
    const { turn } = ctx;
    const [overview, wallets, microUsdPerSol, wait] = await Promise.all([
      referralOverview(sourcesOf(deps), turn.user.id),
      deps.db.wallets.listByUser(turn.user.id),
      deps.solPrice(),
      payoutWait(
        {
          ...deps,
          minimumLamports: deps.options.payoutMinLamports,
          capLamports: deps.options.payoutsLamports,
        },
        turn.user,
      ),
    ]);
    const now = deps.clock.now();
    await turn.screen.show(
      referralView(turn.words, {
        ...overview,
        inviteLink: inviteLink(ctx, overview.account.code),
        shareBps: deps.options.fees(now).referralShareBps,
        walletName: payoutWallet(wallets, now)?.name ?? null,
        microUsdPerSol,
        wait,
      }),
    );
  }

  async function campaigns({ turn }: BotContext): Promise<void> {
    await turn.screen.show(campaignsView(turn.words, await referrals.campaigns(turn.user.id, CAMPAIGN_ROWS)));
  }

  const newTag = newTagForm(deps);
  const ownCode = ownCodeSteps(deps);

  return {
    name: 'referral',
    commands: [{ name: 'referral', act: 'reads', run: open }],
    taps: {
      open: { act: 'reads', run: open },
      qr: { act: 'reads', run: (ctx) => qr(deps, ctx) },
      ...rewardTaps(deps),
      campaigns: { act: 'reads', run: campaigns },
      tag: { act: 'display', run: (ctx) => enterForm(ctx, newTag, {}) },
      ...ownCode.taps,
    },
    forms: [ownCode.form, newTag],
  };
}

const sourcesOf = ({ db, ids, clock }: FeatureDeps) => ({ referrals: db.referrals, ids, clock });

async function qr(deps: FeatureDeps, ctx: BotContext): Promise<void> {
  const { turn } = ctx;
  const { account } = await openReferralAccount(sourcesOf(deps), turn.user.id);
  const link = inviteLink(ctx, account.code);
  await turn.screen.photo({
    caption: turn.words.html('referral.qr_caption', { link: code(link) }),
    keyboard: keyboard([
      nav(turn.words.text('btn.back'), 'referral', 'open'),
      nav(turn.words.text('btn.home'), 'home', 'open'),
    ]),
    fileId: null,
    bytes: () => deps.qr.png(link),
  });
}

function newTagForm(deps: FeatureDeps) {
  return tagForm(async (ctx, { tag }) => {
    const { turn } = ctx;
    const { account } = await openReferralAccount(sourcesOf(deps), turn.user.id);
    const link = inviteLink(ctx, account.code, tag);
    await turn.screen.fresh({
      text: turn.words.html('campaigns.made', { tag: bold(tag), link: code(link) }),
      keyboard: keyboard(
        [copy(turn.words.text('btn.copy_link'), link)],
        [
          nav(turn.words.text('btn.campaigns'), 'referral', 'campaigns'),
          nav(turn.words.text('btn.home'), 'home', 'open'),
        ],
      ),
    });
  });
}
