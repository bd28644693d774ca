import { type Address, OPENBOOK_V2_PROGRAM } from '@tradepost/solana';
import {
  BOOK_SIDE,
  BOOK_SIDE_AT,
  INNER_NODE,
  LEAF_NODE,
  MARKET,
  MARKET_AT,
  NODE_AT,
  NODE_BYTES,
  ROOT_AT,
  TREE_OF_ASKS,
  TREE_OF_BIDS,
} from '../../src/openbook-v2/layout.ts';
import type { MintFacts } from '../../src/pool.ts';
import {
  type AccountBytes,
  accountBytes,
  buildMint,
  buildTokenAccount,
  type PoolFixture,
  testAddress,
} from '../shared/build.ts';

export type OrderFixture = {
  readonly price: bigint;
  readonly lots: bigint;
  readonly owner?: Address;
  readonly timeInForce?: number;
  readonly timestamp?: bigint;
};

export type MarketFixture = {
  readonly bids?: readonly OrderFixture[];
  readonly asks?: readonly OrderFixture[];
  readonly baseLotSize?: bigint;
  readonly quoteLotSize?: bigint;
  readonly makerFee?: bigint;
  readonly takerFee?: bigint;
  readonly timeExpiry?: bigint;
  readonly openOrdersAdmin?: Address;
  readonly consumeEventsAdmin?: Address;
  readonly oracles?: readonly Address[];
  /** Orders under the second root of the bids. */
  readonly pegged?: number;
  readonly mints?: readonly [MintFacts, MintFacts];
};

export const AUTHORITY = testAddress(2);
export const VAULTS = [testAddress(3), testAddress(4)] as const;
export const [BIDS, ASKS, EVENT_HEAP] = [testAddress(5), testAddress(6), testAddress(7)];
export const MAKER = testAddress(20);

export function buildMarket(input: MarketFixture = {}): PoolFixture {
  const id = testAddress(1);
  const mints = input.mints ?? [buildMint(testAddress(10), { decimals: 9 }), buildMint(testAddress(11))];
  const market = accountBytes(MARKET)
    .address(MARKET_AT.marketAuthority, AUTHORITY)
    .u64(MARKET_AT.timeExpiry, input.timeExpiry ?? 0n)
    .address(MARKET_AT.bids, BIDS)
    .address(MARKET_AT.asks, ASKS)
    .address(MARKET_AT.eventHeap, EVENT_HEAP)
    .u64(MARKET_AT.quoteLotSize, input.quoteLotSize ?? 1n)
    .u64(MARKET_AT.baseLotSize, input.baseLotSize ?? 1_000_000n)
    .u64(MARKET_AT.makerFee, input.makerFee ?? 0n)
    .u64(MARKET_AT.takerFee, input.takerFee ?? 0n)
    .address(MARKET_AT.baseMint, mints[0].mint)
    .address(MARKET_AT.quoteMint, mints[1].mint)
    .address(MARKET_AT.baseVault, VAULTS[0])
    .address(MARKET_AT.quoteVault, VAULTS[1]);
  if (input.openOrdersAdmin !== undefined) market.address(MARKET_AT.openOrdersAdmin, input.openOrdersAdmin);
  if (input.consumeEventsAdmin !== undefined)
    market.address(MARKET_AT.consumeEventsAdmin, input.consumeEventsAdmin);
  for (const [index, oracle] of (input.oracles ?? []).entries())
    market.address(index === 0 ? MARKET_AT.oracleA : MARKET_AT.oracleB, oracle);
  const bids = buildBookSide('bids', input.bids ?? []);
  bids.u32(BOOK_SIDE_AT.roots + ROOT_AT.bytes + ROOT_AT.leafCount, input.pegged ?? 0);
  return {
    id,
    mints,
    accounts: new Map([
      [id, market.ownedBy(OPENBOOK_V2_PROGRAM)],
      [BIDS, bids.ownedBy(OPENBOOK_V2_PROGRAM)],
      [ASKS, buildBookSide('asks', input.asks ?? []).ownedBy(OPENBOOK_V2_PROGRAM)],
      [VAULTS[0], buildTokenAccount(mints[0], AUTHORITY, 2n ** 62n)],
      [VAULTS[1], buildTokenAccount(mints[1], AUTHORITY, 2n ** 62n)],
    ]),
  };
}

/** A side with its orders placed one after the other, as a binary tree with the lower keys on the left. */
function buildBookSide(side: 'bids' | 'asks', orders: readonly OrderFixture[]): AccountBytes {
  const bytes = accountBytes(BOOK_SIDE).u8(
    BOOK_SIDE_AT.treeType,
    side === 'bids' ? TREE_OF_BIDS : TREE_OF_ASKS,
  );
  const leaves = orders
    .map((order, index) => {
      const number = BigInt(index + 1);
      // Later orders come after earlier ones of the same price, whichever way the side is read.
      return { order, key: (order.price << 64n) | (side === 'bids' ? BigInt.asUintN(64, ~number) : number) };
    })
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  let next = 0;
  const write = (part: typeof leaves): number => {
    const index = next++;
    const at = BOOK_SIDE_AT.nodes + index * NODE_BYTES;
    const [first] = part;
    if (part.length === 1 && first !== undefined) {
      const { order, key } = first;
      bytes
        .u8(at + NODE_AT.tag, LEAF_NODE)
        .u16(at + NODE_AT.timeInForce, order.timeInForce ?? 0)
        .u128(at + NODE_AT.key, key)
        .address(at + NODE_AT.owner, order.owner ?? MAKER)
        .u64(at + NODE_AT.quantity, order.lots)
        .u64(at + NODE_AT.timestamp, order.timestamp ?? 0n)
        .u64(at + NODE_AT.timestamp + 8, -1n);
      return index;
    }
    const middle = part.length >> 1;
    bytes.u8(at + NODE_AT.tag, INNER_NODE);
    bytes.u32(at + NODE_AT.children, write(part.slice(0, middle)));
    bytes.u32(at + NODE_AT.children + 4, write(part.slice(middle)));
    return index;
  };
  if (leaves.length > 0) bytes.u32(BOOK_SIDE_AT.roots + ROOT_AT.node, write(leaves));
  return bytes.u32(BOOK_SIDE_AT.roots + ROOT_AT.leafCount, leaves.length);
}
