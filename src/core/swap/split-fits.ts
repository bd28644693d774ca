import { type Address, addressFromBytes } from '../address/address.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  WSOL_MINT,
} from '../address/programs.ts';
import type { Instruction } from '../instruction.ts';
import type { Pool } from '../ports/venue.ts';
import { MAX_LOCKS, messageSize, PACKET_BYTES } from './message-size.ts';
import type { SwapOrder } from './swap-order.ts';

const standIn = (n: number): Address => addressFromBytes(new Uint8Array(32).fill(n));
const OWNER = standIn(1);
const SOURCE = standIn(2);
const DESTINATION = standIn(3);
const FEE_RECEIVER = standIn(4);

/**
 * Everything around the swaps at its largest: compute budget, memo, a token account, wrapped SOL opened and closed, one fee
 * transfer. The accounts are named so that those which the swaps name too are counted once.
 */
const AROUND_ACCOUNTS: readonly Address[] = [
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  MEMO_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  WSOL_MINT,
  FEE_RECEIVER,
];
const AROUND_BYTES = 250;

/**
 * Tells whether swaps on these pools fit one transaction: packet and account locks. A pool that cannot build its
 * instruction for this order fits nowhere.
 */
export function createSplitFits(order: SwapOrder): (pools: readonly Pool[]) => boolean {
  const known = new Map<Pool, readonly Instruction[] | null>();
  const swapOf = (pool: Pool): readonly Instruction[] | null => {
    const made = known.get(pool);
    if (made !== undefined) return made;
    const fresh = build(pool, order);
    known.set(pool, fresh);
    return fresh;
  };
  return (pools) => {
    const swaps = pools.map(swapOf);
    if (swaps.some((swap) => swap === null)) return false;
    const around: Instruction = {
      programId: SYSTEM_PROGRAM,
      accounts: [order.mintIn, order.mintOut, SOURCE, DESTINATION, ...AROUND_ACCOUNTS].map((address) => ({
        address,
        signer: false,
        writable: false,
      })),
      data: new Uint8Array(AROUND_BYTES),
    };
    const size = messageSize(OWNER, [around, ...swaps.flatMap((swap) => swap ?? [])]);
    return size.bytes <= PACKET_BYTES && size.accounts <= MAX_LOCKS;
  };
}

function build(pool: Pool, { mintIn, amountIn }: SwapOrder): readonly Instruction[] | null {
  try {
    return pool.swap({
      owner: OWNER,
      mintIn,
      amountIn,
      amountOut: 0n,
      minOut: 0n,
      source: SOURCE,
      destination: DESTINATION,
    });
  } catch {
    return null;
  }
}
