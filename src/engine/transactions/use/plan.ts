import type { Address, Instruction } from '@tradepost/solana';
import type { PriorityTier } from '../../../modules/settings/rules/settings.ts';
import type { Wallet } from '../../../modules/wallets/rules/wallet.ts';
import type { IntentKind, ParamsByKind } from '../../intents/kinds/params.ts';
import type { Intent } from '../../intents/rules/intent.ts';
import type { TradeTerms } from '../../intents/rules/terms.ts';
import type { LookupTable } from '../../lookup-tables/rules/lookup-table.ts';

/**
 * The parts of one attempt of an intent, before blockhash, compute budget and memo, which the engine adds for every kind alike. Built fresh
 * for each attempt from chain state; building has no effect.
 */
export type TransactionPlan = {
  readonly instructions: readonly Instruction[];
  readonly tier: PriorityTier;
  /** The most for priority, where that is less than the tier's cap; absent where the caller named none. */
  readonly priorityAtMost?: bigint;
  /** Tables that the message may use when it does not fit without; none when left out. */
  readonly lookupTables?: readonly LookupTable[];
  /** True where the message uses those tables although it may fit without: an aggregator's swap comes with its own. */
  readonly needsTables?: true;
  /** True where the cluster and the way of sending take version 1: then the message may be of it when version 0 holds it only with tables. */
  readonly version1?: true;
  /** Compute units when they are known beforehand; null = simulated × 1.1. */
  readonly units: number | null;
  /** Terms of this attempt for a trade: never worse than the confirmed ones. */
  readonly terms: TradeTerms | null;
  readonly expect: Expectation;
  /**
   * For a plan whose amounts depend on the network fee (a withdrawal of everything): replaces `instructions` and `expect`
   * once the exact fee is known. Needs `units`, because the fee is the units' price.
   */
  readonly finish?: (networkFeeLamports: bigint) => Pick<TransactionPlan, 'instructions' | 'expect'>;
  /** Signatures other than the wallet's (a venue that co-signs). Asked for after simulation, before the wallet signs. */
  readonly coSign:
    | ((message: Uint8Array, signers: readonly Address[]) => Promise<ReadonlyMap<Address, Uint8Array>>)
    | null;
  /** Called once the simulation has shown the plan's promises. */
  readonly onPassed?: () => void;
  /**
   * The replacement when this plan does not fit a transaction, or its simulation or the signing policy refuses it: our own route behind an
   * aggregator's. Absent where there is nothing else.
   */
  readonly instead?: (why: unknown) => Promise<TransactionPlan>;
};

/** The simulation must show this, or nothing is signed: the balance changes that the intent's row allows. */
type Expectation = {
  /** The most the wallet may lose in lamports, network fee excluded, rent of accounts it opens included. */
  readonly maxLamportsOut: bigint;
  /** The least the wallet must gain in lamports, network fee excluded (a sale); null when it gains none. */
  readonly minLamportsIn: bigint | null;
  /** Token accounts of the wallet: `minDelta` is the least signed change, e.g. −amount for a sale, +minOut for a buy. */
  readonly tokens: readonly {
    readonly account: Address;
    readonly mint: Address;
    readonly minDelta: bigint;
  }[];
  /** Token accounts of the wallet that the plan closes: empty before it, or of `tokens`. */
  readonly closes?: readonly Address[];
  /** The account of `tokens` that may be another owner's, because the order brings its output there. Its owner stays the same. */
  readonly elsewhere?: Address;
};

export type PlanBuilder<K extends IntentKind> = (
  intent: Intent & { readonly params: ParamsByKind[K] },
  wallet: Wallet,
  /** Secret until the attempt's bytes leave: the plan derives an address from it. */
  attemptId: string,
  /** The attempt's number, from 1; absent where a plan is only looked at. */
  n?: number,
) => Promise<TransactionPlan>;

/** One builder per kind: a new kind does not compile until it has one. */
export type PlanBuilders = { readonly [K in IntentKind]: PlanBuilder<K> };
