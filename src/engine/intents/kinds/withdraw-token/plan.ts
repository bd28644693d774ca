import { type Address, minBigint } from '@tradepost/solana';
import { AppError } from '../../../../core/errors/app-error.ts';
import type { Holding } from '../../../../modules/tokens/rules/token.ts';
import type { Chain } from '../../../../platform/ports/chain.ts';
import type { Programs } from '../../../../platform/ports/programs.ts';
import type { PlanBuilder } from '../../../transactions/use/plan.ts';
import type { WithdrawTokenParams } from './params.ts';

/** A token account of 165 bytes and all that Token-2022 extensions may add to it: its rent bounds the loss that the simulation may show. */
const MOST_ACCOUNT_BYTES = 600;
/** Source accounts drawn on in one transaction: more would not fit a packet. */
const MAX_SOURCES = 8;

/**
 * The plan of a token withdrawal: the recipient's associated account is always (idempotently) created first, so that the
 * chain itself proves that the tokens go to that recipient; then one checked transfer per source account of the wallet.
 * Throws INSUFFICIENT_TOKENS when unfrozen accounts do not hold the amount.
 */
export function createWithdrawTokenPlan(deps: {
  readonly chain: Pick<Chain, 'holding' | 'rentExemption'>;
  readonly programs: Pick<
    Programs,
    'associatedTokenAddress' | 'createAssociatedTokenAccount' | 'transferToken'
  >;
}): PlanBuilder<'withdraw-token'> {
  return async ({ params }, wallet) => {
    const { mint, tokenProgram, destination } = params;
    const [holding, mostRent] = await Promise.all([
      deps.chain.holding(wallet.address, mint),
      deps.chain.rentExemption(MOST_ACCOUNT_BYTES),
    ]);
    const parts = sourceParts(params, holding);
    const target = deps.programs.associatedTokenAddress(destination, mint, tokenProgram);
    return {
      instructions: [
        deps.programs.createAssociatedTokenAccount({
          payer: wallet.address,
          owner: destination,
          mint,
          tokenProgram,
        }),
        ...parts.map((part) =>
          deps.programs.transferToken({
            source: part.account,
            mint,
            destination: target,
            owner: wallet.address,
            amount: part.amount,
            decimals: params.decimals,
            tokenProgram,
          }),
        ),
      ],
      tier: params.tier,
      units: null,
      terms: null,
      expect: {
        maxLamportsOut: mostRent,
        minLamportsIn: null,
        tokens: parts.map((part) => ({ account: part.account, mint, minDelta: -part.amount })),
      },
      coSign: null,
    };
  };
}

/**
 * The accounts that one transaction can draw on, largest first, so that as few as possible are touched. Frozen ones cannot send, and a
 * stranger may open more for a wallet than fit.
 */
export function sourceAccounts(accounts: Holding['accounts']): Holding['accounts'] {
  return accounts
    .filter((account) => !account.frozen && account.amount > 0n)
    .toSorted((a, b) => (a.amount < b.amount ? 1 : a.amount > b.amount ? -1 : 0))
    .slice(0, MAX_SOURCES);
}

function sourceParts(
  { amount, decimals }: WithdrawTokenParams,
  holding: Holding,
): readonly { readonly account: Address; readonly amount: bigint }[] {
  const sources = sourceAccounts(holding.accounts);
  const available = sources.reduce((sum, account) => sum + account.amount, 0n);
  if (available < amount) throw new AppError('INSUFFICIENT_TOKENS', { needed: amount, available, decimals });
  const parts: { readonly account: Address; readonly amount: bigint }[] = [];
  let left = amount;
  for (const source of sources) {
    if (left === 0n) break;
    const part = minBigint(source.amount, left);
    parts.push({ account: source.address, amount: part });
    left -= part;
  }
  return parts;
}
