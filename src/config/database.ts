import { z } from 'zod';
import { clickHouseUrl, databaseUrl, list, url } from './fields.ts';

/** Where rows and jobs are kept. */
export const databaseVariables = {
  TAPE_DATABASE_URL: databaseUrl.optional(),
  CLICKHOUSE_URL: clickHouseUrl.optional(),
  DATABASE_URL: databaseUrl.optional(),
  SCRATCH_DATABASE_URL: databaseUrl.optional(),
  POSTGRES_PASSWORD: z.string().optional(),
  DATABASE_ROLES: z.enum(['own', 'one']).optional(),
  POSTGRES_HA: z.enum(['off', 'sync']).default('off'),
  POSTGRES_READ_REPLICAS: list(
    z.string().regex(/^[\w-]{1,63}$/, { error: 'expected names of replicas' }),
  ).optional(),
  REDIS_URL: url(['redis:', 'rediss:'], 'redis://host:6379').optional(),
};
