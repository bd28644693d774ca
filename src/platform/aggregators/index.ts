import type { Address } from '@tradepost/solana';
import type { Aggregator } from '../ports/aggregator.ts';
import type { Chain } from '../ports/chain.ts';
import type { Clock } from '../ports/clock.ts';
import { createJupiter } from './jupiter/index.ts';
import { createOkx } from './okx/index.ts';
import type { OkxKeys } from './okx/sign-request.ts';
import { createRaydium } from './raydium/index.ts';
import { createBreaker } from './shared/breaker.ts';
import type { ClientOptions } from './shared/client.ts';

/** Those that the operator switched on; null = off. A new one is a folder and a line here. */
export type AggregatorOptions = {
  /** True: the operator named none, so one may be absent. */
  readonly majorsAlone: boolean;
  readonly timeoutMs: number;
  readonly jupiter: { readonly url: string; readonly apiKey: string | null } | null;
  readonly okx: { readonly url: string; readonly keys: OkxKeys } | null;
  readonly raydium: { readonly url: string } | null;
};

const FAILURES = 3;
const OPEN_MS = 30_000;

/**
 * The configured aggregators whose programs the cluster has, asked once: on another cluster than theirs they could only answer with
 * transactions that fail. Those left out are reported. Throws CHAIN_UNREACHABLE.
 */
export async function openAggregators(
  options: AggregatorOptions,
  deps: {
    readonly chain: Pick<Chain, 'accounts'>;
    readonly clock: Clock;
    readonly onAbsent: (name: string) => void;
  },
): Promise<readonly Aggregator[]> {
  const wanted = configured(options, deps.clock);
  if (wanted.length === 0) return [];
  const present = await Promise.all(
    wanted.map(async (aggregator) => {
      const { accounts } = await deps.chain.accounts(aggregator.programs);
      const programs = aggregator.programs.filter((_, index) => accounts[index]?.executable === true);
      if (programs.length === 0) deps.onAbsent(aggregator.name);
      return { ...aggregator, programs };
    }),
  );
  return present.filter(({ programs }) => programs.length > 0);
}

/** The programs of those that are switched on, whether or not the cluster has them: makes no call. */
export function aggregatorPrograms(options: AggregatorOptions): readonly Address[] {
  return configured(options, { now: () => 0 }).flatMap(({ programs }) => programs);
}

function configured(options: AggregatorOptions, clock: Clock): readonly Aggregator[] {
  const client = (url: string): ClientOptions => ({
    baseUrl: url.replace(/\/+$/, ''),
    timeoutMs: options.timeoutMs,
    breaker: createBreaker({ clock, failures: FAILURES, openMs: OPEN_MS }),
  });
  const { jupiter, okx, raydium } = options;
  return [
    ...(jupiter === null ? [] : [createJupiter({ ...client(jupiter.url), apiKey: jupiter.apiKey })]),
    ...(okx === null ? [] : [createOkx({ ...client(okx.url), keys: okx.keys, clock })]),
    ...(raydium === null ? [] : [createRaydium(client(raydium.url))]),
  ];
}
