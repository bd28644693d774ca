import {
  type Address,
  associatedAccountBytes,
  type ChainAccount,
  isFrozen,
  TOKEN_ACCOUNT_BYTES,
  unitsHeld,
  WSOL_MINT,
} from '@tradepost/solana';
import type { Bps } from '../../../core/amounts/bps.ts';
import { closableOnceEmpty, feeMintOf } from '../../tokens/rules/closable-account.ts';
import { refusedAsFrozen } from '../../tokens/rules/may-move.ts';
import type { Token } from '../../tokens/rules/token.ts';
import { type Trader, WRAPPED } from './assemble-trade.ts';
import { findSellable, findShare, type SaleOfShare, type Sellable } from './find-sellable.ts';
import type { PriceRequest } from './swap-terms.ts';
import type { TradeDeps } from './trading-deps.ts';

/** A wallet of ours beside a token that it trades against SOL, as the chain shows them. */
export type OwnWallet = {
  readonly side: 'buy' | 'sell';
  readonly wallet: Address;
  readonly token: Token;
  /** The wallet's associated account of the token. */
  readonly account: Address;
  readonly accountState: ChainAccount | null;
  readonly lamports: bigint;
  readonly outputRentLamports: bigint;
  readonly wrappedRentLamports: bigint;
  readonly slot: bigint;
};

/**
 * The accounts and rents for both sides of a trade against SOL. Throws CHAIN_UNREACHABLE, and TOKEN_NOT_TRANSFERABLE for a purchase into an
 * account that the issuer froze.
 */
export async function lookAtWallet(
  { chain, programs }: Pick<TradeDeps, 'chain' | 'programs'>,
  { side, wallet, token }: Pick<OwnWallet, 'side' | 'wallet' | 'token'>,
): Promise<OwnWallet> {
  const account = programs.associatedTokenAddress(wallet, token.mint, token.tokenProgram);
  const [{ accounts, slot }, wrappedRentLamports, accountRent] = await Promise.all([
    chain.accounts([wallet, account]),
    chain.rentExemption(TOKEN_ACCOUNT_BYTES),
    side === 'buy' ? chain.rentExemption(associatedAccountBytes(token)) : 0n,
  ]);
  const [walletState, accountState = null] = accounts;
  if (side === 'buy' && isFrozen(accountState)) throw refusedAsFrozen(token.mint);
  return {
    side,
    wallet,
    token,
    account,
    accountState,
    lamports: walletState?.lamports ?? 0n,
    outputRentLamports: accountState === null ? accountRent : 0n,
    wrappedRentLamports,
    slot,
  };
}

/** The account that a sale takes from; throws as `findSellable`. */
export function sellableOf(
  deps: Pick<TradeDeps, 'chain'>,
  { wallet, token, account, accountState }: OwnWallet,
  wanted: bigint,
): Promise<Sellable> {
  return findSellable(deps, { wallet, token, associated: account, associatedState: accountState, wanted });
}

/** The units that a sale of a share of the whole holding takes; throws as `findShare`. */
export function shareOf(
  deps: Pick<TradeDeps, 'chain'>,
  { wallet, token, account }: OwnWallet,
  shareBps: Bps,
): Promise<SaleOfShare> {
  return findShare(deps, { wallet, token, associated: account, shareBps });
}

/**
 * Lamports that come back when a sale of so many units closes the account that it empties; 0 where it does not: something is
 * left, or its owner may not close it. Only the associated account, whose state was read, is closed.
 */
export function closedBySale(own: OwnWallet, sold: Sellable | null, amount: bigint): bigint {
  const { account, accountState, wallet } = own;
  if (sold === null || accountState === null || sold.account !== account || sold.units !== amount) return 0n;
  return closableOnceEmpty(accountState, wallet) ? accountState.lamports : 0n;
}

/** The wallet as one side of a trade; `seed` and `closedLamports` as in `Trader`, `sold` where it sells the token. */
export function traderOf(
  { treasury }: Pick<TradeDeps, 'treasury'>,
  own: OwnWallet,
  seed: string,
  { sold, closedLamports }: { readonly sold: Sellable | null; readonly closedLamports: bigint },
): Trader {
  const { wallet, token, account, outputRentLamports, wrappedRentLamports } = own;
  const [tokenIn, tokenOut] = own.side === 'buy' ? [WRAPPED, token] : [token, WRAPPED];
  return {
    wallet,
    tokenIn,
    tokenOut,
    accountIn: sold?.account ?? account,
    heldIn: sold?.units ?? 0n,
    accountOut: account,
    heldOut: unitsHeld(own.accountState),
    outputRentLamports,
    wrappedRentLamports,
    closedLamports,
    harvestsFirst: own.accountState !== null && feeMintOf(own.accountState) !== null,
    feeAccount: treasury,
    seed,
  };
}

/** The mints of a trade of the token against SOL, as they are sold and bought. */
export function mintsOf(side: OwnWallet['side'], mint: Address): Pick<PriceRequest, 'mintIn' | 'mintOut'> {
  return side === 'buy' ? { mintIn: WSOL_MINT, mintOut: mint } : { mintIn: mint, mintOut: WSOL_MINT };
}
