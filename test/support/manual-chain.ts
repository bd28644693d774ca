import { Connection, type Keypair, LAMPORTS_PER_SOL } from '@solana/web3.js';
import { type RunningChain, startLocalChain } from '@tradepost/local-chain';
import { onTestFinished } from 'vitest';

/** A chain whose slots open only when the test says so; stopped when the test ends. */
export async function manualChain(): Promise<RunningChain> {
  const running = await startLocalChain({ seed: 'test', wsPort: null, slotMs: 0 });
  onTestFinished(() => running.stop());
  return running;
}

export function web3(running: RunningChain): Connection {
  return new Connection(running.rpcUrl, { commitment: 'processed', wsEndpoint: running.wsUrl });
}

/** Funds an account and settles it past finality. */
export async function fund(running: RunningChain, key: Keypair): Promise<void> {
  await web3(running).requestAirdrop(key.publicKey, 10 * LAMPORTS_PER_SOL);
  running.advanceSlots(33);
}
