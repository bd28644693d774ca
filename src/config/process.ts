import { z } from 'zod';
import { list, port } from './fields.ts';

/** The roles of a desk's processes. All shared state is in Postgres and the queue, so roles can run together or apart. */
export const ROLES = ['bot', 'worker', 'api', 'indexer', 'signer'] as const;

/** Those, and the witness, which keeps a copy of the signer's journal on another machine, without a database. */
export const ALL_ROLES = [...ROLES, 'witness'] as const;

export type Role = (typeof ALL_ROLES)[number];

/** The default roles of one process: all, with the keys in it. */
const DEFAULT_ROLES: readonly Role[] = ['bot', 'worker', 'api', 'indexer'];

/** The identity and the work of a process. */
export const processVariables = {
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  /** Names of other programs that look like ours. */
  TRADEPOST_ALLOW_ENV: list(
    z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: 'expected names of variables' }),
  ).optional(),
  ROLES: list(z.enum(ALL_ROLES)).default([...DEFAULT_ROLES]),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).optional(),
  HEALTH_HOST: z.string().min(1).default('127.0.0.1'),
  HEALTH_PORT: port.optional(),
};
