import {
  type AccountMeta,
  type Address,
  type Instruction,
  OPENBOOK_V2_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '@tradepost/solana';
import type { MintFacts, PoolSwap } from '../pool.ts';
import { instructionDiscriminator } from '../shared/discriminator.ts';
import {
  joinBytes,
  readonlyMeta,
  signerMeta,
  u64,
  writableMeta,
  writableSignerMeta,
} from '../shared/instruction-data.ts';
import type { Market } from './market.ts';
import type { Take } from './take.ts';

export const PLACE_TAKE_ORDER = instructionDiscriminator('place_take_order');

/** `Side` of the program: the side of the taker. */
const SIDE = { bid: 0, ask: 1 } as const;
/** Every build knows it. `FillOrKill` (5) would be stricter, but builds before March 2024 refuse the number. */
const IMMEDIATE_OR_CANCEL = 1;
/** Orders that one instruction may match: more than were counted, since smaller ones may come first by then. */
const MATCH_LIMIT = 32;
const TRANSFER_CHECKED = 12;

/**
 * `place_take_order`. The makers in reach are named, so that the program credits them on the spot: one who is missing waits in
 * the market's event heap instead, and the taker pays 500 lamports for that. There is no minimum among its arguments: see
 * `holdsAtLeast`.
 */
export function placeTakeOrder(
  market: Market,
  take: Take,
  limitPriceLots: bigint,
  order: Pick<PoolSwap, 'owner' | 'source' | 'destination'>,
): Instruction {
  const { owner, source, destination } = order;
  const [userBase, userQuote] = take.side === 'bid' ? [destination, source] : [source, destination];
  return {
    programId: OPENBOOK_V2_PROGRAM,
    accounts: [
      writableSignerMeta(owner),
      // The payer when the event heap grows.
      writableSignerMeta(owner),
      writableMeta(market.id),
      readonlyMeta(market.authority),
      writableMeta(market.bids),
      writableMeta(market.asks),
      writableMeta(market.baseVault),
      writableMeta(market.quoteVault),
      writableMeta(market.eventHeap),
      writableMeta(userBase),
      writableMeta(userQuote),
      optional(market.oracleA),
      optional(market.oracleB),
      readonlyMeta(TOKEN_PROGRAM),
      readonlyMeta(SYSTEM_PROGRAM),
      // The admin of markets for members, which are refused.
      optional(null),
      ...take.matched.makers.map(writableMeta),
    ],
    data: joinBytes(
      PLACE_TAKE_ORDER,
      [SIDE[take.side]],
      u64(limitPriceLots),
      u64(take.maxBaseLots),
      u64(take.maxQuoteLotsIncludingFees),
      [IMMEDIATE_OR_CANCEL, MATCH_LIMIT],
    ),
  };
}

/**
 * Fails unless the owner's account holds `units`: a transfer of them from the account to itself, which the token program
 * refuses when they are not there and which moves nothing otherwise.
 */
export function holdsAtLeast(account: Address, owner: Address, mint: MintFacts, units: bigint): Instruction {
  return {
    programId: TOKEN_PROGRAM,
    accounts: [writableMeta(account), readonlyMeta(mint.mint), writableMeta(account), signerMeta(owner)],
    data: joinBytes([TRANSFER_CHECKED], u64(units), [mint.decimals]),
  };
}

/** An optional account that is left out is named by the program itself. */
function optional(account: Address | null): AccountMeta {
  return readonlyMeta(account ?? OPENBOOK_V2_PROGRAM);
}
