import {
  type AccountMeta,
  type Address,
  ASSOCIATED_TOKEN_PROGRAM,
  type Instruction,
  SYSTEM_PROGRAM,
} from '@tradepost/solana';
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
  creatorVaultAuthority,
  PUMP_SWAP_EVENT_AUTHORITY,
  PUMP_SWAP_GLOBAL_CONFIG,
  PUMP_SWAP_GLOBAL_VOLUME,
  PUMP_SWAP_PROGRAM,
  poolV2Address,
  userVolumeAddress,
} from './layout.ts';

export const BUY_EXACT_QUOTE_IN = instructionDiscriminator('buy_exact_quote_in');
export const SELL = instructionDiscriminator('sell');

export type PumpSwapAccounts = {
  readonly pool: Address;
  readonly base: MintFacts;
  readonly quote: MintFacts;
  readonly baseVault: Address;
  readonly quoteVault: Address;
  /** The zero key where the coin names none. */
  readonly coinCreator: Address;
  readonly protocolFeeRecipient: Address;
  readonly buybackFeeRecipient: Address;
  readonly isCashback: boolean;
};

/** Direction 0 sells exactly `amountIn` of base, 1 spends exactly `amountIn` of quote. */
export function pumpSwapInstruction(
  accounts: PumpSwapAccounts,
  direction: 0 | 1,
  order: PoolSwap,
): Instruction {
  const { base, quote } = accounts;
  const buying = direction === 1;
  const [userBase, userQuote] = buying
    ? [order.destination, order.source]
    : [order.source, order.destination];
  const quoteAccountOf = (owner: Address): Address =>
    associatedTokenAddress(owner, quote.mint, quote.tokenProgram);
  const creatorAuthority = creatorVaultAuthority(accounts.coinCreator);
  const userVolume = userVolumeAddress(order.owner);
  return {
    programId: PUMP_SWAP_PROGRAM,
    accounts: [
      writableMeta(accounts.pool),
      writableSignerMeta(order.owner),
      readonlyMeta(PUMP_SWAP_GLOBAL_CONFIG),
      readonlyMeta(base.mint),
      readonlyMeta(quote.mint),
      writableMeta(userBase),
      writableMeta(userQuote),
      writableMeta(accounts.baseVault),
      writableMeta(accounts.quoteVault),
      readonlyMeta(accounts.protocolFeeRecipient),
      writableMeta(quoteAccountOf(accounts.protocolFeeRecipient)),
      readonlyMeta(base.tokenProgram),
      readonlyMeta(quote.tokenProgram),
      readonlyMeta(SYSTEM_PROGRAM),
      readonlyMeta(ASSOCIATED_TOKEN_PROGRAM),
      readonlyMeta(PUMP_SWAP_EVENT_AUTHORITY),
      readonlyMeta(PUMP_SWAP_PROGRAM),
      writableMeta(quoteAccountOf(creatorAuthority)),
      readonlyMeta(creatorAuthority),
      ...(buying ? [readonlyMeta(PUMP_SWAP_GLOBAL_VOLUME), writableMeta(userVolume)] : []),
      readonlyMeta(pumpFeeConfigAddress(PUMP_SWAP_PROGRAM)),
      readonlyMeta(PUMP_FEES_PROGRAM),
      ...cashback(accounts, buying, userVolume, quoteAccountOf(userVolume)),
      ...(accounts.coinCreator === SYSTEM_PROGRAM ? [] : [readonlyMeta(poolV2Address(base.mint))]),
      readonlyMeta(accounts.buybackFeeRecipient),
      writableMeta(quoteAccountOf(accounts.buybackFeeRecipient)),
    ],
    data: buying
      ? // The last byte counts the purchase towards the trader's volume.
        joinBytes(BUY_EXACT_QUOTE_IN, u64(order.amountIn), u64(order.minOut), [1])
      : joinBytes(SELL, u64(order.amountIn), u64(order.minOut)),
  };
}

/** The account where a cashback coin books its debt to the trader. */
function cashback(
  accounts: PumpSwapAccounts,
  buying: boolean,
  userVolume: Address,
  userVolumeQuote: Address,
): readonly AccountMeta[] {
  if (!accounts.isCashback) return [];
  return buying ? [writableMeta(userVolumeQuote)] : [writableMeta(userVolumeQuote), writableMeta(userVolume)];
}
