import { type Address, type Instruction, readTokenAccount, unitsHeld } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import { type LookupTable, readLookupTable } from '../../../engine/lookup-tables/rules/lookup-table.ts';
import { decodeMessage, lookupTablesOf } from '../../../engine/signing/rules/decode-message.ts';
import type {
  Aggregator,
  AggregatorOrder,
  AggregatorQuote,
  AggregatorTransaction,
} from '../../../platform/ports/aggregator.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { Programs } from '../../../platform/ports/programs.ts';
import { type AggregatorSwap, aggregatorRoute, type SwapToken } from '../rules/aggregator-route.ts';
import { AggregatorSwapError, takeAggregatorSwap } from '../rules/aggregator-swap.ts';
import type { Route } from '../rules/route.ts';
import { comparedSources, pairClassOf } from '../rules/source-figures.ts';
import type { SourceCounter } from './count-sources.ts';

/**
 * Accounts that an aggregator's swap may name. With lookup tables the 64 locks of a transaction are the limit, without them its 1,232
 * bytes; the instructions around the swap take the rest.
 */
export const ACCOUNTS_WITH_TABLES = 48;
export const ACCOUNTS_WITHOUT_TABLES = 20;

export type AggregatorQuotesDeps = {
  readonly aggregators: readonly Aggregator[];
  readonly chain: Pick<Chain, 'accounts'>;
  readonly programs: Pick<Programs, 'transferToken' | 'associatedTokenAddress'>;
  readonly log: Pick<Logger, 'warn' | 'debug'>;
  /** Tokens that most pools are against. */
  readonly hubs: readonly Address[];
  /** True: pairs of two of them alone are asked for. */
  readonly majorsAlone: boolean;
  /** Counts offers, wins and failures of every source. */
  readonly sources: Pick<SourceCounter, 'count'>;
};

export type Offer = { readonly aggregator: Aggregator; readonly quote: AggregatorQuote };

/** The aggregators as competitors of our own router. */
export type AggregatorQuotes = {
  /** Programs that their swaps may call. */
  readonly programs: readonly Address[];
  /** Their offers for the order, best first. Never rejects: an aggregator that fails is logged and left out. */
  offers(order: AggregatorOrder): Promise<readonly Offer[]>;
  /** The offer as a route to show and to compare; it cannot be executed. */
  show(offer: Offer, order: AggregatorOrder, pools: readonly Pool[], slot: bigint): Route;
  /**
   * The offer as a route to execute, its transaction decoded, its lookup tables and every account that it writes read from
   * the chain; null when it breaks a rule or cannot be had, which is logged.
   */
  build(offer: Offer, order: AggregatorOrder, trade: AggregatorTrade): Promise<Route | null>;
  /** Tells the operator that an aggregator's answer was not used, and at which step. */
  passedOver(name: string, step: RivalStep, pair: Pair, error: unknown): void;
  /** Counts one comparison: our own route's output, null where there is none, and the offers. Without an offer it counts nothing. */
  compared(pair: Pair, own: bigint | null, offers: readonly Offer[]): void;
};

type Pair = Pick<AggregatorOrder, 'mintIn' | 'mintOut'>;

export type RivalStep = 'quote' | 'build' | 'simulate';

export type AggregatorTrade = {
  readonly user: Address;
  readonly tokenIn: SwapToken;
  readonly tokenOut: SwapToken;
  /** Our own pools of the pair, for the price impact. */
  readonly pools: readonly Pool[];
};

export function createAggregatorQuotes(deps: AggregatorQuotesDeps): AggregatorQuotes {
  const { aggregators, log, hubs, sources } = deps;
  const passedOver: AggregatorQuotes['passedOver'] = (aggregator, step, pair, err) => {
    log.warn({ aggregator, step, err }, 'aggregator passed over');
    sources.count([
      { pairClass: pairClassOf(hubs, pair), source: aggregator, outcome: 'failed', gainBps: 0 },
    ]);
  };
  return {
    programs: aggregators.flatMap(({ programs }) => programs),
    passedOver,
    compared: (pair, own, offers) => {
      if (offers.length === 0) return;
      const pairClass = pairClassOf(hubs, pair);
      const others = offers.map(({ aggregator, quote }) => ({
        source: aggregator.name,
        amountOut: quote.amountOut,
      }));
      sources.count(comparedSources(own, others).map((one) => ({ ...one, pairClass })));
    },
    offers: async (order) => {
      if (deps.majorsAlone && pairClassOf(hubs, order) !== 'major') return [];
      const answers = await Promise.all(
        aggregators.map(async (aggregator): Promise<Offer | null> => {
          try {
            const quote = await aggregator.quote(order);
            return quote === null ? null : { aggregator, quote };
          } catch (error) {
            passedOver(aggregator.name, 'quote', order, error);
            return null;
          }
        }),
      );
      return answers
        .flatMap((offer) => offer ?? [])
        .toSorted((a, b) =>
          a.quote.amountOut === b.quote.amountOut ? 0 : a.quote.amountOut > b.quote.amountOut ? -1 : 1,
        );
    },
    show: ({ aggregator, quote }, order, pools, slot) =>
      aggregatorRoute(deps.programs, order, { aggregator, ...quote }, { pools, slot, swap: null }),
    build: async ({ aggregator, quote }, order, trade) => {
      try {
        const swap = await takeOver(deps, { aggregator, quote }, order, trade);
        return aggregatorRoute(
          deps.programs,
          order,
          { aggregator, ...quote },
          { pools: trade.pools, slot: swap.slot, swap },
        );
      } catch (error) {
        passedOver(aggregator.name, 'build', order, error);
        return null;
      }
    },
  };
}

async function takeOver(
  { chain, programs }: AggregatorQuotesDeps,
  { aggregator, quote }: Offer,
  order: AggregatorOrder,
  { user, tokenIn, tokenOut }: AggregatorTrade,
): Promise<AggregatorSwap> {
  const source = programs.associatedTokenAddress(user, tokenIn.mint, tokenIn.tokenProgram);
  const destination = programs.associatedTokenAddress(user, tokenOut.mint, tokenOut.tokenProgram);
  const answer = await quote.build({ user, source, destination });
  const { instructions, lookupTables } = await resolved(chain, answer, user);
  const swaps = takeAggregatorSwap(instructions, {
    ...order,
    user,
    source,
    destination,
    programs: aggregator.programs,
  });
  const written = [
    ...new Set(
      swaps.flatMap(({ accounts }) => accounts.filter((meta) => meta.writable).map((meta) => meta.address)),
    ),
  ];
  const { accounts, slot } = await chain.accounts([source, destination, ...written]);
  for (const [index, address] of written.entries()) {
    const state = accounts[index + 2] ?? null;
    if (address === source || address === destination || state === null) continue;
    if (readTokenAccount(state)?.owner === user) throw new AggregatorSwapError('other-account');
  }
  return {
    swaps,
    lookupTables,
    source,
    destination,
    heldIn: unitsHeld(accounts[0] ?? null),
    heldOut: unitsHeld(accounts[1] ?? null),
    tokenIn,
    tokenOut,
    slot,
  };
}

async function resolved(
  chain: Pick<Chain, 'accounts'>,
  answer: AggregatorTransaction,
  user: Address,
): Promise<{ readonly instructions: readonly Instruction[]; readonly lookupTables: readonly LookupTable[] }> {
  if (answer.kind === 'instructions') {
    return { instructions: answer.instructions, lookupTables: await readTables(chain, answer.lookupTables) };
  }
  const lookupTables = await readTables(chain, lookupTablesOf(answer.bytes));
  const { signers, instructions } = decodeMessage(answer.bytes, lookupTables);
  if (signers.length !== 1 || signers[0] !== user) throw new AggregatorSwapError('signer');
  return { instructions, lookupTables };
}

async function readTables(
  chain: Pick<Chain, 'accounts'>,
  addresses: readonly Address[],
): Promise<readonly LookupTable[]> {
  if (addresses.length === 0) return [];
  const { accounts, slot } = await chain.accounts(addresses);
  return addresses.map((address, index) => {
    const account = accounts[index] ?? null;
    const table = account === null ? null : readLookupTable(address, account, slot);
    if (table === null) throw new AggregatorSwapError('lookup-table');
    return table;
  });
}
