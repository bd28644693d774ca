import type { Address, Instruction } from '@tradepost/solana';
import type { MintFacts } from '@tradepost/venues';
import {
  curveBuyInstruction,
  curveSellInstruction,
} from '../../../packages/venues/src/pump-fun/instruction.ts';
import {
  curveBuyV2Instruction,
  curveSellV2Instruction,
} from '../../../packages/venues/src/pump-fun/instruction-v2.ts';
import { cpmmSwap } from '../../../packages/venues/src/raydium-cpmm/instruction.ts';
import { buildMint, testAddress } from '../../../packages/venues/test/shared/build.ts';

type Call = {
  readonly owner: Address;
  readonly source: Address;
  readonly destination: Address;
  readonly amountIn: bigint;
  readonly minOut: bigint;
};

/** A swap at a venue of a form that is known, built by the venue's own code. What it names beside the trader is nobody's. */
export function venueCall(input: Call): Instruction {
  const [config, pool, vaultIn, vaultOut, observation, mintIn, mintOut] = Array.from(
    { length: 7 },
    (_, index) => testAddress(700 + index),
  ) as [Address, Address, Address, Address, Address, Address, Address];
  return cpmmSwap(
    { config, pool, vaultIn, vaultOut, observation, mintIn: buildMint(mintIn), mintOut: buildMint(mintOut) },
    { ...input, mintIn, amountOut: input.minOut },
  );
}

const [curve, creator, feeRecipient, buybackFeeRecipient, coin] = Array.from({ length: 5 }, (_, index) =>
  testAddress(720 + index),
) as [Address, Address, Address, Address, Address];
const CURVE = { curve, base: buildMint(coin), creator, feeRecipient, buybackFeeRecipient };

/** A purchase at a program that takes the owner's lamports. */
export const lamportsCall = (input: Omit<Call, 'source'>): Instruction =>
  curveBuyInstruction(CURVE, { ...input, source: input.owner, mintIn: coin, amountOut: input.minOut });

/** A sale at a program that pays the owner in lamports. */
export const sellForLamports = (input: Omit<Call, 'destination'>): Instruction =>
  curveSellInstruction(CURVE, { ...input, destination: input.owner, mintIn: coin, amountOut: input.minOut });

/** The second form of the same program, over a curve quoted in `quote`. */
export const curveCall = (
  side: 'buy' | 'sell',
  quote: MintFacts,
  input: Omit<Call, 'source' | 'destination'> & { readonly coins: Address; readonly quotes: Address },
): Instruction => {
  const [source, destination] = side === 'buy' ? [input.quotes, input.coins] : [input.coins, input.quotes];
  const make = side === 'buy' ? curveBuyV2Instruction : curveSellV2Instruction;
  const order = { ...input, source, destination, mintIn: coin, amountOut: input.minOut };
  return make({ ...CURVE, quote }, order);
};
