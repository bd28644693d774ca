import { type Address, type Instruction, SYSTEM_PROGRAM } from '@tradepost/solana';
import type { MintFacts, PoolSwap } from '../pool.ts';
import { associatedTokenAddress } from '../shared/associated-token.ts';
import { instructionDiscriminator } from '../shared/discriminator.ts';
import {
  joinBytes,
  readonlyMeta,
  u64,
  writableMeta,
  writableSignerMeta,
} from '../shared/instruction-data.ts';
import { PUMP_FEES_PROGRAM, pumpFeeConfigAddress } from '../shared/pump-fees.ts';
import {
  creatorVaultAddress,
  curveV2Address,
  PUMP_EVENT_AUTHORITY,
  PUMP_GLOBAL,
  PUMP_GLOBAL_VOLUME,
  PUMP_PROGRAM,
  userVolumeAddress,
} from './layout.ts';

export const BUY_EXACT_SOL_IN = instructionDiscriminator('buy_exact_sol_in');
export const SELL = instructionDiscriminator('sell');

export type CurveSwapAccounts = {
  readonly curve: Address;
  readonly base: MintFacts;
  readonly creator: Address;
  readonly feeRecipient: Address;
  readonly buybackFeeRecipient: Address;
};

/**
 * Spends exactly `amountIn` lamports of the owner's own balance, which `unwrapSol` has put there; the tokens arrive in the
 * owner's associated account, which must be the order's destination.
 */
export function curveBuyInstruction(accounts: CurveSwapAccounts, order: PoolSwap): Instruction {
  const { base } = accounts;
  return {
    programId: PUMP_PROGRAM,
    accounts: [
      ...head(accounts, order, order.destination),
      readonlyMeta(base.tokenProgram),
      writableMeta(creatorVaultAddress(accounts.creator)),
      readonlyMeta(PUMP_EVENT_AUTHORITY),
      readonlyMeta(PUMP_PROGRAM),
      readonlyMeta(PUMP_GLOBAL_VOLUME),
      writableMeta(userVolumeAddress(order.owner)),
      ...tail(accounts),
    ],
    // The last byte counts the purchase towards the trader's volume.
    data: joinBytes(BUY_EXACT_SOL_IN, u64(order.amountIn), u64(order.minOut), [1]),
  };
}

/** Sells exactly `amountIn` tokens; the lamports arrive in the owner's own balance. */
export function curveSellInstruction(accounts: CurveSwapAccounts, order: PoolSwap): Instruction {
  return {
    programId: PUMP_PROGRAM,
    accounts: [
      ...head(accounts, order, order.source),
      writableMeta(creatorVaultAddress(accounts.creator)),
      readonlyMeta(accounts.base.tokenProgram),
      readonlyMeta(PUMP_EVENT_AUTHORITY),
      readonlyMeta(PUMP_PROGRAM),
      ...tail(accounts),
    ],
    data: joinBytes(SELL, u64(order.amountIn), u64(order.minOut)),
  };
}

function head(accounts: CurveSwapAccounts, order: PoolSwap, userTokens: Address) {
  const { base, curve } = accounts;
  return [
    readonlyMeta(PUMP_GLOBAL),
    writableMeta(accounts.feeRecipient),
    readonlyMeta(base.mint),
    writableMeta(curve),
    writableMeta(associatedTokenAddress(curve, base.mint, base.tokenProgram)),
    writableMeta(userTokens),
    writableSignerMeta(order.owner),
    readonlyMeta(SYSTEM_PROGRAM),
  ];
}

function tail(accounts: CurveSwapAccounts) {
  return [
    readonlyMeta(pumpFeeConfigAddress(PUMP_PROGRAM)),
    readonlyMeta(PUMP_FEES_PROGRAM),
    readonlyMeta(curveV2Address(accounts.base.mint)),
    writableMeta(accounts.buybackFeeRecipient),
  ];
}
