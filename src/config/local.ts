import { z } from 'zod';
import type { Environment } from './environment.ts';
import { integer, port } from './fields.ts';

export type LocalConfig = {
  readonly dir: string;
  /** The file of a world that runs in a process of its own; null = the stand-ins are started here. */
  readonly world: string | null;
  /** Whether the embedded database may hold the keys of a mainnet. */
  readonly mayHoldRealKeys: boolean;
  readonly chatPort: number;
  readonly chainPort: number;
  /** Null: as on the network. */
  readonly slotMs: number | null;
  /** The network that the local chain is like; null: that of its folder. */
  readonly network: '2025' | 'mainnet-2026-11' | null;
  readonly programsDir: string | null;
  /** The kind of provider that the local chain plays; null: a node without faults. */
  readonly provider: (typeof PROVIDERS)[number] | null;
};

const PROVIDERS = ['public', 'free', 'paid', 'hostile'] as const;

/** The stand-ins of a first start. */
export const localVariables = {
  LOCAL_DIR: z.string().min(1).default('.local'),
  LOCAL_WORLD: z.string().min(1).optional(),
  EMBEDDED_DATABASE: z.literal('real-keys-here', { error: 'expected real-keys-here, or nothing' }).optional(),
  CHAT_PORT: port.default(4400),
  LOCALNET_PORT: port.default(4401),
  LOCALNET_SLOT_MS: integer(10, 10_000).optional(),
  LOCALNET_NETWORK: z.enum(['2025', 'mainnet-2026-11']).optional(),
  LOCALNET_PROGRAMS_DIR: z.string().min(1).optional(),
  LOCALNET_PROVIDER: z.enum(PROVIDERS).optional(),
};

/** The stand-ins as the environment sets them. */
export function localConfig(env: Environment): LocalConfig {
  return {
    dir: env.LOCAL_DIR,
    world: env.LOCAL_WORLD ?? null,
    mayHoldRealKeys: env.EMBEDDED_DATABASE !== undefined,
    chatPort: env.CHAT_PORT,
    chainPort: env.LOCALNET_PORT,
    slotMs: env.LOCALNET_SLOT_MS ?? null,
    network: env.LOCALNET_NETWORK ?? null,
    programsDir: env.LOCALNET_PROGRAMS_DIR ?? null,
    provider: env.LOCALNET_PROVIDER ?? null,
  };
}
