import { checkCode, chooseCode, mayChoose } from '../../../services/referrals/choose-code.ts';
import { openReferralAccount } from '../../../services/referrals/open-referral-account.ts';
import type { BotContext } from '../../context.ts';
import type { FeatureDeps } from '../../deps.ts';
import { enterForm } from '../../dialog/enter-form.ts';
import type { TapState } from '../../feature.ts';
import { bold, code, lines } from '../../ui/html.ts';
import { act, copy, keyboard, nav } from '../../ui/keyboard.ts';
import { textField } from '../../ui/payload.ts';
import { codeForm } from './flow.ts';
import { inviteLink } from './invite-link.ts';

const CONFIRM_TTL_MS = 15 * 60_000;

/** A code of one's own choice in place of the one that was drawn. */
export function ownCodeSteps(deps: FeatureDeps) {
  const sources = { referrals: deps.db.referrals, ids: deps.ids, clock: deps.clock };
  const choice = { db: deps.db, clock: deps.clock, needsVoucher: deps.options.codeNeedsVoucher };

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
    const link = inviteLink(ctx, account.code);
    await turn.screen.show({
      text: lines(turn.words.html('code.done', { code: bold(account.code) }), code(link)),
      keyboard: keyboard(
        [copy(turn.words.text('btn.copy_link'), link)],
        [nav(turn.words.text('btn.back'), 'referral', 'open')],
      ),
    });
  }

  return { form: newCode, taps: { code: { run: askCode }, take: { run: take } } };
}
