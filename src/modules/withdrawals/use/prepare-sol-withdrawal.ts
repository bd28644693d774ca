import { bpsFloor } from '../../../core/amounts/bps.ts';
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
  const [recipient, balance, minimum] = await Promise.all([
    withdrawalRecipient(chain, wallet.address, request.destination),
    chain.balance(wallet.address),
    chain.rentExemption(0),
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
  const sure = sureLamports({ balance, tier, received: recipient.lamports, minimum });
  assertCovered({ amount, lamports, fee, balance, sure });
  const left = most - lamports;
  assertRentExempt({ left, sure, wouldHold: recipient.lamports + lamports, minimum });
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
function sureLamports(of: {
  readonly balance: bigint;
  readonly tier: PriorityTier;
  readonly received: bigint;
  readonly minimum: bigint;
}): bigint {
  const sure = of.balance - networkFeeCap(of.tier) - of.minimum;
  return sure > 0n && of.received + sure >= of.minimum ? sure : 0n;
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

/** The chain fails a transfer after which either account holds something below the rent-exempt minimum of now. */
function assertRentExempt(after: {
  readonly left: bigint;
  readonly sure: bigint;
  readonly wouldHold: bigint;
  readonly minimum: bigint;
}): void {
  const { left, sure, wouldHold, minimum } = after;
  if (left > 0n && left < minimum) throw new AppError('RENT_REMAINDER', { left, minimum, maxAmount: sure });
  if (wouldHold < minimum) throw new AppError('RECIPIENT_BELOW_RENT', { minimum, wouldHold });
}
