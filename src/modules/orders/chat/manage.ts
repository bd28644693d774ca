import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import type { Feature, TapState } from '../../../platform/telegram/feature.ts';
import { unlockFirst } from '../../../platform/telegram/secret/unlock-first.ts';
import { keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import { pageOf } from '../../../platform/telegram/ui/pages.ts';
import { optionalField, textField, textList } from '../../../platform/telegram/ui/payload.ts';
import type { Token } from '../../tokens/rules/token.ts';
import { isClosed, type Order } from '../rules/order.ts';
import { ORDERS } from './draft-state.ts';
import { type ListedOrder, listView, pageView } from './list-view.ts';

const HISTORY = 20;

/** Open and paused orders: the list, the page of each, and its buttons. */
export function standingOrders(deps: FeatureDeps): {
  readonly open: (ctx: BotContext) => Promise<void>;
  readonly page: (ctx: BotContext, orderId: string) => Promise<void>;
  /** Opens an order again, or grants it anew; where that needs the PIN it is asked first. */
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

  async function list({ turn }: BotContext, isHistory: boolean, asked = 0): Promise<void> {
    const { user, words } = turn;
    const groups = isHistory
      ? await deps.db.orders.listClosed(user.id, HISTORY)
      : await deps.db.orders.listOpen(user.id);
    const all = byToken(
      groups.flatMap((group) => group.orders.filter((order) => isHistory || !isClosed(order))),
      isHistory,
    );
    const turned = pageOf(all, asked);
    const shown = await listed(turned.rows);
    const [stateId, marks, microUsdPerSol] = await Promise.all([
      deps.states.issue({
        userId: user.id,
        feature: ORDERS,
        payload: {
          ids: shown.map(({ order }) => order.id),
          page: String(turned.page),
          history: isHistory ? '1' : '0',
        },
      }),
      orders.marks([...new Set(shown.map(({ order }) => order.mint))]),
      deps.solPrice(),
    ]);
    const { page, pages } = turned;
    const now = deps.clock.now();
    await turn.screen.show(
      listView(words, { orders: shown, all, page, pages, marks, microUsdPerSol, now, stateId, isHistory }),
    );
  }

  const turnedBy =
    (by: number) =>
    (ctx: BotContext, tap: TapState | null): Promise<void> =>
      list(ctx, textField(tap, 'history') === '1', Number(textField(tap, 'page')) + by);

  const open = (ctx: BotContext): Promise<void> => list(ctx, false);

  async function page({ turn }: BotContext, orderId: string): Promise<void> {
    const { user, words } = turn;
    const group = await deps.db.orders.find(orderId);
    const order = group?.orders.find(({ id }) => id === orderId);
    if (group?.userId !== user.id || order === undefined) throw new AppError('ORDER_NOT_FOUND', {});
    const [token, marks, trail, fires, microUsdPerSol, stateId] = await Promise.all([
      tokenOf(deps, order.mint),
      orders.marks([order.mint]),
      orders.trailHigh(group, order),
      deps.db.orders.fires(order.id, 5),
      deps.solPrice(),
      deps.states.issue({
        userId: user.id,
        feature: `${ORDERS} chart trade`,
        payload: { orderId, mint: order.mint, walletId: order.walletId },
      }),
    ]);
    const mark = marks[0] ?? null;
    const now = deps.clock.now();
    await turn.screen.show(
      pageView(words, { order, token, mark, trail, fires, microUsdPerSol, now, stateId }),
    );
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
      previous: { act: 'reads', run: turnedBy(-1) },
      here: { act: 'reads', run: turnedBy(0) },
      next: { act: 'reads', run: turnedBy(1) },
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

/** Those of one token beside each other, the tokens in the order in which they come; a history is by time. */
function byToken(orders: readonly Order[], isHistory: boolean): readonly Order[] {
  if (isHistory) return orders;
  const mints = [...new Set(orders.map(({ mint }) => mint))];
  return mints.flatMap((mint) => orders.filter((order) => order.mint === mint));
}

/** The token's facts. Throws TOKEN_NOT_FOUND where the mint is gone. */
export async function tokenOf({ chain }: Pick<FeatureDeps, 'chain'>, mint: Order['mint']): Promise<Token> {
  const token = await chain.token(mint);
  if (token === null) throw new AppError('TOKEN_NOT_FOUND', { address: mint });
  return token;
}
