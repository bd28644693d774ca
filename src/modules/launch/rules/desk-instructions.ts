import { type Address, type Instruction, TOKEN_PROGRAM, WSOL_MINT } from '@tradepost/solana';
import { concat, u8, u64 } from '@tradepost/solana/bytes';
import {
  openAssociatedAccount,
  pays,
  reads,
  signs,
  transferSol,
  writes,
} from '../../mint/rules/instructions/token-program.ts';

export type DeskLaunch = {
  readonly creator: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly decimals: number;
  /** The creator's account, which the creation has filled with the whole supply. */
  readonly holding: Address;
  /** Whose two accounts are the curve. */
  readonly maker: Address;
  readonly vaultA: Address;
  readonly vaultB: Address;
  /** The units that go into the curve: the supply less those of a first buy. */
  readonly curveTokens: bigint;
  /** The first buy's payment into the curve; 0 without one. */
  readonly firstBuyLamports: bigint;
};

/**
 * The instructions that make a curve of the desk out of a token that the same transaction has created. They open both vaults and move the
 * supply into the curve. Then they pay the first buy's lamports, or close the creator's empty account. The signing policy rebuilds this
 * list.
 */
export function deskLaunchInstructions(launch: DeskLaunch): readonly Instruction[] {
  const { creator, mint, tokenProgram, maker, vaultA, vaultB, holding } = launch;
  return [
    openAssociatedAccount(tokenProgram, { payer: creator, account: vaultA, owner: maker, mint }),
    openAssociatedAccount(TOKEN_PROGRAM, { payer: creator, account: vaultB, owner: maker, mint: WSOL_MINT }),
    {
      programId: tokenProgram,
      accounts: [writes(holding), reads(mint), writes(vaultA), signs(creator)],
      data: concat(u8(12), u64(launch.curveTokens), u8(launch.decimals)),
    },
    ...(launch.firstBuyLamports === 0n
      ? [{ programId: tokenProgram, accounts: [writes(holding), pays(creator), signs(creator)], data: u8(9) }]
      : [
          transferSol(creator, vaultB, launch.firstBuyLamports),
          // Wrapped SOL counts the lamports that were sent only after this instruction.
          { programId: TOKEN_PROGRAM, accounts: [writes(vaultB)], data: u8(17) },
        ]),
  ];
}
