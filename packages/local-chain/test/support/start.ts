import { Connection, type Keypair, LAMPORTS_PER_SOL } from '@solana/web3.js';
import { onTestFinished } from 'vitest';
import {
  associatedAccount,
  deriveKey,
  type LocalChainOptions,
  type RunningChain,
  seedOf,
  startLocalChain,
} from '../../src/index.ts';
import { TOKEN_PROGRAM } from '../../src/programs.ts';

/** How this repository's TypeScript is run in a process of its own. */
export const LOADER = new URL('../../../../scripts/register.mjs', import.meta.url).href;

/** A chain whose slots open only when the test says so; stopped when the test ends. */
export async function manualChain(options: LocalChainOptions = {}): Promise<RunningChain> {
  return started({ slotMs: 0, ...options });
}

/** A chain that opens a slot every 20 ms. */
export async function quickChain(options: LocalChainOptions = {}): Promise<RunningChain> {
  return started({ slotMs: 20, ...options });
}

async function started(options: LocalChainOptions): Promise<RunningChain> {
  const running = await startLocalChain({ seed: 'test', wsPort: null, ...options });
  onTestFinished(() => running.stop());
  return running;
}

/** The foreign client. Without `wsUrl` being opened it never touches a socket. */
export function web3(running: RunningChain): Connection {
  return new Connection(running.rpcUrl, { commitment: 'processed', wsEndpoint: running.wsUrl });
}

/** The wallet that genesis left all tokens with, and its accounts of plain SPL tokens. */
export function treasury(running: RunningChain) {
  const owner = deriveKey(seedOf('test'), 'treasury').address;
  const plain = running.world.tokens.filter(({ program }) => program === TOKEN_PROGRAM);
  const accounts = plain.map(({ mint, program }) => associatedAccount(mint, owner, program));
  const [account, mint] = [accounts[0], plain[0]?.mint];
  if (account === undefined || mint === undefined) throw new Error('the world has no plain token');
  return { owner, mint, account, accounts };
}

/** Funds an account and settles it past finality on a manual chain. */
export async function fund(running: RunningChain, key: Keypair, sol = 10): Promise<void> {
  await web3(running).requestAirdrop(key.publicKey, sol * LAMPORTS_PER_SOL);
  running.advanceSlots(33);
}

/** The members that tests look at; each is there or not as the call went. */
export type Answer = {
  readonly result: { readonly value: { readonly err: unknown } };
  readonly error: {
    readonly code: number;
    readonly message: string;
    readonly data: { readonly logs: string[] };
  };
};

/** One raw JSON-RPC call: the whole answer, as a client without a library would see it. */
export async function rpc(running: RunningChain, method: string, ...params: unknown[]): Promise<Answer> {
  const response = await fetch(running.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return (await response.json()) as Answer;
}
