import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

/** What `docker compose config` would insist on, for the parts of the format that this file uses. */
const service = z.strictObject({
  image: z.string().optional(),
  build: z.string().optional(),
  profiles: z.array(z.string()).optional(),
  restart: z.enum(['unless-stopped', 'always', 'on-failure', 'no']),
  init: z.literal(true),
  logging: z.strictObject({ driver: z.string(), options: z.record(z.string(), z.string()) }),
  user: z
    .string()
    .regex(/^\d+:\d+$/)
    .optional(),
  group_add: z.array(z.string().regex(/^\d+$/)).optional(),
  env_file: z.string().optional(),
  environment: z.record(z.string(), z.string()).optional(),
  entrypoint: z.array(z.string()).optional(),
  command: z.array(z.string()).optional(),
  ports: z.array(z.string().regex(/^(\d+\.\d+\.\d+\.\d+:)?\d+:\d+$/)).optional(),
  volumes: z.array(z.string().regex(/^[\w./-]+:[\w./-]+(:ro)?$/)).optional(),
  secrets: z.array(z.string()).optional(),
  depends_on: z
    .record(
      z.string(),
      z.strictObject({ condition: z.enum(['service_healthy', 'service_completed_successfully']) }),
    )
    .optional(),
  healthcheck: z
    .union([
      z.strictObject({ disable: z.literal(true) }),
      z.strictObject({
        test: z.array(z.string()).min(2),
        interval: z.string().regex(/^\d+[sh]$/),
        timeout: z.string().regex(/^\d+s$/),
        retries: z.number().int().positive(),
        start_period: z
          .string()
          .regex(/^\d+s$/)
          .optional(),
      }),
    ])
    .optional(),
  read_only: z.boolean().optional(),
  tmpfs: z.array(z.string()).optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
  ulimits: z.record(z.string(), z.number()).optional(),
  shm_size: z.string().optional(),
  cpus: z.number().optional(),
  mem_limit: z.string().regex(/^\d+[mg]$/),
  stop_grace_period: z
    .string()
    .regex(/^\d+s$/)
    .optional(),
});
const composeFile = z.looseObject({
  name: z.string(),
  services: z.record(z.string(), service),
  volumes: z.record(z.string(), z.null()),
  secrets: z.record(z.string(), z.strictObject({ file: z.string() })),
});

export type ComposeFile = z.infer<typeof composeFile>;

/**
 * A compose file with its anchors merged, `docker-compose.yml` unless another is named. Its variables are filled in where some are given.
 * Throws where it has a form that is not known here, and for a needed variable that is not given.
 */
export function readCompose(
  path = 'docker-compose.yml',
  variables: Readonly<Record<string, string>> | null = null,
): ComposeFile {
  const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  if (variables === null) return composeFile.parse(parse(text, { merge: true }));
  const filled = text.replace(
    /\$\{([A-Z_]+)(:-|:\?)?([^}]*)\}/g,
    (_, name: string, how: string, word: string) => {
      const value = variables[name];
      if (value === undefined && how !== ':-') throw new Error(`${path} needs ${name}: ${word}`);
      return value ?? word;
    },
  );
  return composeFile.parse(parse(filled, { merge: true }));
}
