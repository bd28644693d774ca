import { z } from 'zod';
import type { Environment } from './environment.ts';
import { integer, publicUrl, url } from './fields.ts';

export type MetadataConfig = {
  /** Where people on the Internet reach the open host, without a slash at the end; null = not set. */
  readonly publicUrl: string | null;
  readonly picturesMaxBytes: number;
  /** A node or pinning service that speaks Kubo's RPC; null = files are served by us alone. */
  readonly ipfs: {
    readonly apiUrl: string;
    readonly token: string | null;
    /** Tokens point at `<gateway>/ipfs/<cid>`; null = at `ipfs://<cid>`. */
    readonly gatewayUrl: string | null;
  } | null;
};

/** Documents and pictures of tokens. */
export const metadataVariables = {
  PUBLIC_URL: publicUrl.optional(),
  PICTURES_MAX_MB: integer(1, 1_000_000).default(1_024),
  IPFS_API_URL: url(['https:', 'http:'], 'http://127.0.0.1:5001').optional(),
  IPFS_API_TOKEN: z.string().min(1).optional(),
  IPFS_GATEWAY_URL: publicUrl.optional(),
  SOURCE_URL: url(['https:'], 'https://github.com/you/tradepost').optional(),
};

/** Where documents and pictures are kept as the environment says. */
export function metadataConfig(env: Environment): MetadataConfig {
  return {
    publicUrl: env.PUBLIC_URL ?? null,
    picturesMaxBytes: env.PICTURES_MAX_MB * 1_048_576,
    ipfs:
      env.IPFS_API_URL === undefined
        ? null
        : {
            apiUrl: env.IPFS_API_URL.replace(/\/+$/, ''),
            token: env.IPFS_API_TOKEN ?? null,
            gatewayUrl: env.IPFS_GATEWAY_URL ?? null,
          },
  };
}
