import { type Address, WSOL_MINT } from '@tradepost/solana';
import { type Bps, bps, bpsFloor } from '../../../core/amounts/bps.ts';
import type { Fee, PlatformFee } from '../../../engine/fees/use/platform-fee.ts';
import type { TipTerms } from '../../../engine/intents/rules/tip-terms.ts';
import type { AggregatorOrder } from '../../../platform/ports/aggregator.ts';
import type { PriorityTier } from '../../settings/rules/settings.ts';
import type { RouteFilter } from '../rules/route-filter.ts';
import type { SwapOrder } from '../rules/swap-order.ts';
import { ACCOUNTS_WITH_TABLES, ACCOUNTS_WITHOUT_TABLES } from './aggregator-quotes.ts';

/** Sell exactly `amount` units of one mint for another; wrapped SOL means native SOL. */
export type PriceRequest = {
  readonly mintIn: Address;
  readonly mintOut: Address;
  readonly amount: bigint;
  /** Units of `mintOut` that must arrive, or there is no swap. The amount was, or is to be, worked out for them: see `withAmount`. */
  readonly wanted?: bigint;
  readonly slippageBps: Bps;
  /** Ways that the asker allows; every way where left out. */
  readonly filter?: RouteFilter;
  /** The newest version of a transaction that the asker can sign; 0 where left out. */
  readonly maxVersion?: 0 | 1;
  /** True where wrapped SOL on a side is a token in an account of its own, and neither wrapped nor unwrapped on the way. */
  readonly solAsToken?: boolean;
};

/** Whether a side is the wallet's own SOL: wrapped SOL that is no token of this order. */
export const isNative = (mint: Address, { solAsToken = false }: Pick<PriceRequest, 'solAsToken'>): boolean =>
  mint === WSOL_MINT && !solAsToken;

export type SwapRequest = PriceRequest & {
  /** Pays, signs and receives. */
  readonly user: Address;
  readonly referrer: Referrer | null;
  /** The most that its priority may cost; the tier `normal` where left out. */
  readonly priority?: Priority;
  /** Where the output goes; the trader's own account where left out. */
  readonly destination?: SwapDestination;
  /** Pays the network's fee and signs first; the trader where left out. */
  readonly feePayer?: Address;
  /** True where the account of the token sold is closed when this swap empties it. */
  readonly closesSold?: boolean;
  /** Paid to a sender by the last instruction; none where left out. */
  readonly tip?: TipTerms;
  /** Blocks for which the transaction is taken, or a few more; the most there are where left out. */
  readonly livesBlocks?: bigint;
};

/** Another owner, whose associated account is opened where it is missing, or a token account that exists. */
export type SwapDestination =
  | { readonly kind: 'wallet'; readonly address: Address }
  | { readonly kind: 'account'; readonly address: Address };

export type Priority = {
  readonly tier: PriorityTier;
  /** The most for priority, below the tier's own cap; null = that cap. */
  readonly capLamports: bigint | null;
};

export const NORMAL_PRIORITY: Priority = { tier: 'normal', capLamports: null };

export type Referrer = { readonly wallet: Address; readonly feeBps: Bps };

/**
 * A trade and its basis. Chat, REST and any later transport differ in these values alone: `amount` is all that leaves the wallet of
 * `mintIn`, a fee on the input included.
 */
export type SwapTerms = PriceRequest & {
  readonly fee: FeeTerms;
  /** The units that must arrive, net of a fee on the output, or there is no trade; null where no minimum is agreed yet. */
  readonly agreedOut: bigint | null;
  /** Tokens that the route may pass through; null = any. */
  readonly intermediates: readonly Address[] | null;
  /** Accounts that an aggregator's swap may name. */
  readonly maxAccounts: number;
  /** The instructions beside the swap in the transaction; see `SwapOrder`. */
  readonly around?: SwapOrder['around'];
  /**
   * Whether the transaction may be of version 1: where version 0 holds no way, or wherever it brings more. Absent where the signer or the
   * way of sending takes none: a sender that is tipped does not.
   */
  readonly version1?: 'needed' | 'better';
  /** Accounts that the whole transaction may name; absent where it may name as many as one can. */
  readonly locks?: number;
};

/** A part taken before the swap is known beforehand; one taken out of its output is asked for then. */
export type FeeTerms =
  | { readonly side: 'in'; readonly fee: Fee }
  | { readonly side: 'out'; readonly of: (gross: bigint) => Fee | Promise<Fee> };

const NO_DISCOUNT = bps(0);

/** A swap that a referrer may take part of: of SOL on either side, else of the token bought. */
export function referredTerms(
  request: PriceRequest & Pick<Partial<SwapRequest>, 'destination' | 'feePayer' | 'tip' | 'closesSold'>,
  feeBps: Bps = bps(0),
): SwapTerms {
  const { mintIn, mintOut, amount, slippageBps, destination, feePayer, tip } = request;
  const maxAccounts = request.filter?.maxAccounts ?? null;
  const part = (gross: bigint): Fee => ({ lamports: bpsFloor(gross, feeBps), discountBps: NO_DISCOUNT });
  return {
    mintIn,
    mintOut,
    amount,
    slippageBps,
    fee: isNative(mintIn, request) ? { side: 'in', fee: part(amount) } : { side: 'out', of: part },
    agreedOut: request.wanted ?? null,
    intermediates: null,
    maxAccounts: ACCOUNTS_WITH_TABLES,
    around: {
      // A close takes less room than a memo.
      memo: request.closesSold === true,
      fee: feeBps > 0,
      receiver: destination !== undefined,
      payer: feePayer !== undefined,
      tip: tip !== undefined,
    },
    ...(request.maxVersion === 1 && tip === undefined ? { version1: 'better' } : {}),
    ...(maxAccounts === null ? {} : { locks: maxAccounts }),
  };
}

/** A trade against SOL that pays the platform fee on its SOL side. */
export async function platformTerms(
  { platformFee }: { readonly platformFee: PlatformFee },
  request: PriceRequest &
    Partial<Pick<SwapTerms, 'agreedOut' | 'intermediates'>> & {
      readonly wallet: Address;
      readonly tip?: TipTerms | undefined;
    },
): Promise<SwapTerms> {
  const { mintIn, mintOut, amount, slippageBps, wallet, agreedOut = null, intermediates = null } = request;
  return {
    mintIn,
    mintOut,
    amount,
    slippageBps,
    fee:
      mintIn === WSOL_MINT
        ? { side: 'in', fee: await platformFee(amount, wallet) }
        : { side: 'out', of: (gross) => platformFee(gross, wallet) },
    agreedOut,
    intermediates,
    // The signing policy knows the operator's own lookup tables and no aggregator's, so its swap has to fit without.
    maxAccounts: ACCOUNTS_WITHOUT_TABLES,
    ...(request.tip === undefined ? { version1: 'needed' } : {}),
  };
}

/** The amount that the swap itself sells and the aggregators to which it may be offered. */
export function orderOf({
  mintIn,
  mintOut,
  amount,
  slippageBps,
  fee,
  maxAccounts,
}: SwapTerms): AggregatorOrder {
  const amountIn = fee.side === 'in' ? amount - fee.fee.lamports : amount;
  return { mintIn, mintOut, amountIn, slippageBps, maxAccounts };
}
