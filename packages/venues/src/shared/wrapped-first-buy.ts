import {
  type Address,
  type Instruction,
  TOKEN_ACCOUNT_BYTES,
  TOKEN_PROGRAM,
  WSOL_MINT,
} from '@tradepost/solana';
import type { LaunchPrograms } from '../launch-programs.ts';
import type { LaunchOrder } from '../launchpad.ts';
import type { PoolSwap } from '../pool.ts';
import type { RentReader } from '../readers.ts';

/**
 * The first buy of a launch whose curve takes wrapped SOL: the creator's account, then an ordinary purchase out of wrapped SOL
 * that is opened and closed here. No instructions where the order has no first buy.
 */
export async function wrappedFirstBuy(
  deps: { readonly chain: RentReader; readonly programs: LaunchPrograms },
  order: LaunchOrder,
  tokenProgram: Address,
  swap: (input: PoolSwap) => Instruction,
): Promise<readonly Instruction[]> {
  if (order.firstBuy === null) return [];
  const { creator, mint, holding, seed } = order;
  const { lamports, minTokens } = order.firstBuy;
  const rentLamports = await deps.chain.rentExemption(TOKEN_ACCOUNT_BYTES);
  const wrapped = deps.programs.openWrappedSol({ owner: creator, seed, lamports, rentLamports });
  return [
    deps.programs.createAssociatedTokenAccount({ payer: creator, owner: creator, mint, tokenProgram }),
    ...wrapped.instructions,
    swap({
      owner: creator,
      mintIn: WSOL_MINT,
      amountIn: lamports,
      amountOut: minTokens,
      minOut: minTokens,
      source: wrapped.account,
      destination: holding,
    }),
    deps.programs.closeTokenAccount({
      account: wrapped.account,
      owner: creator,
      tokenProgram: TOKEN_PROGRAM,
    }),
  ];
}
