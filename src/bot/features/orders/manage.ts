import { AppError } from '../../../core/errors/app-error.ts';
import { isClosed, type Order } from '../../../core/orders/order.ts';
import type { Token } from '../../../core/tokens/token.ts';
import type { BotContext } from '../../context.ts';
import type { FeatureDeps } from '../../deps.ts';
import type { Feature, TapState } from '../../feature.ts';
import { keyboard, nav } from '../../ui/keyboard.ts';
import { optionalField, textList } from '../../ui/payload.ts';
import { ORDERS } from './draft-state.ts';
import { type ListedOrder, listView, pageView } from './list-view.ts';

const HISTORY = 20;
/** Of those that stand, at a time: a message has no more than 4,096 characters, and a person may have a hundred orders. */
const LISTED = 20;

/** Orders that stand: the list, the page of each, and what can be done to them. */
export function standingOrders(deps: FeatureDeps): {
  readonly open: (ctx: BotContext) => Promise<void>;
  readonly page: (ctx: BotContext, orderId: string) => Promise<void>;
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
    (what: 'cancel' | 'pause' | 'resume') =>
    async (ctx: BotContext, tap: TapState | null): Promise<void> => {
      const orderId = orderIdOf(tap);
      const { sent } = await orders[what]({ userId: ctx.turn.user.id, orderId });
      await ctx.turn.toast(ctx.turn.words.text(sent ? 'toast.order_sent' : 'toast.order_changed'));
      await page(ctx, orderId);
    };

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
    taps: {
      open: { run: open },
      next: { run: (ctx, tap) => list(ctx, false, pageFrom(tap) + LISTED) },
      previous: { run: (ctx, tap) => list(ctx, false, Math.max(0, pageFrom(tap) - LISTED)) },
      history: { run: (ctx) => list(ctx, true) },
      page: { run: (ctx, tap) => page(ctx, orderIdOf(tap)) },
      pause: { toasts: true, run: change('pause') },
      unpause: { toasts: true, run: change('resume') },
      cancel: { toasts: true, run: change('cancel') },
      pauseall: { toasts: true, run: (ctx) => changeAll(ctx, 'pause') },
      cancelall: { run: sureCancelAll },
      cancelyes: { toasts: true, run: (ctx) => changeAll(ctx, 'cancel') },
    },
  };
}

const pageFrom = (tap: TapState | null): number => Number(optionalField(tap, 'first') ?? 0);

/** The token's facts. Throws TOKEN_NOT_FOUND for what is no mint any more. */
export async function tokenOf({ chain }: Pick<FeatureDeps, 'chain'>, mint: Order['mint']): Promise<Token> {
  const token = await chain.token(mint);
  if (token === null) throw new AppError('TOKEN_NOT_FOUND', { address: mint });
  return token;
}
