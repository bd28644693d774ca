import type { Address } from '../../core/address/address.ts';
import { SYSTEM_PROGRAM, WSOL_MINT } from '../../core/address/programs.ts';
import { bps } from '../../core/amounts/bps.ts';
import { minBigint } from '../../core/amounts/rounding.ts';
import { AppError } from '../../core/errors/app-error.ts';
import type { ChainAccount, CompiledMessage } from '../../core/ports/chain.ts';
import { associatedAccountBytes, TOKEN_ACCOUNT_BYTES } from '../../core/tokens/account-size.ts';
import { tokenSafety, withExit } from '../../core/tokens/safety.ts';
import type { Token } from '../../core/tokens/token.ts';
import { unitsHeld } from '../../core/tokens/token-account.ts';
import { assembleSwap } from './assemble-swap.ts';
import { betterOf, programOrSeparate, type Settled } from './better-swap.ts';
import { coSignRoute, overtaken } from './co-sign.ts';
import { findSellable, type Sellable } from './find-sellable.ts';
import { loadFreshPools } from './fresh-pools.ts';
import { loadSwapToken } from './load-swap-token.ts';
import { loadMiddleAccounts, passesSol, rentKept, rentNeeded } from './middle-accounts.ts';
import type { PricedSwap } from './price-swap.ts';
import type { SwapQuote } from './quote-swap.ts';
import { type ReferrerProblem, referrerAccount, referrerProblem } from './referrer-account.ts';
import { dropRival, offersFor, ownOrWhyNot, rivalSwap } from './rival-swap.ts';
import { simulateSwap } from './simulate-swap.ts';
import type { SwapDeps, SwapRequest } from './swap-request.ts';
import { swapWarnings } from './swap-warnings.ts';
import { withholdUnlessClean } from './withhold-unless-clean.ts';

/** A transaction for the trader to sign and submit, or why the referrer keeps it from being built. */
export type SwapResult =
  | { readonly kind: 'built'; readonly swap: BuiltSwap }
  | { readonly kind: 'referrer'; readonly problem: ReferrerProblem };

export type BuiltSwap = SwapQuote & {
  readonly requester: Address;
  /** Wire bytes: the trader's signature is all zeros, those of co-signing venues are in place. */
  readonly transaction: Uint8Array;
  readonly lastValidBlockHeight: bigint;
  readonly fees: {
    /** Signatures and priority, as the message encodes them. */
    readonly networkLamports: bigint;
    /** Rent of accounts that the swap opens for the trader and that stay open. */
    readonly newAccountRentLamports: bigint;
    readonly referrerUnits: bigint;
    readonly referrerMint: Address | null;
  };
};

/** A blockhash lives for 150 blocks of about 400 ms; the height in the answer is exact, this time is not. */
const BLOCKHASH_LIFE_MS = 60_000;
const UNSIGNED = new Uint8Array(64);

/**
 * Prices, assembles and simulates a swap that the trader alone signs, venues that co-sign apart. Nothing is sent or stored.
 * What the simulation shows is compared with the quote first. When another trade was faster the swap is routed once more on the
 * pools as they are then; PRICE_MOVED when that one comes too late as well. Throws as
 * `quoteSwap`, and RECIPIENT_IS_PROGRAM when the trader's address is no wallet, INSUFFICIENT_LAMPORTS, INSUFFICIENT_TOKENS,
 * TOKEN_NOT_TRANSFERABLE, RENT_REMAINDER, SIMULATION_FAILED. Bytes that the policy for unsigned swaps refuses are logged and
 * never handed out: POLICY_DENIED.
 */
export async function buildSwap(deps: SwapDeps, request: SwapRequest): Promise<SwapResult> {
  try {
    return await buildOnce(deps, request);
  } catch (error) {
    // Somebody else's trade came between the quote and the simulation or a venue's signature.
    if (overtaken(error) === null) throw error;
  }
  try {
    return await buildOnce(deps, request);
  } catch (error) {
    throw overtaken(error) ?? error;
  }
}

async function buildOnce(deps: SwapDeps, request: SwapRequest): Promise<SwapResult> {
  const { chain, programs } = deps;
  const { user, mintIn, mintOut, referrer } = request;
  if (mintIn === mintOut) throw new AppError('SAME_TOKEN', {});
  const [tokenIn, tokenOut] = await Promise.all([
    loadSwapToken(chain, mintIn),
    loadSwapToken(chain, mintOut),
  ]);
  const accountIn = programs.associatedTokenAddress(user, mintIn, tokenIn.tokenProgram);
  const accountOut = programs.associatedTokenAddress(user, mintOut, tokenOut.tokenProgram);
  const feeToken = mintIn === WSOL_MINT ? tokenIn : tokenOut;
  const feeAccount = referrer === null ? null : referrerAccount(programs, referrer.wallet, feeToken);
  const read = [user, accountIn, accountOut, referrer?.wallet ?? user, feeAccount ?? user] as const;
  const referrerFeeBps = referrer?.feeBps ?? bps(0);
  const { pools, others } = await loadFreshPools(
    deps,
    request,
    Promise.all([
      chain.accounts(read),
      chain.latestBlockhash(),
      chain.epoch(),
      chain.rentExemption(TOKEN_ACCOUNT_BYTES),
      chain.rentExemption(associatedAccountBytes(tokenOut)),
      offersFor(deps, request, referrerFeeBps),
      deps.lookupTables?.usable(),
      deps.exitCheck?.(mintOut, user),
    ]),
  );
  const [state, blockhash, epoch, wrappedRentLamports, accountRent, offers, tables, exit] = others;
  const stateOf = (address: Address): ChainAccount | null => state.accounts[read.indexOf(address)] ?? null;
  const itself = stateOf(user);
  if (itself !== null && (itself.owner !== SYSTEM_PROGRAM || itself.data.length > 0)) {
    throw new AppError('RECIPIENT_IS_PROGRAM', { address: user });
  }

  const quoteId = deps.ids.ulid();
  const opensAccount = mintOut !== WSOL_MINT && stateOf(accountOut) === null;
  const outputRent = opensAccount ? accountRent : 0n;

  const settle = async (priced: PricedSwap): Promise<Settled> => {
    if (referrer !== null && feeAccount !== null) {
      const problem = referrerProblem({
        wallet: referrer.wallet,
        walletState: stateOf(referrer.wallet),
        token: feeToken,
        account: feeAccount,
        accountState: stateOf(feeAccount),
        units: priced.fee.units,
      });
      if (problem !== null) return { kind: 'referrer', problem, gained: 0n };
    }
    const middles = await loadMiddleAccounts(deps, user, priced.route);
    const newAccountRentLamports = outputRent + rentKept(middles);
    const wrappedRent = passesSol(priced.route) ? wrappedRentLamports : 0n;
    const { account: source, units: heldIn } = await spendable(deps, request, {
      tokenIn,
      accountIn,
      accountInState: stateOf(accountIn),
      lamports: itself?.lamports ?? 0n,
      rentLamports: outputRent + rentNeeded(middles) + wrappedRent,
    });
    const { message, networkLamports, simulatedOut, gained } = await simulateSwap(deps, {
      user,
      blockhash,
      instructions: assembleSwap(programs, {
        user,
        tokenIn,
        tokenOut,
        accountIn: source,
        accountOut,
        heldIn,
        heldOut: unitsHeld(stateOf(accountOut)),
        priced,
        middles,
        feeAccount,
        seed: quoteId,
        wrappedRentLamports,
      }),
      priced,
      request,
      source,
      accountOut,
      middles,
      newAccountRentLamports,
      known: new Map(read.map((one, index) => [one, state.accounts[index] ?? null])),
    });
    await withholdUnlessClean(deps, message, { request, priced, feeAccount });
    const warnings = swapWarnings({
      priceImpactBps: priced.route.priceImpactBps,
      slippageBps: request.slippageBps,
      safety: withExit(tokenSafety(tokenOut, { epoch, wellKnown: deps.wellKnown }), exit).warnings,
    });
    return {
      kind: 'built',
      gained,
      swap: {
        request,
        requester: user,
        priced,
        warnings:
          simulatedOut === null || simulatedOut === priced.amountOut
            ? warnings
            : [...warnings, { code: 'SIMULATION_DIFFERS', simulatedAmount: simulatedOut }],
        quoteId,
        slot: minBigint(priced.route.slot, state.slot),
        expiresAt: deps.clock.now() + BLOCKHASH_LIFE_MS,
        transaction: await unsigned(deps, message, user, priced.route),
        lastValidBlockHeight: blockhash.lastValidBlockHeight,
        fees: {
          networkLamports,
          newAccountRentLamports,
          referrerUnits: priced.fee.units,
          referrerMint: referrer === null ? null : feeToken.mint,
        },
      },
    };
  };

  const means = { lookupTables: tables ?? [], routerProgram: deps.routerProgram === true };
  const own = ownOrWhyNot(pools, request, referrerFeeBps, means);
  const separate = () => ownOrWhyNot(pools, request, referrerFeeBps, { ...means, routerProgram: false });
  const rival = async () => {
    const priced = await rivalSwap(deps, { request, own, offers, pools, tokenIn, tokenOut });
    return priced === null ? null : settle(priced).catch((error: unknown) => dropRival(deps, priced, error));
  };
  // Side by side: whichever of the two fails, the other stands.
  const [ours, theirs] = await Promise.allSettled([
    own instanceof AppError ? Promise.reject(own) : programOrSeparate(deps, own, settle, separate),
    rival(),
  ]);
  return betterOf(ours, theirs);
}

/** The account to sell from, and what is in it where it is no SOL. Throws INSUFFICIENT_TOKENS or INSUFFICIENT_LAMPORTS before anything is simulated. */
async function spendable(
  deps: SwapDeps,
  { user, amount, mintIn }: SwapRequest,
  held: {
    readonly tokenIn: Token;
    readonly accountIn: Address;
    readonly accountInState: ChainAccount | null;
    readonly lamports: bigint;
    readonly rentLamports: bigint;
  },
): Promise<Sellable> {
  const spent = mintIn === WSOL_MINT ? amount : 0n;
  const needed = spent + held.rentLamports;
  if (held.lamports < needed) {
    const available = held.lamports;
    throw new AppError('INSUFFICIENT_LAMPORTS', {
      needed,
      available,
      amount: spent,
      fees: held.rentLamports,
    });
  }
  if (mintIn === WSOL_MINT) return { account: held.accountIn, units: 0n };
  return findSellable(deps, {
    wallet: user,
    token: held.tokenIn,
    associated: held.accountIn,
    associatedState: held.accountInState,
    wanted: amount,
  });
}

/** The wire form with every co-signature in place and zeros where the trader signs. */
async function unsigned(
  deps: SwapDeps,
  message: CompiledMessage,
  user: Address,
  route: Parameters<typeof coSignRoute>[1],
): Promise<Uint8Array> {
  const others = message.signers.filter((signer) => signer !== user);
  const coSign = others.length === 0 ? null : coSignRoute(deps.venues, route);
  const signatures = new Map(coSign === null ? [] : await coSign(message.bytes, others));
  signatures.set(user, UNSIGNED);
  return deps.compiler.assemble(message, signatures);
}
