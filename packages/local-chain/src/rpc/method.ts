import type { LocalChain } from '../chain.ts';
import type { Faucet } from '../faucet.ts';
import type { Params } from './params.ts';

export type RpcContext = {
  readonly chain: LocalChain;
  readonly faucet: Faucet;
  readonly genesisHash: string;
  readonly identity: string;
};

/** Answers one call; throws RpcError to refuse it. Bigints in the answer become JSON numbers. */
export type Method = (params: Params, context: RpcContext) => unknown;
export type Methods = Readonly<Record<string, Method>>;
