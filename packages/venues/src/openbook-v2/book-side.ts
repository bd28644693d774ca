import type { Address } from '@tradepost/solana';
import { type AccountView, accountView } from '../shared/account-view.ts';
import { type Refusal, refuse } from '../shared/refusal.ts';
import {
  BOOK_SIDE_AT,
  INNER_NODE,
  LEAF_NODE,
  MAX_I64,
  NODE_AT,
  NODE_BYTES,
  NODE_COUNT,
  ROOT_AT,
  TREE_OF_ASKS,
  TREE_OF_BIDS,
} from './layout.ts';

/** An order on the book as a taker meets it. */
export type RestingOrder = {
  readonly priceLots: bigint;
  readonly baseLots: bigint;
  /** The maker's account of open orders, credited when the order is filled or removed. */
  readonly owner: Address;
  /** Still on the book, but no taker can match it any more. */
  readonly isExpired: boolean;
};

/** Live orders that are looked at per side. An amount that needs more of them is not quoted: the packet has to end somewhere. */
export const MAX_ORDERS = 8;
/** Expired ones among them before the side is given up as neglected. */
const MAX_EXPIRED = 56;
const TAKEN = { live: MAX_ORDERS, expired: MAX_EXPIRED } as const;
/** All that a side can hold. */
export const WHOLE_SIDE = { live: NODE_COUNT, expired: NODE_COUNT } as const;

/**
 * The best orders of one side in the order of matching: bids from the highest price down, asks from the lowest up, older
 * ones first at one price, ended after `most.live` live ones. Orders that follow an oracle are refused: their price is
 * decided at execution. Source of truth: openbook-v2 `orderbook/ordertree_iterator.rs`, `nodes.rs`.
 */
export function readBookSide(
  view: AccountView,
  side: 'bids' | 'asks',
  unixSeconds: bigint,
  most: { readonly live: number; readonly expired: number } = TAKEN,
): readonly RestingOrder[] | Refusal {
  if (view.u8(BOOK_SIDE_AT.treeType) !== (side === 'bids' ? TREE_OF_BIDS : TREE_OF_ASKS))
    return refuse('bad-state', `the account of ${side} holds the other side`);
  if (view.u32(BOOK_SIDE_AT.roots + ROOT_AT.bytes + ROOT_AT.leafCount) !== 0)
    return refuse('unmodelled', `${side} hold orders that follow an oracle`);
  if (view.u32(BOOK_SIDE_AT.roots + ROOT_AT.leafCount) === 0) return [];

  const orders: RestingOrder[] = [];
  let live = 0;
  let steps = 0;
  const stack = [view.u32(BOOK_SIDE_AT.roots + ROOT_AT.node)];
  for (let index = stack.pop(); index !== undefined && live < most.live; index = stack.pop()) {
    // A tree visits each node once; more steps than nodes mean a loop.
    if (index >= NODE_COUNT || ++steps > NODE_COUNT) return refuse('bad-state', `${side} are no tree`);
    const node = accountView(view.bytes(BOOK_SIDE_AT.nodes + index * NODE_BYTES, NODE_BYTES));
    const tag = node.u8(NODE_AT.tag);
    if (tag === INNER_NODE) {
      const [lower, higher] = [node.u32(NODE_AT.children), node.u32(NODE_AT.children + 4)];
      stack.push(...(side === 'bids' ? [lower, higher] : [higher, lower]));
      continue;
    }
    if (tag !== LEAF_NODE) return refuse('bad-state', `node ${index} of ${side} has tag ${tag}`);
    const order = readOrder(node, unixSeconds);
    if (order.priceLots < 1n || order.priceLots > MAX_I64 || order.baseLots < 1n)
      return refuse('bad-state', `an order of ${order.baseLots} lots at ${order.priceLots}`);
    orders.push(order);
    if (!order.isExpired) live++;
    else if (orders.length - live > most.expired)
      return refuse('unmodelled', `${side} are full of dead orders`);
  }
  return orders;
}

function readOrder(node: AccountView, unixSeconds: bigint): RestingOrder {
  const timeInForce = BigInt(node.u16(NODE_AT.timeInForce));
  return {
    priceLots: node.u64(NODE_AT.key + 8),
    baseLots: node.i64(NODE_AT.quantity),
    owner: node.address(NODE_AT.owner),
    isExpired: timeInForce > 0n && unixSeconds >= node.u64(NODE_AT.timestamp) + timeInForce,
  };
}
