import type { Address } from '../../core/address/address.ts';
import { TOKEN_PROGRAM, WSOL_MINT } from '../../core/address/programs.ts';
import type { Instruction } from '../../core/instruction.ts';
import type { Programs } from '../../core/ports/programs.ts';
import type { Token } from '../../core/tokens/token.ts';
import { type MiddleAccount, passesSol } from './middle-accounts.ts';
import type { PricedSwap } from './price-swap.ts';
import { nameSource, routeInstructions } from './route-instructions.ts';

export type SwapAssembly = {
  readonly user: Address;
  readonly tokenIn: Token;
  readonly tokenOut: Token;
  /** The trader's accounts of the tokens; ignored on a side that is SOL. */
  readonly accountIn: Address;
  readonly accountOut: Address;
  /** Units in the accounts before the transaction; ignored on a side that is SOL. */
  readonly heldIn: bigint;
  readonly heldOut: bigint;
  readonly priced: PricedSwap;
  readonly middles: readonly MiddleAccount[];
  /** Where the referrer's part goes; null when there is none. */
  readonly feeAccount: Address | null;
  /** Makes the wrapped-SOL account's address, so that no two swaps share one. */
  readonly seed: string;
  readonly wrappedRentLamports: bigint;
};

/** Fee, accounts, swap, fee: all or nothing in one transaction that the trader alone pays and, co-signers apart, signs. */
export function assembleSwap(programs: Programs, input: SwapAssembly): readonly Instruction[] {
  const { user, tokenIn, tokenOut, priced } = input;
  const sellsSol = tokenIn.mint === WSOL_MINT;
  const buysSol = tokenOut.mint === WSOL_MINT;
  const wrapped = passesSol(priced.route)
    ? programs.openWrappedSol({
        owner: user,
        seed: input.seed,
        lamports: sellsSol ? priced.route.amountIn : 0n,
        rentLamports: input.wrappedRentLamports,
      })
    : null;
  const source = sellsSol && wrapped !== null ? wrapped.account : input.accountIn;
  const destination = buysSol && wrapped !== null ? wrapped.account : input.accountOut;
  const opens = buysSol
    ? []
    : [
        programs.createAssociatedTokenAccount({
          payer: user,
          owner: user,
          mint: tokenOut.mint,
          tokenProgram: tokenOut.tokenProgram,
        }),
      ];
  const swaps = routeInstructions(programs, priced, {
    owner: user,
    source,
    ...(sellsSol ? {} : { sourceHolds: input.heldIn }),
    destination,
    destinationHolds: buysSol ? 0n : input.heldOut,
    wrapped: wrapped?.account ?? null,
    middles: input.middles,
  });
  const closes =
    wrapped === null
      ? []
      : [programs.closeTokenAccount({ account: wrapped.account, owner: user, tokenProgram: TOKEN_PROGRAM })];
  const fee = referrerTransfer(programs, input, destination);
  return [
    ...(priced.fee.side === 'in' ? fee : []),
    ...opens,
    ...(wrapped?.instructions ?? []),
    ...(sellsSol
      ? []
      : nameSource(programs, { owner: user, token: tokenIn, source, amountIn: priced.route.amountIn })),
    ...swaps,
    ...closes,
    ...(priced.fee.side === 'out' ? fee : []),
  ];
}

function referrerTransfer(
  programs: Programs,
  { user, tokenOut, priced, feeAccount }: SwapAssembly,
  source: Address,
): readonly Instruction[] {
  const { side, units } = priced.fee;
  if (feeAccount === null || units === 0n) return [];
  if (side === 'in' || tokenOut.mint === WSOL_MINT) {
    return [programs.transferSol({ from: user, to: feeAccount, lamports: units })];
  }
  return [
    programs.transferToken({
      source,
      mint: tokenOut.mint,
      destination: feeAccount,
      owner: user,
      amount: units,
      decimals: tokenOut.decimals,
      tokenProgram: tokenOut.tokenProgram,
    }),
  ];
}
