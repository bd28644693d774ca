import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { enterForm } from '../../../platform/telegram/dialog/enter-form.ts';
import { typedQuestion } from '../../../platform/telegram/dialog/typed-question.ts';
import type { Feature, TapState } from '../../../platform/telegram/feature.ts';
import { unlockFirst } from '../../../platform/telegram/secret/unlock-first.ts';
import { textField } from '../../../platform/telegram/ui/payload.ts';
import { LIQUIDITY_STEPS_BPS } from '../../settings/rules/exit-set.ts';
import { isClosed, type Order } from '../rules/order.ts';
import type { EditOrderInput } from '../use/edit-order.ts';
import { DAYS, HOLDS, ORDERS, TOLERANCES } from './draft-state.ts';
import { ownOrder, withAmount, withFloor, withPrice } from './edit-answers.ts';
import { changeOf, decodeEdit, type EditState, newEdit } from './edit-state.ts';
import { editView, fallOf, sellsAtAnyPrice, toleranceOf, trailOf } from './edit-view.ts';
import { EDIT_AMOUNT_QUESTION, EDIT_FLOOR_QUESTION, EDIT_PRICE_QUESTION } from './flow.ts';
import { TRAIL_STEPS } from './form-view.ts';
import { nextOf } from './next-of.ts';

type Edits = {
  /** Puts the change in the place of the old terms; asks for the PIN first where a placing would. */
  readonly save: (ctx: BotContext, tap: TapState | null) => Promise<void>;
  readonly taps: Feature['taps'];
  readonly forms: NonNullable<Feature['forms']>;
};

/** Changing an open order: its form, the questions of the form, and Save. */
export function orderEdits(deps: FeatureDeps): Edits {
  const save = (ctx: BotContext, tap: TapState | null): Promise<void> => saveEdit(deps, ctx, tap);
  const price = typed(deps, EDIT_PRICE_QUESTION, withPrice);
  const amount = typed(deps, EDIT_AMOUNT_QUESTION, withAmount);
  const floor = typed(deps, EDIT_FLOOR_QUESTION, withFloor);
  const ask =
    (question: typeof price) =>
    async (ctx: BotContext, tap: TapState | null): Promise<void> => {
      decodeEdit(tap);
      await enterForm(ctx, question, { stateId: tap?.buttonId ?? '' });
    };
  const change = (changed: (state: EditState, order: Order) => Partial<EditState>) => ({
    act: 'reads' as const,
    run: async (ctx: BotContext, tap: TapState | null): Promise<void> => {
      const state = decodeEdit(tap);
      const { order } = await ownOrder(deps, { userId: ctx.turn.user.id, orderId: state.orderId });
      await show(deps, ctx, { ...state, ...changed(state, order) });
    },
  });
  return {
    save,
    forms: [price, amount, floor],
    taps: {
      edit: { act: 'reads', run: (ctx, tap) => begin(deps, ctx, tap) },
      editprice: { act: 'reads', run: ask(price) },
      editamount: { act: 'reads', run: ask(amount) },
      editfloor: { act: 'reads', run: ask(floor) },
      editany: change((state, order) => ({
        floor: sellsAtAnyPrice({ state, order }) ? 'default' : 'any',
      })),
      edittolerance: change((state, order) => ({
        toleranceBps: nextOf<number>(TOLERANCES, toleranceOf({ state, order })),
      })),
      editentry: { act: 'reads', run: (ctx, tap) => fromEntry(deps, ctx, tap) },
      editdays: change(({ days }) => ({ days: nextOf<number>(DAYS, days ?? 0) })),
      edithold: change(({ hold }) => ({ hold: nextOf(HOLDS, hold ?? 'normal') })),
      edittrail: change((state, order) => ({
        trailBps: nextOf<number>(TRAIL_STEPS, trailOf({ state, order })),
      })),
      editfall: change((state, order) => ({
        fallBps: nextOf<number>(LIQUIDITY_STEPS_BPS, fallOf({ state, order }) ?? 0),
      })),
      editpartial: change(({ partial }, order) => ({ partial: !(partial ?? order.partial) })),
      editatend: change(({ sellsAtEnd }, { terms }) => ({
        sellsAtEnd: !(sellsAtEnd ?? terms.sellsOnExpiry),
      })),
      editsave: { act: 'order-edit', toasts: true, run: save },
    },
  };
}

async function begin(deps: FeatureDeps, ctx: BotContext, tap: TapState | null): Promise<void> {
  const orderId = textField(tap, 'orderId');
  const { order } = await ownOrder(deps, { userId: ctx.turn.user.id, orderId });
  const { number, status } = order;
  if (isClosed(order) || status === 'TRIGGERED')
    throw new AppError('ORDER_NOT_CHANGEABLE', { number, status });
  await show(deps, ctx, newEdit(order.id, order.version));
}

async function show(deps: FeatureDeps, { turn }: BotContext, state: EditState): Promise<void> {
  const userId = turn.user.id;
  const { orderId } = state;
  const { order } = await ownOrder(deps, { userId, orderId });
  const [view, stateId, pageId] = await Promise.all([
    deps.orders.viewEdit(inputOf(deps, userId, state)),
    deps.states.issue({ userId, feature: ORDERS, payload: state }),
    deps.states.issue({ userId, feature: ORDERS, payload: { orderId } }),
  ]);
  await turn.screen.show(editView(turn.words, { state, order, view, stateId, pageId }));
}

/** Its percentage again, of the price paid until now: it was typed before more was bought. */
async function fromEntry(deps: FeatureDeps, ctx: BotContext, tap: TapState | null): Promise<void> {
  const state = decodeEdit(tap);
  const userId = ctx.turn.user.id;
  const { order } = await ownOrder(deps, { userId, orderId: state.orderId });
  await show(deps, ctx, await withPrice(deps, userId, state, order.terms.request));
}

function inputOf({ clock }: Pick<FeatureDeps, 'clock'>, userId: string, state: EditState): EditOrderInput {
  const { orderId, version } = state;
  return { userId, orderId, version, change: changeOf(state, clock.now()) };
}

async function saveEdit(deps: FeatureDeps, ctx: BotContext, tap: TapState | null): Promise<void> {
  const state = decodeEdit(tap);
  const { turn } = ctx;
  const stateId = async () => tap?.buttonId ?? '';
  await unlockFirst(deps, ctx, { feature: ORDERS, stateId }, async () => {
    const pin = tap?.pinTyped === true ? 'typed' : 'window';
    const { order } = await deps.orders.edit({ ...inputOf(deps, turn.user.id, state), pin });
    await turn.toast(turn.words.text('toast.order_saved'));
    await show(deps, ctx, newEdit(order.id, order.version));
  });
}

/** One typed answer, put into the form that it was asked for; that is read anew, for nothing typed is trusted to carry it. */
function typed(
  deps: FeatureDeps,
  question: typeof EDIT_PRICE_QUESTION | typeof EDIT_AMOUNT_QUESTION | typeof EDIT_FLOOR_QUESTION,
  put: (deps: FeatureDeps, userId: string, state: EditState, text: string) => Promise<EditState>,
) {
  const changed = async ({ turn }: BotContext, text: string, stateId: string): Promise<EditState> => {
    const userId = turn.user.id;
    const payload = await deps.states.read({ id: stateId, userId, feature: ORDERS });
    if (payload === null) throw new AppError('BUTTON_STALE', {});
    return put(deps, userId, decodeEdit({ buttonId: stateId, payload, index: null }), text);
  };
  return typedQuestion(
    question,
    (ctx, text, answers) => changed(ctx, text, answers['stateId'] ?? ''),
    async (ctx, text, answers) => show(deps, ctx, await changed(ctx, text, answers['stateId'] ?? '')),
  );
}
