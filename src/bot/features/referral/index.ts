import { InputFile } from 'grammy';
import { invitePayload } from '../../../core/referrals/start-payload.ts';
import { rewardsCsv } from '../../../services/referrals/audit-lines.ts';
import { checkCode, chooseCode, mayChoose } from '../../../services/referrals/choose-code.ts';
import { openReferralAccount } from '../../../services/referrals/open-referral-account.ts';
import { payoutWait } from '../../../services/referrals/payout-wait.ts';
import { referralOverview } from '../../../services/referrals/referral-overview.ts';
import { activeWallet } from '../../../services/wallets/active-wallet.ts';
import type { BotContext } from '../../context.ts';
import type { FeatureDeps } from '../../deps.ts';
import { enterForm } from '../../dialog/enter-form.ts';
import type { Feature, TapState } from '../../feature.ts';
import { bold, code, lines } from '../../ui/html.ts';
import { act, copy, keyboard, nav } from '../../ui/keyboard.ts';
import { textField } from '../../ui/payload.ts';
import { AUDIT_PAGE, campaignsView, ledgerView, uncountedView } from './audit-view.ts';
import { codeForm, tagForm } from './flow.ts';
import { referralView } from './view.ts';

const CAMPAIGN_ROWS = 10;
const CONFIRM_TTL_MS = 15 * 60_000;

/** /referral: opens the account on first use. */
export function referralFeature(deps: FeatureDeps): Feature {
  const sources = { referrals: deps.db.referrals, ids: deps.ids, clock: deps.clock };
  const { referrals } = deps.db;
  const choice = { db: deps.db, clock: deps.clock, needsVoucher: deps.options.codeNeedsVoucher };
  const linkOf = (ctx: BotContext, inviteCode: string, tag: string | null = null): string =>
    `https://t.me/${ctx.me.username}?start=${invitePayload(inviteCode, tag)}`;

  async function open(ctx: BotContext): Promise<void> {
    const { turn } = ctx;
    const [overview, wallet, microUsdPerSol, wait] = await Promise.all([
      referralOverview(sources, turn.user.id),
      activeWallet(deps.db.wallets, turn.user),
      deps.solPrice(),
      payoutWait({ ...deps, minimumLamports: deps.options.payoutMinLamports }, turn.user),
    ]);
    await turn.screen.show(
      referralView(turn.words, {
        ...overview,
        inviteLink: linkOf(ctx, overview.account.code),
        shareBps: deps.options.fees(deps.clock.now()).referralShareBps,
        walletName: wallet.name,
        microUsdPerSol,
        wait,
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

  /** One page and whether there is another; a callback holds two digits, the CSV has the rest. */
  async function pageOf<T>(
    state: TapState | null,
    load: (page: { readonly offset: number; readonly limit: number }) => Promise<readonly T[]>,
  ) {
    const index = state?.index ?? 0;
    const rows = await load({ offset: index * AUDIT_PAGE, limit: AUDIT_PAGE + 1 });
    return { rows: rows.slice(0, AUDIT_PAGE), page: { index, more: rows.length > AUDIT_PAGE && index < 99 } };
  }

  async function ledger({ turn }: BotContext, state: TapState | null): Promise<void> {
    const { id } = turn.user;
    const { rows, page } = await pageOf(state, (span) => referrals.rewardLines(id, span));
    await turn.screen.show(ledgerView(turn.words, rows, page));
  }

  async function uncounted({ turn }: BotContext, state: TapState | null): Promise<void> {
    const { id } = turn.user;
    const { rows, page } = await pageOf(state, (span) => referrals.uncounted(id, span));
    await turn.screen.show(uncountedView(turn.words, rows, page));
  }

  async function csv(ctx: BotContext): Promise<void> {
    const { turn, chatId } = ctx;
    if (chatId === undefined) return;
    const file = Buffer.from(await rewardsCsv(referrals, turn.user.id));
    await ctx.api.sendDocument(chatId, new InputFile(file, 'referral-ledger.csv'), {
      caption: turn.words.html('ledger.csv').markup,
      parse_mode: 'HTML',
    });
  }

  async function campaigns({ turn }: BotContext): Promise<void> {
    await turn.screen.show(campaignsView(turn.words, await referrals.campaigns(turn.user.id, CAMPAIGN_ROWS)));
  }

  const newTag = tagForm(async (ctx, { tag }) => {
    const { turn } = ctx;
    const { account } = await openReferralAccount(sources, turn.user.id);
    const inviteLink = linkOf(ctx, account.code, tag);
    await turn.screen.fresh({
      text: turn.words.html('campaigns.made', { tag: bold(tag), link: code(inviteLink) }),
      keyboard: keyboard(
        [copy(turn.words.text('btn.copy_link'), inviteLink)],
        [
          nav(turn.words.text('btn.campaigns'), 'referral', 'campaigns'),
          nav(turn.words.text('btn.home'), 'home', 'open'),
        ],
      ),
    });
  });

  const newCode = codeForm(
    async ({ turn }, text) => (await checkCode(choice, turn.user.id, text)).code,
    async ({ turn }, chosen) => {
      const { account, code: wanted } = await checkCode(choice, turn.user.id, chosen.code);
      const stateId = await deps.states.issue({
        userId: turn.user.id,
        feature: 'referral',
        payload: { code: wanted },
        ttlMs: CONFIRM_TTL_MS,
      });
      await turn.screen.fresh({
        text: turn.words.html('code.confirm', { code: bold(wanted), old: bold(account.code) }),
        keyboard: keyboard(
          [act(turn.words.text('btn.code_yes', { code: wanted }), 'referral', 'take', stateId)],
          [nav(turn.words.text('btn.back'), 'referral', 'open')],
        ),
      });
    },
  );

  async function askCode(ctx: BotContext): Promise<void> {
    await openReferralAccount(sources, ctx.turn.user.id);
    // Who may not choose is told before being asked.
    await mayChoose(choice, deps.db, ctx.turn.user.id);
    await enterForm(ctx, newCode, {});
  }

  async function take(ctx: BotContext, state: TapState | null): Promise<void> {
    const { turn } = ctx;
    const account = await chooseCode(choice, turn.user.id, textField(state, 'code'));
    const inviteLink = linkOf(ctx, account.code);
    await turn.screen.show({
      text: lines(turn.words.html('code.done', { code: bold(account.code) }), code(inviteLink)),
      keyboard: keyboard(
        [copy(turn.words.text('btn.copy_link'), inviteLink)],
        [nav(turn.words.text('btn.back'), 'referral', 'open')],
      ),
    });
  }

  return {
    name: 'referral',
    commands: [{ name: 'referral', run: open }],
    taps: {
      open: { run: open },
      qr: { run: qr },
      ledger: { run: ledger },
      uncounted: { run: uncounted },
      csv: { run: csv },
      campaigns: { run: campaigns },
      tag: { run: (ctx) => enterForm(ctx, newTag, {}) },
      code: { run: askCode },
      take: { run: take },
    },
    forms: [newCode, newTag],
  };
}
