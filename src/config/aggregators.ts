import { z } from 'zod';
import type { Environment } from './environment.ts';
import { integer, list, url } from './fields.ts';

/** Other people's routers that may be asked. */
export const AGGREGATORS = ['jupiter', 'okx', 'raydium'] as const;

/** Alone: those that answer without a key and those with one, for majors; or none. */
const ALONE = ['auto', 'off'] as const;

/** Aggregators that are switched on; null = off. */
export type AggregatorConfig = {
  /** True: the operator named none. They are asked for pairs of major tokens alone, and may be absent from the cluster. */
  readonly majorsAlone: boolean;
  /** The most one request may take. */
  readonly timeoutMs: number;
  readonly jupiter: { readonly url: string; readonly apiKey: string | null } | null;
  readonly okx: {
    readonly url: string;
    readonly keys: { readonly apiKey: string; readonly secretKey: string; readonly passphrase: string };
  } | null;
  readonly raydium: { readonly url: string } | null;
};

/** Other people's routers. */
export const aggregatorsVariables = {
  AGGREGATORS: list(z.enum([...AGGREGATORS, ...ALONE])).default(['auto']),
  AGGREGATOR_TIMEOUT_MS: integer(100, 10_000).optional(),
  JUPITER_API_URL: url(['https:', 'http:'], 'https://api.jup.ag/swap/v1').optional(),
  JUPITER_API_KEY: z.string().min(1).optional(),
  OKX_API_URL: url(['https:', 'http:'], 'https://web3.okx.com').default('https://web3.okx.com'),
  OKX_API_KEY: z.string().min(1).optional(),
  OKX_SECRET_KEY: z.string().min(1).optional(),
  OKX_PASSPHRASE: z.string().min(1).optional(),
  RAYDIUM_API_URL: url(['https:', 'http:'], 'https://transaction-v1.raydium.io').default(
    'https://transaction-v1.raydium.io',
  ),
};

const JUPITER_KEYLESS = 'https://lite-api.jup.ag/swap/v1';

const JUPITER_KEYED = 'https://api.jup.ag/swap/v1';

/** A person waits for the answer of an aggregator that the operator did not name no longer than this. */
const AUTO_TIMEOUT_MS = 400;

const NAMED_TIMEOUT_MS = 1_500;

export function aggregatorProblems(env: Environment): string[] {
  const alone = ALONE.find((word) => env.AGGREGATORS.includes(word));
  if (alone !== undefined && env.AGGREGATORS.length > 1)
    return [
      `AGGREGATORS: "${alone}" goes alone. Name aggregators instead, like jupiter,raydium, or leave the others out.`,
    ];
  if (!env.AGGREGATORS.includes('okx')) return [];
  return (['OKX_API_KEY', 'OKX_SECRET_KEY', 'OKX_PASSPHRASE'] as const)
    .filter((name) => env[name] === undefined)
    .map((name) => `${name}: missing. AGGREGATORS=okx needs the key, its secret and its passphrase.`);
}

export function aggregatorConfig(env: Environment): AggregatorConfig {
  const { OKX_API_KEY: apiKey, OKX_SECRET_KEY: secretKey, OKX_PASSPHRASE: passphrase } = env;
  const keys =
    apiKey !== undefined && secretKey !== undefined && passphrase !== undefined
      ? { apiKey, secretKey, passphrase }
      : null;
  const jupiterKey = env.JUPITER_API_KEY ?? null;
  const isAuto = env.AGGREGATORS.includes('auto');
  /** Without being named, the ones that answer as they are configured. */
  const on = (name: (typeof AGGREGATORS)[number], answers: boolean): boolean =>
    isAuto ? answers : env.AGGREGATORS.includes(name);
  return {
    majorsAlone: isAuto,
    timeoutMs: env.AGGREGATOR_TIMEOUT_MS ?? (isAuto ? AUTO_TIMEOUT_MS : NAMED_TIMEOUT_MS),
    jupiter: on('jupiter', jupiterKey !== null)
      ? {
          url: env.JUPITER_API_URL ?? (jupiterKey === null ? JUPITER_KEYLESS : JUPITER_KEYED),
          apiKey: jupiterKey,
        }
      : null,
    okx: on('okx', keys !== null) && keys !== null ? { url: env.OKX_API_URL, keys } : null,
    raydium: on('raydium', true) ? { url: env.RAYDIUM_API_URL } : null,
  };
}
