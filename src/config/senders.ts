import { z } from 'zod';
import { address } from '../core/address/address.ts';
import type { SenderSettings } from '../platform/ports/sender.ts';
import type { Environment } from './environment.ts';
import { addressText, integer, list, url } from './fields.ts';

export const sendersVariables = {
  JITO_URL: url(['http:', 'https:'], 'https://mainnet.block-engine.jito.wtf').optional(),
  JITO_TIP_FLOOR_URL: url(
    ['http:', 'https:'],
    'https://bundles.jito.wtf/api/v1/bundles/tip_floor',
  ).optional(),
  JITO_MIN_TIP_LAMPORTS: integer(1_000, 100_000_000).default(1_000),
  SENDER_URL: url(['http:', 'https:'], 'https://sender.helius-rpc.com/fast').optional(),
  SENDER_TIP_ACCOUNTS: list(addressText).optional(),
  SENDER_MIN_TIP_LAMPORTS: integer(1_000, 100_000_000).default(1_000_000),
  SENDERS_FILE: z.string().min(1).optional(),
  TIP_CAP_LAMPORTS: integer(1_000, 1_000_000_000).default(5_000_000),
};

export function sendersConfig(env: Environment): SenderSettings {
  return {
    jito:
      env.JITO_URL === undefined
        ? null
        : {
            url: env.JITO_URL,
            floorUrl: env.JITO_TIP_FLOOR_URL ?? null,
            minTip: BigInt(env.JITO_MIN_TIP_LAMPORTS),
          },
    sender:
      env.SENDER_URL === undefined
        ? null
        : {
            url: env.SENDER_URL,
            minTip: BigInt(env.SENDER_MIN_TIP_LAMPORTS),
            tipAccounts: (env.SENDER_TIP_ACCOUNTS ?? []).map(address),
          },
    file: env.SENDERS_FILE ?? `${env.LOCAL_DIR}/senders.json`,
    tipCapLamports: BigInt(env.TIP_CAP_LAMPORTS),
  };
}

/** Settings that one another need. */
export function sendersProblems(env: Environment): readonly string[] {
  const least = Math.max(
    env.JITO_URL === undefined ? 0 : env.JITO_MIN_TIP_LAMPORTS,
    env.SENDER_URL === undefined ? 0 : env.SENDER_MIN_TIP_LAMPORTS,
  );
  return [
    ...(env.SENDER_URL !== undefined && env.SENDER_TIP_ACCOUNTS === undefined
      ? ['SENDER_TIP_ACCOUNTS is missing: expected the tip accounts that the provider of SENDER_URL prints']
      : []),
    ...(least > env.TIP_CAP_LAMPORTS
      ? [`TIP_CAP_LAMPORTS is below the least tip: expected ${least} or more`]
      : []),
  ];
}
