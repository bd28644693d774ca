import type { Address } from '@tradepost/solana';
import { ageAt } from '../../../core/time/age.ts';

/** One trader's trades of one token in a window, in dollars. */
export type TraderFlow = {
  readonly mint: Address;
  /** The trader behind the wallet, as far as is known: several wallets of one person are one trader. */
  readonly person: string;
  readonly buyUsd: number;
  readonly sellUsd: number;
  /** Unix seconds of the first of these trades: a later one makes nothing fresh again. */
  readonly firstAt: number;
  /** The wallet has never traded another token here. */
  readonly onlyMint: boolean;
};

export type TrendRules = {
  /** Unix seconds. */
  readonly now: number;
  readonly windowSeconds: number;
  /** Of the token's pools that count. */
  readonly liquidityUsd: (mint: Address) => number;
};

export type Trend = {
  readonly mint: Address;
  readonly score: number;
  /** Traders, each once, of any weight. */
  readonly traders: number;
  /** Bought and sold. */
  readonly volumeUsd: number;
  /** Bought less sold. */
  readonly netUsd: number;
};

/** A trader who has moved less than this is no whole trader. */
const WHOLE_TRADER_USD = 5;
/** Of a trader who has traded nothing else here: wallets cost nothing. */
const FRESH_SHARE = 0.25;
/** One trader counts as so many of the one in the middle at most. */
const MAX_OF_MEDIAN = 3;
const MAX_OF_LIQUIDITY = 0.01;
const VOLUME_UNIT_USD = 100;
/** Less than this is left of trades that cancel each other out, through rounding and fees alone. */
const NOTHING_USD = 0.01;

/**
 * Tokens by how many people moved into or out of them, the highest score first; those without one are left out. A trader weighs by the net
 * of their trades. Buying and selling the same amount nets to nothing, however often it is done, and never raises a score. The same flows
 * give the same order.
 */
export function trendingTokens(flows: readonly TraderFlow[], rules: TrendRules): readonly Trend[] {
  return [...peopleByMint(flows)]
    .map(([mint, people]) => trendOf(mint, people, rules))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || (a.mint < b.mint ? -1 : 1));
}

function peopleByMint(flows: readonly TraderFlow[]): ReadonlyMap<Address, readonly TraderFlow[]> {
  const byMint = new Map<Address, Map<string, TraderFlow>>();
  // Sums of doubles depend on their order.
  for (const flow of flows.toSorted(compareFlows)) {
    const people = byMint.get(flow.mint) ?? new Map<string, TraderFlow>();
    byMint.set(flow.mint, people);
    const known = people.get(flow.person);
    people.set(flow.person, known === undefined ? flow : together(known, flow));
  }
  return new Map([...byMint].map(([mint, people]) => [mint, [...people.values()]]));
}

function compareFlows(a: TraderFlow, b: TraderFlow): number {
  if (a.person !== b.person) return a.person < b.person ? -1 : 1;
  return a.buyUsd - b.buyUsd || a.sellUsd - b.sellUsd;
}

function together(a: TraderFlow, b: TraderFlow): TraderFlow {
  return {
    ...a,
    buyUsd: a.buyUsd + b.buyUsd,
    sellUsd: a.sellUsd + b.sellUsd,
    firstAt: Math.min(a.firstAt, b.firstAt),
    onlyMint: a.onlyMint && b.onlyMint,
  };
}

function trendOf(mint: Address, people: readonly TraderFlow[], rules: TrendRules): Trend {
  const weight = people.reduce((sum, person) => sum + weightOf(person, rules), 0);
  const nets = people.map(netOf).filter((net) => net > 0);
  const most = Math.min(
    MAX_OF_MEDIAN * medianOf(nets),
    MAX_OF_LIQUIDITY * Math.max(0, rules.liquidityUsd(mint)),
  );
  const moved = nets.reduce((sum, net) => sum + Math.min(net, most), 0);
  return {
    mint,
    score: weight * Math.log2(1 + moved / VOLUME_UNIT_USD),
    traders: people.length,
    volumeUsd: people.reduce((sum, { buyUsd, sellUsd }) => sum + buyUsd + sellUsd, 0),
    netUsd: people.reduce((sum, { buyUsd, sellUsd }) => sum + buyUsd - sellUsd, 0),
  };
}

/** At most 1; at most a quarter for a wallet that is here for this token alone. */
function weightOf(person: TraderFlow, { now, windowSeconds }: TrendRules): number {
  const gross = person.buyUsd + person.sellUsd;
  const net = netOf(person);
  if (net === 0) return 0;
  const age = ageAt(person.firstAt, now);
  return (
    Math.min(1, net / WHOLE_TRADER_USD) *
    Math.sqrt(net / gross) *
    (person.onlyMint ? FRESH_SHARE : 1) *
    2 ** (-age / (windowSeconds / 2))
  );
}

function netOf({ buyUsd, sellUsd }: TraderFlow): number {
  const net = Math.abs(buyUsd - sellUsd);
  return net < NOTHING_USD ? 0 : net;
}

/** The lower of the two in the middle; 0 of none. */
function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0;
}
