import { z } from 'zod';
import type { Environment } from './environment.ts';
import { hexKey, integer, list, port } from './fields.ts';

export type ApiConfig = {
  /** Address that both hosts listen on. */
  readonly host: string;
  readonly openPort: number;
  readonly proPort: number;
  /** Requests per second that a key's stated volume leads to at most. */
  readonly keyMaxRate: number;
  /** Keyed hash of API keys, as hexadecimal digits; null = a file beside the embedded database, or no pro host. */
  readonly keySecret: string | null;
  /** Which transactions are submitted for callers; on the open host never more than those built here. */
  readonly submit: 'off' | 'own' | 'any';
  /** Open host: sustained requests per second of one IP address, and how many at once. */
  readonly ratePerSecond: number;
  /** Pools that were read longer ago are read again before a route is chosen. */
  readonly quoteMaxAgeMs: number;
  readonly burst: number;
  /** Proxies whose `x-forwarded-for` is believed beside those on loopback and private addresses. */
  readonly trustedProxies: readonly string[];
};

/** The hosts of the REST API. */
export const apiVariables = {
  API_HOST: z.string().min(1).optional(),
  API_PORT: port.default(4403),
  PRO_API_PORT: port.default(4404),
  API_KEY_SECRET: hexKey.optional(),
  API_RATE_PER_SECOND: integer(1, 100_000).default(1),
  API_RATE_BURST: integer(1, 100_000).default(2),
  SUBMIT: z.enum(['off', 'own', 'any']).default('any'),
  API_KEY_MAX_RATE: integer(1, 100_000).default(50),
  QUOTE_MAX_AGE_MS: integer(0, 60_000).default(2_000),
  TRUST_PROXY: list(
    z
      .string()
      .regex(/^[0-9a-fA-F.:]+(\/\d{1,3})?$/, { error: 'expected addresses or CIDR ranges of your proxies' }),
  ).optional(),
};

/** The hosts of the REST API as the environment sets them. */
export function apiConfig(env: Environment): ApiConfig {
  return {
    host: env.API_HOST ?? (env.NODE_ENV === 'production' ? '0.0.0.0' : '127.0.0.1'),
    openPort: env.API_PORT,
    proPort: env.PRO_API_PORT,
    keySecret: env.API_KEY_SECRET ?? null,
    submit: env.SUBMIT,
    keyMaxRate: env.API_KEY_MAX_RATE,
    ratePerSecond: env.API_RATE_PER_SECOND,
    quoteMaxAgeMs: env.QUOTE_MAX_AGE_MS,
    burst: env.API_RATE_BURST,
    trustedProxies: env.TRUST_PROXY ?? [],
  };
}
