import { z } from 'zod';
import type { Environment } from './environment.ts';
import { integer, list, url } from './fields.ts';

/** Other people's routers that may be asked. */
export const AGGREGATORS = ['jupiter', 'okx', 'raydium'] as const;

/** Aggregators that are switched on; null = off. */
export type AggregatorConfig = {
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
  AGGREGATORS: list(z.enum(AGGREGATORS)).optional(),
  AGGREGATOR_TIMEOUT_MS: integer(100, 10_000).default(1_500),
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

export function aggregatorProblems(env: Environment): string[] {
  if (env.AGGREGATORS?.includes('okx') !== true) return [];
  return (['OKX_API_KEY', 'OKX_SECRET_KEY', 'OKX_PASSPHRASE'] as const)
    .filter((name) => env[name] === undefined)
    .map((name) => `${name}: missing. AGGREGATORS=okx needs the key, its secret and its passphrase.`);
}

export function aggregatorConfig(env: Environment): AggregatorConfig {
  const on = new Set(env.AGGREGATORS);
  const { OKX_API_KEY: apiKey, OKX_SECRET_KEY: secretKey, OKX_PASSPHRASE: passphrase } = env;
  const hasKeys = apiKey !== undefined && secretKey !== undefined && passphrase !== undefined;
  const jupiterKey = env.JUPITER_API_KEY ?? null;
  return {
    timeoutMs: env.AGGREGATOR_TIMEOUT_MS,
    jupiter: on.has('jupiter')
      ? {
          url: env.JUPITER_API_URL ?? (jupiterKey === null ? JUPITER_KEYLESS : JUPITER_KEYED),
          apiKey: jupiterKey,
        }
      : null,
    okx: on.has('okx') && hasKeys ? { url: env.OKX_API_URL, keys: { apiKey, secretKey, passphrase } } : null,
    raydium: on.has('raydium') ? { url: env.RAYDIUM_API_URL } : null,
  };
}
