import { OPENBOOK_V2_PROGRAM } from '@tradepost/solana';
import { accountDiscriminator } from '../shared/discriminator.ts';
import type { Layout } from '../shared/pool-checks.ts';

/** Source of truth: openbook-dex/openbook-v2 `state/market.rs`, `state/orderbook`. */
export const MARKET: Layout = {
  what: 'Market',
  programId: OPENBOOK_V2_PROGRAM,
  discriminator: accountDiscriminator('Market'),
  minBytes: 848,
  maxBytes: 848,
};

export const MARKET_AT = {
  marketAuthority: 16,
  timeExpiry: 48,
  openOrdersAdmin: 88,
  consumeEventsAdmin: 120,
  bids: 200,
  asks: 232,
  eventHeap: 264,
  oracleA: 296,
  oracleB: 328,
  quoteLotSize: 448,
  baseLotSize: 456,
  makerFee: 480,
  takerFee: 488,
  baseMint: 576,
  quoteMint: 608,
  baseVault: 640,
  quoteVault: 680,
} as const;

export const BOOK_SIDE: Layout = {
  what: 'BookSide',
  programId: OPENBOOK_V2_PROGRAM,
  discriminator: accountDiscriminator('BookSide'),
  minBytes: 90_952,
  maxBytes: 90_952,
};

export const BOOK_SIDE_AT = {
  /** Two roots of eight bytes: orders at fixed prices, then those that follow an oracle. */
  roots: 8,
  treeType: 312,
  nodes: 840,
} as const;

export const ROOT_AT = { node: 0, leafCount: 4, bytes: 8 } as const;
export const NODE_BYTES = 88;
export const NODE_COUNT = 1024;
export const INNER_NODE = 1;
export const LEAF_NODE = 2;
export const NODE_AT = {
  tag: 0,
  /** Inner nodes: the child with the lower keys, then the one with the higher. */
  children: 24,
  /** Leaves: seconds after `timestamp` at which the order dies, 0 for never. */
  timeInForce: 2,
  /** The order's number in the low half, the price in lots in the high half. */
  key: 8,
  owner: 24,
  quantity: 56,
  timestamp: 64,
} as const;

export const TREE_OF_BIDS = 0;
export const TREE_OF_ASKS = 1;

/** Fees are parts of a million. */
export const FEE_DENOMINATOR = 1_000_000n;
export const MAX_I64 = 0x7fff_ffff_ffff_ffffn;
