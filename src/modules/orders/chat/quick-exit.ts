import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { address } from '../../../core/address/address.ts';
import { AppError, hasCode } from '../../../core/errors/app-error.ts';
import { redrawResult } from '../../../engine/intents/chat/redraw-result.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import type { Feature, Tap, TapState } from '../../../platform/telegram/feature.ts';
import { unlockFirst } from '../../../platform/telegram/secret/unlock-first.ts';
import { textField } from '../../../platform/telegram/ui/payload.ts';
import { ownWallet } from '../../wallets/use/own-wallet.ts';
import { standingExits } from '../use/standing-exits.ts';
import type { draftAnswers } from './draft-answers.ts';
import { type DraftState, draftGroup, encodeDraft, newDraft, ORDERS } from './draft-state.ts';
import { exitMark, QUICK_EXITS, type QuickExit } from './quick-label.ts';

type Form = {
  readonly answers: ReturnType<typeof draftAnswers>;
  readonly show: (ctx: BotContext, state: DraftState) => Promise<void>;
};

/**
 * [SL −30%] and [TP +100%] below a purchase: one tap places that exit on the position, judged as from the form. An existing one is
 * reported, and not doubled. Where the price is there already the form opens.
 */
export function quickExits(deps: FeatureDeps, form: Form): Feature['taps'] {
  const tap = (type: QuickExit): Tap => ({
    act: 'order-place',
    toasts: true,
    run: async (ctx, state) => {
      if (await isTold(deps, ctx, state, type)) return;
      await place(deps, ctx, state, { type, form });
    },
  });
  return { quicksl: tap('STOP_LOSS'), quicktp: tap('TAKE_PROFIT') };
}

/** Whether such an exit is placed already; a toast names its number then. */
async function isTold(
  deps: FeatureDeps,
  ctx: BotContext,
  tap: TapState | null,
  type: QuickExit,
): Promise<boolean> {
  const { turn } = ctx;
  const of = {
    userId: turn.user.id,
    walletId: textField(tap, 'walletId'),
    mint: address(textField(tap, 'mint')),
  };
  const { stop, take } = await standingExits(deps.db, of);
  const standing = type === 'STOP_LOSS' ? stop : take;
  if (standing === null) return false;
  const { number } = standing;
  await turn.toast(turn.words.text('toast.exit_stands', { number, mark: exitMark(turn.words, standing) }));
  await redrawResult(deps, ctx, textField(tap, 'intentId'));
  return true;
}

async function place(
  deps: FeatureDeps,
  ctx: BotContext,
  tap: TapState | null,
  { type, form }: { readonly type: QuickExit; readonly form: Form },
): Promise<void> {
  const { turn } = ctx;
  const { user, words } = turn;
  const state = await draftFor(deps, ctx, tap, { type, form });
  const { slippageSellBps, tier } = user.settings;
  const issue = () => deps.states.issue({ userId: user.id, feature: ORDERS, payload: encodeDraft(state) });
  try {
    await unlockFirst(deps, ctx, { feature: ORDERS, stateId: issue }, async () => {
      const group = draftGroup(state, user, { slippageBps: slippageSellBps, tier }, deps.clock.now());
      const placed = await deps.orders.place({ ...group, pin: 'window', replaces: [] });
      const made = placed.orders.findLast((one) => one.type === type);
      if (made !== undefined) await turn.toast(words.text('toast.exit_set', { mark: exitMark(words, made) }));
      await redrawResult(deps, ctx, textField(tap, 'intentId'));
    });
  } catch (error) {
    if (!hasCode(error, 'ORDER_REFUSED') || error.details.kind !== 'already-true') throw error;
    await form.show(ctx, state);
  }
}

/** The form's draft with that exit. Throws ORDER_REFUSED where nothing is held, and where no cost is known. */
async function draftFor(
  deps: FeatureDeps,
  ctx: BotContext,
  tap: TapState | null,
  { type, form }: { readonly type: QuickExit; readonly form: Form },
): Promise<DraftState> {
  const userId = ctx.turn.user.id;
  const asked = { userId, walletId: textField(tap, 'walletId') };
  const { id: walletId, address: wallet } = await ownWallet(deps.db.wallets, asked);
  const mint = address(textField(tap, 'mint'));
  const [card, entry] = await Promise.all([
    deps.trade.tradeCard({ wallet, mint }),
    deps.orders.entryPrice({ userId, walletId, mint }),
  ]);
  // The node may not have seen the purchase yet, and the books have.
  const amount = card.holdingUnits > 0n ? card.holdingUnits : (entry?.given ?? 0n);
  if (amount === 0n) throw new AppError('ORDER_REFUSED', { kind: 'nothing-held' });
  // The purchase was confirmed beside its warnings.
  const accepted = card.safety.warnings.map(({ code }) => code);
  const placeKey = deps.ids.token();
  const state = newDraft({ tab: 'tpsl', walletId, mint, placeKey, amount, accepted });
  const { leg, supply } = await form.answers.legAt(userId, state, QUICK_EXITS[type], type);
  const whole = { ...leg, shareBps: type === 'TAKE_PROFIT' ? 10_000 : 0 };
  return { ...state, legs: [whole], supply };
}
