import { tradeOf } from '../../../engine/intents/kinds/rules.ts';
import type { Intent } from '../../../engine/intents/rules/intent.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import { isClosed, type Order } from '../../orders/rules/order.ts';
import { type HeldPosition, readPositions } from '../../positions/use/fold-positions.ts';
import type { KeyedTrade, SignedText } from '../rules/keyed-trade.ts';
import type { PersonalKey, Right } from '../rules/personal-key.ts';
import type { SignedRequest } from '../rules/signed-request.ts';
import { type Admission, type AdmitDeps, admitRequest } from './admit-request.ts';
import type { EndedOrder } from './end-order.ts';
import type { AskedOrder, KeyOrder } from './place-by-key.ts';
import type { KeyTrade } from './trade-by-key.ts';

/** A page of trades, newest first; `before` is the id of the last one of the page before. */
export type TradePage = { readonly limit: number; readonly before: string | null };

/** The desk of people's own programs. Each answer is of the wallet that the key was added for, and of no other. */
export type ProgramDesk = {
  /** See `admitRequest`. */
  readonly admit: (request: SignedRequest, right: Right) => Promise<Admission>;
  /** Held positions with every confirmed trade, those that no process has folded yet too. */
  readonly positions: (key: PersonalKey) => Promise<readonly HeldPosition[]>;
  /** Purchases and sales that were ordered here, `limit` of them where there are as many. */
  readonly trades: (key: PersonalKey, page: TradePage) => Promise<readonly Intent[]>;
  /** One of them; null where the wallet has none of this id. */
  readonly trade: (key: PersonalKey, id: string) => Promise<Intent | null>;
  /** See `tradeByKey`. */
  readonly makeTrade: (
    key: PersonalKey,
    asked: { readonly trade: KeyedTrade; readonly signed: SignedText },
  ) => Promise<KeyTrade>;
  /** Orders that are not closed, oldest first. */
  readonly orders: (key: PersonalKey) => Promise<readonly Order[]>;
  /** One of them, open or over; null where the wallet has none of this id. */
  readonly order: (key: PersonalKey, id: string) => Promise<Order | null>;
  /** See `placeByKey`. */
  readonly placeOrder: (key: PersonalKey, asked: AskedOrder) => Promise<KeyOrder>;
  /** See `endOrder`. */
  readonly endOrder: (key: PersonalKey, orderId: string) => Promise<EndedOrder>;
};

export function createProgramDesk(
  deps: AdmitDeps & {
    readonly db: Pick<Stores, 'positions' | 'intents' | 'orders'>;
    readonly endOrder: ProgramDesk['endOrder'];
    readonly makeTrade: ProgramDesk['makeTrade'];
    readonly placeOrder: ProgramDesk['placeOrder'];
  },
): ProgramDesk {
  const { db, endOrder, makeTrade, placeOrder } = deps;
  return {
    admit: (request, right) => admitRequest(deps, request, right),
    positions: async ({ userId, walletId }) => {
      const { positions } = await readPositions(db, userId);
      return positions.filter((one) => one.walletId === walletId && one.units > 0n);
    },
    trades: ({ userId, walletId }, { limit, before }) =>
      db.intents.listByUser(userId, {
        limit,
        kinds: ['buy', 'sell'],
        walletId,
        ...(before === null ? {} : { before }),
      }),
    trade: async ({ userId, walletId }, id) => {
      const intent = await db.intents.find(id);
      const isOurs = intent?.userId === userId && intent.walletId === walletId;
      return isOurs && tradeOf(intent.params) !== null ? intent : null;
    },
    orders: async ({ userId, walletId }) => {
      const groups = await db.orders.listOpen(userId);
      return groups
        .filter((group) => group.walletId === walletId)
        .flatMap(({ orders }) => orders.filter((order) => !isClosed(order)));
    },
    order: async ({ userId, walletId }, id) => {
      const group = await db.orders.find(id);
      const order = group?.orders.find((one) => one.id === id);
      return order?.userId === userId && order.walletId === walletId ? order : null;
    },
    endOrder,
    makeTrade,
    placeOrder,
  };
}
