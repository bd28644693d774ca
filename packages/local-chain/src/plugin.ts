import type { Address } from './address.ts';
import type { LocalChain } from './chain.ts';
import type { World, WorldToken } from './genesis/world.ts';

/** The tools of a plug-in while the chain is made. */
export type Genesis = {
  /** `deriveKey` makes the plug-in's keys from it. */
  readonly seed: Uint8Array;
  readonly tokens: readonly WorldToken[];
  /**
   * Puts `units` of a token of the world into the owner's associated account, or that much wrapped SOL, and answers that
   * account. Taken from the token's supply; throws when there is less left of it.
   */
  readonly give: (owner: Address, mint: Address, units: bigint) => Address;
};

export type PluginContext<Kept> = {
  readonly chain: Pick<LocalChain, 'account' | 'slots'>;
  readonly seed: Uint8Array;
  /** Where the chain lives on, for files of the plug-in's own; undefined in memory. */
  readonly dir: string | undefined;
  readonly world: World & Kept;
};

export type PluginAnswer = { readonly status: number; readonly body: unknown };

/** `GET path` or `POST path` → its answer, served as JSON. `body` is the text of the request, empty for GET. */
export type PluginRoutes = Readonly<Record<string, (body: string) => PluginAnswer>>;

/**
 * Something that lives on the chain from its first block and may answer beside the RPC: an exchange that signs for its
 * pools, a faucet with rules of its own. A chain has one or none, from its genesis on.
 */
export type ChainPlugin<Kept extends object = object> = {
  /** Letters, digits and dashes. Its routes are served under `/<name>/`. */
  readonly name: string;
  /** Called once in a chain's life. Its result becomes part of `world` and is kept with the chain's state. */
  readonly genesis: (genesis: Genesis) => Kept;
  /** Called at every start, before the chain serves. */
  readonly open: (context: PluginContext<Kept>) => PluginRoutes;
};
