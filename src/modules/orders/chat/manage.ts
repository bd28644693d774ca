import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import type { Feature, TapState } from '../../../platform/telegram/feature.ts';
import { unlockFirst } from '../../../platform/telegram/secret/unlock-first.ts';
import { keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import { optionalField, textList } from '../../../platform/telegram/ui/payload.ts';
import type { Token } from '../../tokens/rules/token.ts';
import { isClosed, type Order } from '../rules/order.ts';
import { ORDERS } from './draft-state.ts';
import { type ListedOrder, listView, pageView } from './list-view.ts';

const HISTORY = 20;
/** Of those that stand, at a time: a message has no more than 4,096 characters, and a person may have a hundred orders. */
const LISTED = 20;

/** Orders that stand: the list, the page of each, and what can be done to them. */
export function standingOrders(deps: FeatureDeps): {
  readonly open: (ctx: BotContext) => Promise<void>;
  readonly page: (ctx: BotContext, orderId: string) => Promise<void>;
  /** Opens an order again, or grants it anew; what it needs the PIN for is asked first. */
  readonly keep: (ctx: BotContext, tap: TapState | null) => Promise<void>;
  readonly taps: Feature['taps'];
} {
  const { orders } = deps;

  async function listed(all: readonly Order[]): Promise<readonly ListedOrder[]> {
    const found = await Promise.all(
      all.map(async (order) => ({ order, token: await deps.chain.token(order.mint) })),
    );
    return found.flatMap(({ order, token }) => (token === null ? [] : [{ order, token }]));
  }

  async function list({ turn }: BotContext, isHistory: boolean, from = 0): Promise<void> {
    const { user, words } = turn;
    const groups = isHistory
      ? await deps.db.orders.listClosed(user.id, HISTORY)
      : await deps.db.orders.listOpen(user.id);
    const all = groups.flatMap((group) => group.orders.filter((order) => isHistory || !isClosed(order)));
    const shown = await listed(all.slice(from, from + LISTED));
    const [stateId, marks] = await Promise.all([
      deps.states.issue({
        userId: user.id,
        feature: ORDERS,
        payload: { ids: shown.map(({ order }) => order.id), first: String(from) },
      }),
      orders.marks([...new Set(shown.map(({ order }) => order.mint))]),
    ]);
    const facts = { orders: shown, all, from, marks, now: deps.clock.now(), stateId, isHistory };
    await turn.screen.show(listView(words, facts));
  }

  const open = (ctx: BotContext): Promise<void> => list(ctx, false);

  async function page({ turn }: BotContext, orderId: string): Promise<void> {
    const { user, words } = turn;
    const group = await deps.db.orders.find(orderId);
    const order = group?.orders.find(({ id }) => id === orderId);
    if (group?.userId !== user.id || order === undefined) throw new AppError('ORDER_NOT_FOUND', {});
    const [token, marks, trail, fires, stateId] = await Promise.all([
      tokenOf(deps, order.mint),
      orders.marks([order.mint]),
      orders.trailHigh(group, order),
      deps.db.orders.fires(order.id, 5),
      deps.states.issue({
        userId: user.id,
        feature: `${ORDERS} chart`,
        payload: { orderId, mint: order.mint, walletId: order.walletId },
      }),
    ]);
    const facts = { order, token, mark: marks[0] ?? null, trail, fires, now: deps.clock.now(), stateId };
    await turn.screen.show(pageView(words, facts));
  }

  const orderIdOf = (tap: TapState | null): string => {
    const listedId = tap?.index == null ? undefined : textList(tap, 'ids')[tap.index];
    return listedId ?? optionalField(tap, 'orderId') ?? '';
  };

  const change =
    (what: 'cancel' | 'pause') =>
    async (ctx: BotContext, tap: TapState | null): Promise<void> => {
      const orderId = orderIdOf(tap);
      const { sent } = await orders[what]({ userId: ctx.turn.user.id, orderId });
      await ctx.turn.toast(ctx.turn.words.text(sent ? 'toast.order_sent' : 'toast.order_changed'));
      await page(ctx, orderId);
    };

  async function keep(ctx: BotContext, tap: TapState | null): Promise<void> {
    const { turn } = ctx;
    const userId = turn.user.id;
    const orderId = orderIdOf(tap);
    const pin = tap?.pinTyped === true ? 'typed' : 'must-type';
    const stateId = (): Promise<string> =>
      deps.states.issue({ userId, feature: ORDERS, payload: { orderId, keep: 'yes' } });
    await unlockFirst(deps, ctx, { feature: ORDERS, stateId }, async () => {
      const group = await deps.db.orders.find(orderId);
      const order = group?.orders.find(({ id }) => id === orderId);
      // An open order stays as it was, with new grants.
      if (group?.userId === userId && order?.status === 'OPEN')
        await orders.edit({ userId, orderId, version: order.version, change: {}, pin });
      else await orders.resume({ userId, orderId, pin });
      await turn.toast(turn.words.text('toast.order_changed'));
      await page(ctx, orderId);
    });
  }

  async function changeAll(ctx: BotContext, what: 'cancel' | 'pause'): Promise<void> {
    const count = await orders.changeAll({ userId: ctx.turn.user.id, what });
    await ctx.turn.toast(ctx.turn.words.text('toast.orders_changed', { count }));
    await open(ctx);
  }

  async function sureCancelAll({ turn }: BotContext): Promise<void> {
    await turn.screen.show({
      text: turn.words.html('orders.sure_cancel'),
      keyboard: keyboard([
        nav(turn.words.text('btn.orders_cancel_yes'), ORDERS, 'cancelyes'),
        nav(turn.words.text('btn.back'), ORDERS, 'open'),
      ]),
    });
  }

  return {
    open,
    page,
    keep,
    taps: {
      open: { act: 'reads', run: open },
      next: { act: 'reads', run: (ctx, tap) => list(ctx, false, pageFrom(tap) + LISTED) },
      previous: { act: 'reads', run: (ctx, tap) => list(ctx, false, Math.max(0, pageFrom(tap) - LISTED)) },
      history: { act: 'reads', run: (ctx) => list(ctx, true) },
      page: { act: 'reads', run: (ctx, tap) => page(ctx, orderIdOf(tap)) },
      pause: { act: 'order-stop', toasts: true, run: change('pause') },
      unpause: { act: 'order-resume', toasts: true, run: keep },
      cancel: { act: 'order-stop', toasts: true, run: change('cancel') },
      pauseall: { act: 'order-stop', toasts: true, run: (ctx) => changeAll(ctx, 'pause') },
      cancelall: { act: 'order-stop', run: sureCancelAll },
      cancelyes: { act: 'order-stop', toasts: true, run: (ctx) => changeAll(ctx, 'cancel') },
    },
  };
}

/** Whether a state is that of an order to be kept, which waited for the PIN. */
export const isKeep = (tap: TapState | null): boolean => optionalField(tap, 'keep') === 'yes';

const pageFrom = (tap: TapState | null): number => Number(optionalField(tap, 'first') ?? 0);

/** The token's facts. Throws TOKEN_NOT_FOUND for what is no mint any more. */
export async function tokenOf({ chain }: Pick<FeatureDeps, 'chain'>, mint: Order['mint']): Promise<Token> {
  const token = await chain.token(mint);
  if (token === null) throw new AppError('TOKEN_NOT_FOUND', { address: mint });
  return token;
}
