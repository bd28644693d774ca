import type { Address } from '@tradepost/solana';
import type { Token } from '../../../modules/tokens/rules/token.ts';
import type { LandedTransaction } from '../../../platform/ports/chain.ts';
import type { IntentParams } from '../kinds/params.ts';
import type { LandedReceipt } from './intent.ts';
import type { TradeTerms } from './terms.ts';

/**
 * The act of a successful transaction of a wallet, as the params of an intent that is lost: amounts are the landed ones, since the quote is
 * gone. Null when it is none of the things this service signs. `token` is the mint of the wallet's one token change.
 */
export function recoveredParams(
  landed: LandedTransaction,
  receipt: LandedReceipt,
  parties: { readonly wallet: Address; readonly treasury: Address; readonly token: Token | null },
): Exclude<
  IntentParams,
  { kind: 'payout' | 'prepare-token' | 'create-token' | 'revoke-authority' | 'launch' }
> | null {
  const { wallet, treasury, token } = parties;
  const [change, ...others] = receipt.tokenDeltas;
  const moved = receipt.walletLamportsDelta + receipt.feeLamports + receipt.rentLamports;
  if (change === undefined) return recoveredSol(landed, wallet, treasury);
  if (others.length > 0) return null;
  const tier = 'normal';
  const terms = (amountIn: bigint, out: bigint): TradeTerms => ({
    amountIn,
    quotedOut: out,
    minOut: out,
    platformFeeLamports: receipt.platformFeeLamports,
    priceImpactBps: 0,
    slippageBps: 0,
    route: [],
  });
  if (change.delta > 0n && moved < 0n) {
    return { kind: 'buy', mint: change.mint, lamportsIn: -moved, terms: terms(-moved, change.delta), tier };
  }
  const amountIn = -change.delta;
  if (change.delta < 0n && moved > 0n) {
    return { kind: 'sell', mint: change.mint, amountIn, terms: terms(amountIn, moved), tier };
  }
  const receiver = landed.tokenBalances.find(
    (row) => row.mint === change.mint && row.owner !== wallet && row.after > row.before,
  );
  if (receiver === undefined || token === null || change.delta >= 0n) return null;
  const { tokenProgram, decimals, mint } = token;
  return {
    kind: 'withdraw-token',
    mint,
    tokenProgram,
    decimals,
    destination: receiver.owner,
    amount: amountIn,
    tier,
  };
}

function recoveredSol(
  landed: LandedTransaction,
  wallet: Address,
  treasury: Address,
): Extract<IntentParams, { kind: 'withdraw-sol' }> | null {
  const [receiver, ...others] = landed.balances.filter(
    (row) => row.address !== wallet && row.after > row.before,
  );
  if (receiver === undefined || others.length > 0 || receiver.address === treasury) return null;
  const lamports = receiver.after - receiver.before;
  return { kind: 'withdraw-sol', destination: receiver.address, lamports, everything: false, tier: 'normal' };
}
