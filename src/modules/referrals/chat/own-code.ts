import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { enterForm } from '../../../platform/telegram/dialog/enter-form.ts';
import type { Feature, TapState } from '../../../platform/telegram/feature.ts';
import { bold, code, lines } from '../../../platform/telegram/ui/html.ts';
import { act, copy, keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import { textField } from '../../../platform/telegram/ui/payload.ts';
import { checkCode, mayChoose } from '../use/choose-code.ts';
import { openReferralAccount } from '../use/open-referral-account.ts';
import { codeForm } from './flow.ts';
import { inviteLink } from './invite-link.ts';

const CONFIRM_TTL_MS = 15 * 60_000;

/** A code of one's own choice in place of the one that was drawn. */
export function ownCodeSteps(deps: FeatureDeps) {
  const sources = { referrals: deps.db.referrals, ids: deps.ids, clock: deps.clock };
  const choice = { db: deps.db, needsVoucher: deps.options.codeNeedsVoucher };

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
    // A person who may not choose gets the reason before the question.
    await mayChoose(choice, deps.db, ctx.turn.user.id);
    await deps.guard.mayAct({ userId: ctx.turn.user.id, act: 'referral-code' });
    await enterForm(ctx, newCode, {});
  }

  async function take(ctx: BotContext, state: TapState | null): Promise<void> {
    const { turn } = ctx;
    const account = await deps.guard.chooseCode({
      userId: turn.user.id,
      text: textField(state, 'code'),
      needsVoucher: choice.needsVoucher,
    });
    const link = inviteLink(ctx, account.code);
    await turn.screen.show({
      text: lines(turn.words.html('code.done', { code: bold(account.code) }), code(link)),
      keyboard: keyboard(
        [copy(turn.words.text('btn.copy_link'), link)],
        [nav(turn.words.text('btn.back'), 'referral', 'open')],
      ),
    });
  }

  const taps: Feature['taps'] = {
    code: { act: 'referral-code', run: askCode },
    take: { act: 'referral-code', run: take },
  };
  return { form: newCode, taps };
}
