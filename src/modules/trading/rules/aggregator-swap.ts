import {
  type Address,
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  type Instruction,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  WSOL_MINT,
} from '@tradepost/solana';
import { decodeInstruction } from '../../../engine/signing/rules/decode-instruction.ts';
import type { SwapOrder } from './swap-order.ts';

export type AggregatorSwapProblem =
  /** A signer other than the trader would be needed. */
  | 'signer'
  /** A program that the aggregator has no business calling. */
  | 'program'
  /** An instruction of a common program that is not part of wrapping, opening or closing the trade's own accounts. */
  | 'instruction'
  /** The swap does not name the trader's two accounts as writable. */
  | 'accounts'
  /** No swap, or more instructions than a swap has. */
  | 'count'
  /** Another token account of the trader's could be written. */
  | 'other-account'
  /** A lookup table that is not there, or is being closed. */
  | 'lookup-table';

/** An aggregator's transaction that cannot be taken over. Says which rule it breaks, never repeats its content. */
export class AggregatorSwapError extends Error {
  readonly problem: AggregatorSwapProblem;

  constructor(problem: AggregatorSwapProblem) {
    super(`the aggregator's transaction is refused: ${problem}`);
    this.name = 'AggregatorSwapError';
    this.problem = problem;
  }
}

const MAX_SWAPS = 3;

/**
 * The swap proper out of an aggregator's transaction, deny by default. Compute budget, the opening of the trader's own two token accounts,
 * and wrapping and unwrapping exactly this trade's SOL are left out, because our own are around the swap; everything else that is not a
 * call of `programs` is refused: no transfer, approval, authority change, assignment, tip or memo is ever carried over. Throws
 * AggregatorSwapError.
 */
export function takeAggregatorSwap(
  instructions: readonly Instruction[],
  order: SwapOrder & {
    readonly user: Address;
    /** The trader's associated accounts that the aggregator received. */
    readonly source: Address;
    readonly destination: Address;
    readonly programs: readonly Address[];
  },
): readonly Instruction[] {
  const swaps: Instruction[] = [];
  for (const instruction of instructions) {
    if (instruction.accounts.some(({ address, signer }) => signer && address !== order.user)) {
      throw new AggregatorSwapError('signer');
    }
    if (order.programs.includes(instruction.programId)) swaps.push(instruction);
    else if (!isAround(instruction, order))
      throw new AggregatorSwapError(known(instruction) ? 'instruction' : 'program');
  }
  if (swaps.length === 0 || swaps.length > MAX_SWAPS) throw new AggregatorSwapError('count');
  const written = new Set(
    swaps.flatMap(({ accounts }) => accounts.filter((meta) => meta.writable).map((meta) => meta.address)),
  );
  if (!written.has(order.source) || !written.has(order.destination))
    throw new AggregatorSwapError('accounts');
  return swaps;
}

/** The same swap on other accounts of the trader: those that this transaction opens for wrapped SOL. */
export function onAccounts(
  swaps: readonly Instruction[],
  moved: ReadonlyMap<Address, Address>,
): readonly Instruction[] {
  return swaps.map((swap) => ({
    ...swap,
    accounts: swap.accounts.map((meta) => ({ ...meta, address: moved.get(meta.address) ?? meta.address })),
  }));
}

function known({ programId }: Instruction): boolean {
  const { kind } = decodeInstruction({ programId, accounts: [], data: new Uint8Array() });
  return kind !== 'foreign' && kind !== 'router-call';
}

/** Whether this is one of the instructions around a swap, for which there are our own already. */
function isAround(instruction: Instruction, order: Parameters<typeof takeAggregatorSwap>[1]): boolean {
  const { user, source, destination, mintIn, mintOut, amountIn } = order;
  const { programId, accounts, data } = instruction;
  const at = (index: number): Address | undefined => accounts[index]?.address;
  const wrapped = new Set<Address | undefined>([
    ...(mintIn === WSOL_MINT ? [source] : []),
    ...(mintOut === WSOL_MINT ? [destination] : []),
  ]);
  switch (programId) {
    case COMPUTE_BUDGET_PROGRAM:
      return true;
    case ASSOCIATED_TOKEN_PROGRAM:
      // Create and CreateIdempotent of one of the two accounts, for the trader.
      return (
        (data.length === 0 || (data.length === 1 && (data[0] === 0 || data[0] === 1))) &&
        at(0) === user &&
        at(2) === user &&
        ((at(1) === source && at(3) === mintIn) || (at(1) === destination && at(3) === mintOut))
      );
    case SYSTEM_PROGRAM: {
      const action = decodeInstruction(instruction);
      return (
        action.kind === 'transfer-sol' &&
        mintIn === WSOL_MINT &&
        action.from === user &&
        action.to === source &&
        action.lamports <= amountIn
      );
    }
    case TOKEN_PROGRAM: {
      // SyncNative has no other effect than to count lamports that are there already.
      if (data.length === 1 && data[0] === 17) return wrapped.has(at(0));
      const action = decodeInstruction(instruction);
      return (
        action.kind === 'close-token-account' &&
        wrapped.has(action.account) &&
        action.destination === user &&
        action.authority === user
      );
    }
    default:
      return false;
  }
}
