import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { type Agreed, confirmTap } from '../../../engine/intents/chat/confirm-tap.ts';
import type { LaunchParams } from '../../../engine/intents/kinds/launch/params.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { enterForm } from '../../../platform/telegram/dialog/enter-form.ts';
import type { Feature, TapState } from '../../../platform/telegram/feature.ts';
import type { LaunchQuote } from '../../launch/use/quote-launch.ts';
import { openReferralAccount } from '../../referrals/use/open-referral-account.ts';
import type { Settings } from '../../settings/rules/settings.ts';
import { activeWallet } from '../../wallets/use/active-wallet.ts';
import { draftBehind, LAUNCH_DRAFT, type LaunchDraft } from './answers.ts';
import { draftOf } from './draft.ts';
import { CREATE_TOKEN } from './feature-name.ts';
import { launchForm, type TakePicture } from './flow.ts';
import { launchView } from './launch-view.ts';
import { referralFirstView } from './view.ts';

const CONFIRM_TTL_MS = 15 * 60_000;

/** The launch wizard: a launchpad makes the token and sells it along its curve. Taps and questions for the feature. */
export function launchWizard(
  deps: FeatureDeps,
  takePicture: TakePicture,
): Pick<Feature, 'taps' | 'forms'> & {
  readonly confirm: (ctx: BotContext, state: TapState) => Promise<void>;
} {
  const open = (ctx: BotContext): Promise<void> => begin(deps, ctx, questions);

  const confirm = (ctx: BotContext, state: TapState | null): Promise<void> =>
    confirmTap(deps, ctx, state, deps.launch.confirmLaunch, CREATE_TOKEN);

  const questions = launchForm(
    takePicture,
    ({ turn }, draft) => quoteOf(deps, turn.user.settings, draft),
    (ctx, draft) => review(deps, ctx, draft),
  );
  return {
    confirm,
    forms: [questions],
    taps: {
      launch: { act: 'launch', run: open },
      refer_launch: {
        act: 'reads',
        run: async (ctx) => {
          const { db, ids, clock } = deps;
          await openReferralAccount({ referrals: db.referrals, ids, clock }, ctx.turn.user.id);
          await open(ctx);
        },
      },
      launch_edit: {
        act: 'reads',
        run: (ctx, state) => enterForm(ctx, questions, draftBehind(state, LAUNCH_DRAFT), { begin: 'symbol' }),
      },
      launch_buy: {
        act: 'reads',
        run: (ctx, state) =>
          enterForm(ctx, questions, draftBehind(state, LAUNCH_DRAFT), { only: 'firstBuyLamports' }),
      },
      launch_yes: {
        act: 'launch',
        run: confirm,
        stale: ({ turn }) => turn.toast(turn.words.text('toast.confirm_stale')),
      },
    },
  };
}

/** The first question; the referral account before it, for a refusal behind the questions would cost the person all answers. */
async function begin(
  deps: FeatureDeps,
  ctx: BotContext,
  questions: ReturnType<typeof launchForm>,
): Promise<void> {
  const { turn } = ctx;
  const { launchpads } = deps.launch;
  if (launchpads.length === 0) throw new AppError('LAUNCHPAD_UNAVAILABLE', { pad: '' });
  const isRequired = deps.options.referralRequiredFor.has('launch');
  if (isRequired && (await deps.db.referrals.account(turn.user.id)) === null) {
    await turn.screen.show(referralFirstView(turn.words, 'refer_launch'));
    return;
  }
  const wallet = await activeWallet(deps.db.wallets, turn.user);
  await enterForm(ctx, questions, {
    walletId: wallet.id,
    wallet: wallet.address,
    walletName: wallet.name,
    pads: launchpads.map(({ name, label }) => ({ name, label })),
  });
}

/** The launch as it is about to be confirmed, with a price of now. */
async function review(deps: FeatureDeps, ctx: BotContext, draft: LaunchDraft): Promise<void> {
  const { turn } = ctx;
  const found = await quoteOf(deps, turn.user.settings, draft);
  const payload: Agreed<LaunchParams> = {
    idemKey: deps.ids.token(),
    walletId: draft.walletId,
    params: found.params,
  };
  const of = { userId: turn.user.id, feature: CREATE_TOKEN };
  const [confirmId, editId] = await Promise.all([
    deps.states.issue({ ...of, payload, ttlMs: CONFIRM_TTL_MS }),
    deps.states.issue({ ...of, payload: { draft } }),
  ]);
  await turn.screen.show(launchView(turn.words, { draft, quote: found, confirmId, editId }));
}

function quoteOf({ launch }: FeatureDeps, settings: Settings, draft: LaunchDraft): Promise<LaunchQuote> {
  const { symbol = '', name, metadata, metadataUri } = draftOf(draft);
  return launch.quoteLaunch({
    wallet: draft.wallet,
    pad: draft.pad ?? '',
    symbol,
    ...(name === undefined ? {} : { name }),
    ...(metadataUri === undefined ? {} : { metadataUri }),
    ...(metadata === undefined ? {} : { metadata }),
    firstBuyLamports: draft.firstBuyLamports ?? 0n,
    slippageBps: settings.slippageBuyBps,
    tier: settings.tier,
  });
}
