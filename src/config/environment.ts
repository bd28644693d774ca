import { z } from 'zod';
import { aggregatorsVariables } from './aggregators.ts';
import { apiVariables } from './api.ts';
import { chainVariables } from './chain.ts';
import { databaseVariables } from './database.ts';
import { keysVariables } from './keys.ts';
import { localVariables } from './local.ts';
import { mailVariables } from './mail.ts';
import { marketVariables } from './market.ts';
import { metadataVariables } from './metadata.ts';
import { moneyVariables } from './money.ts';
import { processVariables } from './process.ts';
import { SECRET_VARIABLES } from './secret-files.ts';
import { sendersVariables } from './senders.ts';
import { telegramVariables } from './telegram.ts';

/**
 * Every variable the program reads, with its default. `.env.example` lists the same keys; a test compares the two.
 * An empty value counts as absent, so `KEY=` in an env file is harmless.
 */
export const ENVIRONMENT = z.object({
  ...processVariables,
  ...telegramVariables,
  ...chainVariables,
  ...sendersVariables,
  ...databaseVariables,
  ...keysVariables,
  ...apiVariables,
  ...marketVariables,
  ...mailVariables,
  ...metadataVariables,
  ...aggregatorsVariables,
  ...localVariables,
  ...moneyVariables,
  ...(Object.fromEntries(
    SECRET_VARIABLES.map((name) => [`${name}_FILE`, z.string().min(1).optional()]),
  ) as Record<`${(typeof SECRET_VARIABLES)[number]}_FILE`, z.ZodOptional<z.ZodString>>),
});

export type Environment = z.infer<typeof ENVIRONMENT>;
