import type { Address } from '@tradepost/solana';
import type { Bps } from '../../../core/amounts/bps.ts';
import type { WithdrawSolParams } from '../../../engine/intents/kinds/withdraw-sol/params.ts';
import type { WithdrawTokenParams } from '../../../engine/intents/kinds/withdraw-token/params.ts';
import type { PriorityTier } from '../../settings/rules/settings.ts';
import type { Token } from '../../tokens/rules/token.ts';

/** How much: exactly so many units, everything that can leave, or a share of that. */
export type WithdrawalAmount =
  | { readonly kind: 'exact'; readonly units: bigint }
  | { readonly kind: 'max' }
  | { readonly kind: 'share'; readonly bps: Bps };

export type WithdrawalRequest = {
  readonly userId: string;
  readonly walletId: string;
  /** As typed. */
  readonly destination: string;
  readonly amount: WithdrawalAmount;
  readonly tier: PriorityTier;
};

/** Every number of the confirm screen. Lamports and smallest units. */
export type SolWithdrawalQuote = {
  readonly asset: 'sol';
  /** The params of the intent when confirmed. */
  readonly params: WithdrawSolParams;
  readonly destination: Address;
  /** The amount that arrives; for everything an estimate, because the fee is fixed only when the transaction is built. */
  readonly receivesLamports: bigint;
  readonly balanceLamports: bigint;
  /** At the present price, and the most that the tier allows. */
  readonly networkFeeLamports: bigint;
  readonly networkFeeCapLamports: bigint;
  /** The wallet's rest at the present fee. */
  readonly leftLamports: bigint;
};

export type TokenWithdrawalQuote = {
  readonly asset: 'token';
  readonly params: WithdrawTokenParams;
  readonly destination: Address;
  readonly token: Token;
  /** Units that leave the wallet. */
  readonly amount: bigint;
  /** Units that arrive: less by the mint's own transfer fee. */
  readonly receives: bigint;
  readonly transferFee: bigint;
  readonly balance: bigint;
  readonly balanceLamports: bigint;
  readonly networkFeeLamports: bigint;
  readonly networkFeeCapLamports: bigint;
  /** Rent of the recipient's token account when it has none yet, paid by the sender; else 0. */
  readonly accountRentLamports: bigint;
  readonly leftLamports: bigint;
};

export type WithdrawalQuote = SolWithdrawalQuote | TokenWithdrawalQuote;
