import { AppError } from '../../core/errors/app-error.ts';
import type { NetworkPin } from '../ports/network-pin.ts';
import { createNodePost } from './node-post.ts';

const TIMEOUT_MS = 5_000;
const GENESIS_MS = 60_000;

type Call = (method: string, params: readonly unknown[]) => Promise<unknown>;
export type Node = { readonly host: string; readonly call: Call };

/** One node per host: two keys of one provider are one witness. */
export function nodesOf(urls: readonly string[]): readonly Node[] {
  const byHost = new Map<string, Node>();
  for (const url of urls) {
    const { host } = new URL(url);
    if (byHost.has(host)) continue;
    const post = createNodePost(url, TIMEOUT_MS);
    byHost.set(host, {
      host,
      call: async (method, params) => {
        const answer: unknown = JSON.parse(
          await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), method),
        );
        if (typeof answer !== 'object' || answer === null || !('result' in answer))
          throw new Error(`${host} refuses ${method}`);
        return answer.result;
      },
    });
  }
  return [...byHost.values()];
}

/** Throws for a node of another network than the remembered one, else than the first that said its own. */
export function sameNetwork(
  now: () => number,
  network: NetworkPin | null = null,
): (node: Node) => Promise<void> {
  const named = new Map<string, { readonly genesis: string; readonly at: number }>();
  let pinned: string | null = null;
  return async ({ host, call }) => {
    const known = named.get(host);
    if (known === undefined || now() - known.at > GENESIS_MS) {
      const genesis = await call('getGenesisHash', []);
      if (typeof genesis !== 'string') throw new Error(`${host} does not name its network`);
      const claimed = pinned ?? (await network?.claim(genesis)) ?? genesis;
      pinned ??= claimed;
      named.set(host, { genesis, at: now() });
    }
    if (named.get(host)?.genesis !== pinned) throw new Error(`${host} is of another network`);
  };
}

/** The genesis hash that the first of these nodes to answer names; null when none answers. */
export async function genesisOf(urls: readonly string[]): Promise<string | null> {
  for (const { call } of nodesOf(urls)) {
    const genesis = await call('getGenesisHash', []).catch(() => null);
    if (typeof genesis === 'string') return genesis;
  }
  return null;
}

/** The error where none of these nodes answered; `asker` names the part of the program that asked. */
export function unreachable(
  nodes: readonly Node[],
  cause: unknown,
  asker?: string,
): AppError<'CHAIN_UNREACHABLE'> {
  const endpoint = nodes.map(({ host }) => host).join(', ');
  const words = asker === undefined ? 'no node answered' : `no node answered ${asker}`;
  return new AppError('CHAIN_UNREACHABLE', { endpoint, cause: words }, { cause });
}
