import { bpsFloor } from '../../../core/amounts/bps.ts';
import { RENT_EXEMPT_MINIMUM } from '../../../core/amounts/lamports.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { networkFeeCap } from '../../../engine/fees/rules/network-fee-cap.ts';
import { marketPrice, networkFee } from '../../../engine/fees/use/network-fee.ts';
import { SOL_TRANSFER_UNITS } from '../../../engine/intents/kinds/withdraw-sol/plan.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Programs } from '../../../platform/ports/programs.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import type { PriorityTier } from '../../settings/rules/settings.ts';
import { ownWallet } from '../../wallets/use/own-wallet.ts';
import type { SolWithdrawalQuote, WithdrawalRequest } from './withdrawal-quote.ts';
import { withdrawalRecipient } from './withdrawal-recipient.ts';

export type PrepareWithdrawalDeps = {
  readonly db: Pick<Database, 'wallets'>;
  readonly chain: Chain;
  readonly programs: Programs;
};

/**
 * Everything the confirm screen of a SOL withdrawal shows; nothing is stored. The chain's rule decides: afterwards recipient
 * and sender each hold nothing or at least the rent-exempt minimum. "Max" leaves exactly nothing. Throws the recipient's
 * errors, WALLET_NOT_FOUND, AMOUNT_DUST, INSUFFICIENT_LAMPORTS, RENT_REMAINDER, RECIPIENT_BELOW_RENT.
 */
export async function prepareSolWithdrawal(
  { db, chain, programs }: PrepareWithdrawalDeps,
  request: WithdrawalRequest,
): Promise<SolWithdrawalQuote> {
  const { tier, amount } = request;
  const wallet = await ownWallet(db.wallets, request);
  const [recipient, balance] = await Promise.all([
    withdrawalRecipient(chain, wallet.address, request.destination),
    chain.balance(wallet.address),
  ]);
  const transfer = programs.transferSol({ from: wallet.address, to: recipient.address, lamports: 1n });
  const price = await marketPrice(chain, { payer: wallet.address }, [transfer], tier);
  const fee = networkFee({
    units: SOL_TRANSFER_UNITS,
    marketPrice: price,
    tier,
    signatures: 1,
  }).totalLamports;

  const most = balance - fee;
  const lamports = wantedLamports(amount, most);
  const sure = sureLamports(balance, tier, recipient.lamports);
  assertCovered({ amount, lamports, fee, balance, sure });
  const left = most - lamports;
  assertRentExempt(left, sure, recipient.lamports + lamports);
  return {
    asset: 'sol',
    params: {
      kind: 'withdraw-sol',
      destination: recipient.address,
      lamports,
      everything: left === 0n,
      tier,
    },
    destination: recipient.address,
    receivesLamports: lamports,
    balanceLamports: balance,
    networkFeeLamports: fee,
    networkFeeCapLamports: networkFeeCap(tier),
    leftLamports: left,
  };
}

function wantedLamports(amount: WithdrawalRequest['amount'], most: bigint): bigint {
  switch (amount.kind) {
    case 'exact':
      return amount.units;
    case 'max':
      return most;
    case 'share':
      return bpsFloor(most > 0n ? most : 0n, amount.bps);
  }
}

/** The largest amount that is accepted at any later fee: the wallet keeps its minimum. 0 where there is none. */
function sureLamports(balance: bigint, tier: PriorityTier, received: bigint): bigint {
  const sure = balance - networkFeeCap(tier) - RENT_EXEMPT_MINIMUM;
  return sure > 0n && received + sure >= RENT_EXEMPT_MINIMUM ? sure : 0n;
}

function assertCovered(asked: {
  readonly amount: WithdrawalRequest['amount'];
  readonly lamports: bigint;
  readonly fee: bigint;
  readonly balance: bigint;
  readonly sure: bigint;
}): void {
  const { amount, lamports, fee, balance, sure } = asked;
  const most = balance - fee;
  if (most <= 0n || lamports > most) {
    const wanted = amount.kind === 'exact' ? lamports : 1n;
    throw new AppError('INSUFFICIENT_LAMPORTS', {
      needed: wanted + fee,
      available: balance,
      amount: wanted,
      fees: fee,
      most: sure,
    });
  }
  if (lamports <= 0n) throw new AppError('AMOUNT_DUST', { minimum: 1n });
}

/** The chain fails a transfer after which either account holds something below the rent-exempt minimum. */
function assertRentExempt(left: bigint, sure: bigint, wouldHold: bigint): void {
  if (left > 0n && left < RENT_EXEMPT_MINIMUM) {
    throw new AppError('RENT_REMAINDER', { left, minimum: RENT_EXEMPT_MINIMUM, maxAmount: sure });
  }
  if (wouldHold < RENT_EXEMPT_MINIMUM) {
    throw new AppError('RECIPIENT_BELOW_RENT', { minimum: RENT_EXEMPT_MINIMUM, wouldHold });
  }
}
