import type { Address } from '@tradepost/solana';
import type { Stores } from '../../../platform/ports/stores.ts';
import type { OrderGroup } from '../../orders/rules/order.ts';
import type { CopyTrade } from '../rules/copy-trade.ts';

/** The rest that a copy has of a token. */
export type CopyRest = {
  /** Units that arrived, less those that its sales took or may take, and those that its exits sold or bind. */
  readonly units: bigint;
  /** Intents of purchases on their way, whose units are not known yet. */
  readonly buying: readonly string[];
  /** Intents of purchases whose units count since their confirmation, which is not final. */
  readonly early: readonly string[];
};

/** Units of a copy in one token. Other units of the wallet are the person's own and are never counted. */
export async function restOf(
  stores: Pick<Stores, 'copies' | 'orders'>,
  copyId: string,
  mint: Address,
  /** A sale that is not counted: the one that is asked for. */
  but: Pick<CopyTrade, 'signature' | 'leg'> | null = null,
): Promise<CopyRest> {
  const trades = await stores.copies.trades(copyId, mint);
  let units = 0n;
  const [buying, early]: [string[], string[]] = [[], []];
  for (const trade of trades) {
    if (trade.side === 'sell') {
      if (trade.signature !== but?.signature || trade.leg !== but.leg) units -= takenBySale(trade);
      continue;
    }
    if (trade.status !== 'BUYING' && trade.status !== 'BOUGHT') continue;
    if (trade.status === 'BUYING' && trade.intentId !== null)
      (trade.moved === 0n ? buying : early).push(trade.intentId);
    units += trade.moved;
    for (const group of trade.intentId === null ? [] : await stores.orders.lockByParent(trade.intentId))
      units -= soldBy(group);
  }
  return { units: units > 0n ? units : 0n, buying, early };
}

/** The units that a sale took, or may take while it is owed or on its way. */
export function takenBySale({
  status,
  amount,
  moved,
}: Pick<CopyTrade, 'status' | 'amount' | 'moved'>): bigint {
  if (status === 'SOLD') return moved;
  return status === 'SELLING' || status === 'OWED' ? amount : 0n;
}

/** The units that exits sold, and those that are on their way. */
export const soldBy = ({ sold, liveFires }: Pick<OrderGroup, 'sold' | 'liveFires'>): bigint =>
  liveFires.reduce((sum, { units }) => sum + units, sold);
