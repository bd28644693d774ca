import { Connection, type Keypair, LAMPORTS_PER_SOL } from '@solana/web3.js';
import type { LocalChainOptions, RunningChain } from '@tradepost/local-chain';
import { onTestFinished } from 'vitest';
import { type DeskChain, startDeskChain } from '../../src/local/desk/index.ts';

/** A chain with the desk whose slots open only when the test says so; stopped when the test ends. */
export async function manualDesk(
  options: Pick<LocalChainOptions, 'dir' | 'seed' | 'network'> = {},
): Promise<DeskChain> {
  const running = await startDeskChain({ seed: 'test', wsPort: null, slotMs: 0, ...options });
  onTestFinished(() => running.stop());
  return running;
}

export function web3(running: RunningChain): Connection {
  return new Connection(running.rpcUrl, { commitment: 'processed', wsEndpoint: running.wsUrl });
}

/** Funds an account and settles it past finality. */
export async function fund(running: RunningChain, key: Keypair, sol = 10): Promise<void> {
  await web3(running).requestAirdrop(key.publicKey, sol * LAMPORTS_PER_SOL);
  running.advanceSlots(33);
}
