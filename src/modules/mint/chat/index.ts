import { z } from 'zod';
import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { AppError, hasCode } from '../../../core/errors/app-error.ts';
import { type Agreed, confirmTap } from '../../../engine/intents/chat/confirm-tap.ts';
import { runConfirmed } from '../../../engine/intents/chat/run-confirmed.ts';
import type { CreateTokenParams } from '../../../engine/intents/kinds/create-token/params.ts';
import type { PrepareTokenParams } from '../../../engine/intents/kinds/prepare-token/params.ts';
import { MAX_PICTURE_BYTES } from '../../../platform/ports/pictures.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { enterForm } from '../../../platform/telegram/dialog/enter-form.ts';
import type { SentPicture } from '../../../platform/telegram/dialog/form.ts';
import { downloadFile } from '../../../platform/telegram/download-file.ts';
import type { Feature, TapState } from '../../../platform/telegram/feature.ts';
import { resumeTap, unlockHandler } from '../../../platform/telegram/secret/unlock-first.ts';
import { textField } from '../../../platform/telegram/ui/payload.ts';
import { stoppedView } from '../../../platform/telegram/ui/stopped.ts';
import { openReferralAccount } from '../../referrals/use/open-referral-account.ts';
import { activeWallet } from '../../wallets/use/active-wallet.ts';
import { ownWallet } from '../../wallets/use/own-wallet.ts';
import type { CreationQuote } from '../use/quote-create-token.ts';
import { DRAFT, type Draft, draftBehind } from './answers.ts';
import { draftOf, draftProblems } from './draft.ts';
import { CREATE_TOKEN } from './feature-name.ts';
import { powerForm, tokenForm } from './flow.ts';
import { launchWizard } from './launch.ts';
import {
  EDITABLE,
  editView,
  isOn,
  marketView,
  POWERS,
  powersView,
  referralFirstView,
  refusedView,
  reviewView,
} from './view.ts';

const CONFIRM_TTL_MS = 15 * 60_000;

/** /create_token: questions, powers, review, and the confirm tap that makes the token. */
export function createTokenFeature(deps: FeatureDeps): Feature {
  const sources = { referrals: deps.db.referrals, ids: deps.ids, clock: deps.clock };
  const canLaunch = deps.launch.launchpads.length > 0;

  async function open(ctx: BotContext): Promise<void> {
    const { turn } = ctx;
    const isRequired = deps.options.referralRequiredFor.has('create');
    if (isRequired && (await deps.db.referrals.account(turn.user.id)) === null) {
      await turn.screen.show(referralFirstView(turn.words, 'refer'));
      return;
    }
    const wallet = await activeWallet(deps.db.wallets, turn.user);
    await enterForm(ctx, questions, {
      walletId: wallet.id,
      wallet: wallet.address,
      walletName: wallet.name,
    });
  }

  async function refer(ctx: BotContext): Promise<void> {
    await openReferralAccount(sources, ctx.turn.user.id);
    await open(ctx);
  }

  /** The draft goes from screen to screen in the row behind its buttons, so that a restart loses nothing. */
  const keep = ({ turn }: BotContext, draft: Draft): Promise<string> =>
    deps.states.issue({ userId: turn.user.id, feature: CREATE_TOKEN, payload: { draft } });

  async function powers(ctx: BotContext, draft: Draft): Promise<void> {
    const { turn } = ctx;
    const stateId = await keep(ctx, draft);
    await turn.screen.show(powersView(turn.words, { draft, problems: draftProblems(draft), stateId }));
  }

  async function setPower(ctx: BotContext, state: TapState | null): Promise<void> {
    const draft = draftBehind(state, DRAFT);
    const power = POWERS[state?.index ?? -1];
    if (power === undefined) throw new AppError('BUTTON_STALE', {});
    const on = isOn(draft, power);
    if (!power.asked) await powers(ctx, { ...draft, [power.key]: !on });
    else if (on) await powers(ctx, { ...draft, [power.key]: '' });
    else await enterForm(ctx, powerQuestions, draft, { only: power.key });
  }

  async function review(ctx: BotContext, draft: Draft): Promise<void> {
    const { turn } = ctx;
    const editId = await keep(ctx, draft);
    const wallet = await ownWallet(deps.db.wallets, {
      userId: turn.user.id,
      walletId: draft.walletId,
    });
    const quote = await quoteOrProblems(ctx, draft, editId);
    if (quote === null) return;
    const payload: Agreed<CreateTokenParams | PrepareTokenParams> = {
      idemKey: deps.ids.token(),
      walletId: wallet.id,
      params: quote.agreed,
    };
    const confirmId = await deps.states.issue({
      userId: turn.user.id,
      feature: CREATE_TOKEN,
      payload,
      ttlMs: CONFIRM_TTL_MS,
    });
    await turn.screen.show(reviewView(turn.words, { draft, quote, confirmId, editId, canLaunch }));
  }

  async function quoteOrProblems(
    { turn }: BotContext,
    draft: Draft,
    stateId: string,
  ): Promise<CreationQuote | null> {
    try {
      return await deps.mint.quoteCreateToken({
        wallet: draft.wallet,
        draft: draftOf(draft),
        tier: turn.user.settings.tier,
      });
    } catch (error) {
      if (!hasCode(error, 'TOKEN_REQUEST_INVALID')) throw error;
      await turn.screen.show(refusedView(turn.words, { problems: error.details.problems, stateId }));
      return null;
    }
  }

  async function edit(ctx: BotContext, state: TapState | null): Promise<void> {
    const draft = draftBehind(state, DRAFT);
    const key = state?.index == null ? null : EDITABLE[state.index];
    if (key === undefined) throw new AppError('BUTTON_STALE', {});
    if (key !== null) await enterForm(ctx, questions, draft, { only: key });
    else await ctx.turn.screen.show(editView(ctx.turn.words, draft, await keep(ctx, draft)));
  }

  const confirm = (ctx: BotContext, state: TapState | null): Promise<void> =>
    confirmTap(deps, ctx, state, deps.mint.confirmCreateToken, CREATE_TOKEN);

  /** Carries on a creation whose second half came to nothing. */
  async function finish(ctx: BotContext, state: TapState | null): Promise<void> {
    const intentId = textField(state, 'intentId');
    await runConfirmed(deps, ctx, (progress) =>
      deps.mint.finishToken({ userId: ctx.turn.user.id, intentId, progress }),
    );
  }

  async function stop({ turn }: BotContext, state: TapState | null): Promise<void> {
    // Using the row up makes the confirm button of this very screen dead, wherever it may still be shown.
    if (state?.buttonId != null) await deps.states.use({ id: state.buttonId, userId: turn.user.id });
    await turn.screen.show(stoppedView(turn.words));
  }

  async function takePicture(ctx: BotContext, { fileId, bytes: told }: SentPicture): Promise<string> {
    const tooLarge = new AppError('PICTURE_TOO_LARGE', { maxBytes: MAX_PICTURE_BYTES });
    if (told > MAX_PICTURE_BYTES) throw tooLarge;
    const bytes = await downloadFile(deps, ctx.api, fileId, MAX_PICTURE_BYTES);
    if (bytes === null) throw new AppError('PICTURE_UNREADABLE', { reason: 'broken' });
    return (await deps.storePicture(bytes)).uri;
  }

  const questions = tokenForm(takePicture, canLaunch, (ctx, draft, { only }) =>
    only ? review(ctx, draft) : powers(ctx, draft),
  );
  const powerQuestions = powerForm(powers);

  async function market({ turn }: BotContext, state: TapState | null): Promise<void> {
    if (state?.buttonId == null) throw new AppError('BUTTON_STALE', {});
    await turn.screen.show(marketView(turn.words, state.buttonId, canLaunch));
  }

  const launch = launchWizard(deps, takePicture);
  /** A launch or a creation waited for the PIN; both wait behind this feature's buttons. */
  const unlockable = {
    feature: CREATE_TOKEN,
    run: (ctx: BotContext, state: TapState) => (isLaunch(state) ? launch.confirm : confirm)(ctx, state),
  };

  return {
    name: CREATE_TOKEN,
    commands: [{ name: 'create_token', act: 'reads', run: open }],
    taps: {
      open: { act: 'reads', run: open },
      refer: { act: 'reads', run: refer },
      powers: { act: 'reads', run: (ctx, state) => powers(ctx, draftBehind(state, DRAFT)) },
      set: { act: 'reads', run: setPower },
      back: {
        act: 'reads',
        run: (ctx, state) => enterForm(ctx, questions, draftBehind(state, DRAFT), { begin: 'to' }),
      },
      review: { act: 'reads', run: (ctx, state) => review(ctx, draftBehind(state, DRAFT)) },
      edit: { act: 'reads', run: edit },
      confirm: {
        act: 'token-create',
        run: confirm,
        stale: ({ turn }) => turn.toast(turn.words.text('toast.confirm_stale')),
      },
      finish: {
        act: 'token-create',
        run: finish,
        stale: ({ turn }) => turn.toast(turn.words.text('toast.confirm_stale')),
      },
      stop: { act: 'withdrawal-stop', run: stop },
      market: { act: 'reads', run: market },
      resume: { act: ['token-create', 'launch'], run: resumeTap(deps, unlockable) },
      ...launch.taps,
    },
    forms: [questions, powerQuestions, ...launch.forms],
    // As Create → Launch; where no launchpad is, the menu says what can be made.
    hidden: [
      {
        name: 'launch',
        act: 'reads',
        run: ({ turn }) => (canLaunch ? turn.go(CREATE_TOKEN, 'launch') : turn.go('home', 'create')),
      },
    ],
    secrets: { unlock: { act: 'unlock', run: unlockHandler(deps, unlockable) } },
  };
}

/** A confirm button's payload is ours. */
function isLaunch({ payload }: TapState): boolean {
  return z.object({ params: z.object({ kind: z.literal('launch') }) }).safeParse(payload).success;
}
