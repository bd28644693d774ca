import {
  type AccountMeta,
  type Address,
  ASSOCIATED_TOKEN_PROGRAM,
  type Instruction,
  SYSTEM_PROGRAM,
  WSOL_MINT,
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
import type { CurveSwapAccounts } from './instruction.ts';
import {
  creatorVaultAddress,
  PUMP_EVENT_AUTHORITY,
  PUMP_GLOBAL,
  PUMP_GLOBAL_VOLUME,
  PUMP_PROGRAM,
  sharingConfigAddress,
  userVolumeAddress,
} from './layout.ts';

export const BUY_EXACT_QUOTE_IN_V2 = instructionDiscriminator('buy_exact_quote_in_v2');
export const SELL_V2 = instructionDiscriminator('sell_v2');

/** `quote` is wrapped SOL where the curve keeps lamports. */
export type CurveSwapAccountsV2 = CurveSwapAccounts & { readonly quote: MintFacts };

/** The trader's accounts of coin and quote. */
type TraderAccounts = { readonly base: Address; readonly quote: Address };

/**
 * Spends exactly `amountIn` of the curve's quote. Every kind of coin takes this form, with the same accounts. Where the quote is SOL
 * it takes lamports, and the accounts of wrapped SOL are named only. Elsewhere the order's two accounts must be the owner's associated
 * ones. Source of truth: the program's IDL.
 */
export function curveBuyV2Instruction(accounts: CurveSwapAccountsV2, order: PoolSwap): Instruction {
  const trader = { base: order.destination, quote: order.source };
  return {
    programId: PUMP_PROGRAM,
    accounts: [
      ...head(accounts, order, trader),
      readonlyMeta(PUMP_GLOBAL_VOLUME),
      ...tail(accounts.quote, order),
    ],
    data: joinBytes(BUY_EXACT_QUOTE_IN_V2, u64(order.amountIn), u64(order.minOut)),
  };
}

/** Sells exactly `amountIn` of the coin; see `curveBuyV2Instruction`. */
export function curveSellV2Instruction(accounts: CurveSwapAccountsV2, order: PoolSwap): Instruction {
  const trader = { base: order.source, quote: order.destination };
  return {
    programId: PUMP_PROGRAM,
    accounts: [...head(accounts, order, trader), ...tail(accounts.quote, order)],
    data: joinBytes(SELL_V2, u64(order.amountIn), u64(order.minOut)),
  };
}

function head(
  accounts: CurveSwapAccountsV2,
  { owner }: PoolSwap,
  trader: TraderAccounts,
): readonly AccountMeta[] {
  const { base, quote, curve, feeRecipient, buybackFeeRecipient } = accounts;
  const creatorVault = creatorVaultAddress(accounts.creator);
  const quoteOf = (holder: Address): AccountMeta => writableMeta(quoteAccount(holder, quote));
  return [
    readonlyMeta(PUMP_GLOBAL),
    readonlyMeta(base.mint),
    readonlyMeta(quote.mint),
    readonlyMeta(base.tokenProgram),
    readonlyMeta(quote.tokenProgram),
    readonlyMeta(ASSOCIATED_TOKEN_PROGRAM),
    writableMeta(feeRecipient),
    quoteOf(feeRecipient),
    writableMeta(buybackFeeRecipient),
    quoteOf(buybackFeeRecipient),
    writableMeta(curve),
    writableMeta(associatedTokenAddress(curve, base.mint, base.tokenProgram)),
    quoteOf(curve),
    writableSignerMeta(owner),
    writableMeta(trader.base),
    quote.mint === WSOL_MINT ? quoteOf(owner) : writableMeta(trader.quote),
    writableMeta(creatorVault),
    quoteOf(creatorVault),
    readonlyMeta(sharingConfigAddress(base.mint)),
  ];
}

function tail(quote: MintFacts, { owner }: PoolSwap): readonly AccountMeta[] {
  const userVolume = userVolumeAddress(owner);
  return [
    writableMeta(userVolume),
    writableMeta(quoteAccount(userVolume, quote)),
    readonlyMeta(pumpFeeConfigAddress(PUMP_PROGRAM)),
    readonlyMeta(PUMP_FEES_PROGRAM),
    readonlyMeta(SYSTEM_PROGRAM),
    readonlyMeta(PUMP_EVENT_AUTHORITY),
    readonlyMeta(PUMP_PROGRAM),
  ];
}

const quoteAccount = (holder: Address, { mint, tokenProgram }: MintFacts): Address =>
  associatedTokenAddress(holder, mint, tokenProgram);
