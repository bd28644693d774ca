import { type Address, associatedAccountBytes, isOnCurve, transferFee } from '@tradepost/solana';
import { address } from '../../../core/address/address.ts';
import { bpsFloor } from '../../../core/amounts/bps.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { networkFeeCap } from '../../../engine/fees/rules/network-fee-cap.ts';
import { marketPrice, networkFee } from '../../../engine/fees/use/network-fee.ts';
import { sourceAccounts } from '../../../engine/intents/kinds/withdraw-token/plan.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { PriorityTier } from '../../settings/rules/settings.ts';
import { assertMovable, refusedAsFrozen, refusedByHook } from '../../tokens/rules/may-move.ts';
import { recipientRefusal } from '../../tokens/rules/recipient-account.ts';
import { type Holding, scaleOfToken, type Token } from '../../tokens/rules/token.ts';
import { ownWallet } from '../../wallets/use/own-wallet.ts';
import type { PrepareWithdrawalDeps } from './prepare-sol-withdrawal.ts';
import type { TokenWithdrawalQuote, WithdrawalRequest } from './withdrawal-quote.ts';
import { withdrawalRecipient } from './withdrawal-recipient.ts';

/** Units for the estimate only; the built transaction is measured. Creating the account takes most of it. */
const TOKEN_TRANSFER_UNITS = 80_000;

/**
 * Everything the confirm screen of a token withdrawal shows; nothing is stored. Throws the recipient's errors,
 * WALLET_NOT_FOUND, TOKEN_NOT_FOUND, TOKEN_NOT_TRANSFERABLE (by its mint, or because the account is frozen), AMOUNT_DUST,
 * RECIPIENT_ACCOUNT_REFUSES, INSUFFICIENT_TOKENS, INSUFFICIENT_LAMPORTS, RENT_REMAINDER.
 */
export async function prepareTokenWithdrawal(
  { db, chain, programs }: PrepareWithdrawalDeps,
  request: WithdrawalRequest & { readonly mint: string },
): Promise<TokenWithdrawalQuote> {
  const wallet = await ownWallet(db.wallets, request);
  const mint = address(request.mint);
  const [token, held, recipient, balanceLamports, minimum] = await Promise.all([
    chain.token(mint),
    chain.holding(wallet.address, mint),
    withdrawalRecipient(chain, wallet.address, request.destination),
    chain.balance(wallet.address),
    chain.rentExemption(0),
  ]);
  if (token === null) throw new AppError('TOKEN_NOT_FOUND', { address: mint });
  // An associated account of an address without a key would lock the tokens away.
  if (!isOnCurve(recipient.address))
    throw new AppError('RECIPIENT_OFF_CURVE', { address: recipient.address });
  const movable = movableUnits(token, held);
  const target = programs.associatedTokenAddress(recipient.address, mint, token.tokenProgram);
  const account = (await chain.accounts([target])).accounts[0] ?? null;
  const reason = recipientRefusal(account, { owner: recipient.address, token });
  if (reason !== null) throw new AppError('RECIPIENT_ACCOUNT_REFUSES', { account: target, reason });
  const amount = wantedUnits(request, movable);
  if (amount > movable || movable === 0n) {
    throw new AppError('INSUFFICIENT_TOKENS', {
      needed: amount > 0n ? amount : 1n,
      available: movable,
      ...scaleOfToken(token),
    });
  }
  const withheld = await feeOf(chain, token, amount);
  if (amount <= 0n || amount === withheld) throw new AppError('AMOUNT_DUST', { minimum: null });

  const { tier } = request;
  const transfer = { payer: wallet.address, owner: recipient.address, token, tier };
  const { rent, fee } = await transferCost({ chain, programs }, { ...transfer, isMade: account === null });
  return {
    asset: 'token',
    params: {
      kind: 'withdraw-token',
      mint,
      tokenProgram: token.tokenProgram,
      decimals: token.decimals,
      destination: recipient.address,
      amount,
      tier,
    },
    destination: recipient.address,
    token,
    amount,
    receives: amount - withheld,
    transferFee: withheld,
    balance: movable,
    balanceLamports,
    networkFeeLamports: fee,
    networkFeeCapLamports: networkFeeCap(tier),
    accountRentLamports: rent,
    leftLamports: leftAfter({ available: balanceLamports, fee, rent, minimum }),
  };
}

/** The units that can leave in one transaction. Frozen accounts are passed over; a token held only in frozen accounts cannot be moved. */
function movableUnits(token: Token, { accounts }: Holding): bigint {
  const { mint, extensions } = token;
  assertMovable(token);
  if (extensions.transferHook !== null) throw refusedByHook(mint);
  const movable = sourceAccounts(accounts).reduce((sum, item) => sum + item.amount, 0n);
  const isFrozen = movable === 0n && accounts.some((item) => item.frozen && item.amount > 0n);
  if (isFrozen) throw refusedAsFrozen(mint);
  return movable;
}

/** The network's fee, and the rent of the recipient's account where there is none yet. */
async function transferCost(
  { chain, programs }: Pick<PrepareWithdrawalDeps, 'chain' | 'programs'>,
  transfer: {
    readonly payer: Address;
    readonly owner: Address;
    readonly token: Token;
    readonly tier: PriorityTier;
    readonly isMade: boolean;
  },
): Promise<{ readonly rent: bigint; readonly fee: bigint }> {
  const { payer, owner, token, tier, isMade } = transfer;
  const { mint, tokenProgram } = token;
  const opening = programs.createAssociatedTokenAccount({ payer, owner, mint, tokenProgram });
  const [rent, price] = await Promise.all([
    isMade ? chain.rentExemption(associatedAccountBytes(token)) : 0n,
    marketPrice(chain, { payer }, [opening], tier),
  ]);
  const fee = networkFee({ units: TOKEN_TRANSFER_UNITS, marketPrice: price, tier, signatures: 1 });
  return { rent, fee: fee.totalLamports };
}

/** Lamports that stay in the wallet: nothing, or enough to keep it alive. */
function leftAfter(of: {
  readonly available: bigint;
  readonly fee: bigint;
  readonly rent: bigint;
  /** The least that a wallet which keeps anything must keep. */
  readonly minimum: bigint;
}): bigint {
  const { available, fee, rent, minimum } = of;
  const left = available - fee - rent;
  if (left < 0n) {
    throw new AppError('INSUFFICIENT_LAMPORTS', { needed: fee + rent, available, amount: rent, fees: fee });
  }
  if (left > 0n && left < minimum) throw new AppError('RENT_REMAINDER', { left, minimum });
  return left;
}

function wantedUnits({ amount }: WithdrawalRequest, movable: bigint): bigint {
  switch (amount.kind) {
    case 'exact':
      return amount.units;
    case 'max':
      return movable;
    case 'share':
      return bpsFloor(movable, amount.bps);
  }
}

async function feeOf(chain: Pick<Chain, 'epoch'>, token: Token, amount: bigint): Promise<bigint> {
  const schedule = token.extensions.transferFee;
  return schedule === null ? 0n : transferFee(schedule, amount, await chain.epoch());
}
