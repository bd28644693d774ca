import { deriveKey, seedOf, startLocalChain } from '@tradepost/local-chain';
import { expect, it, onTestFinished } from 'vitest';
import { address } from '../../../src/core/address/address.ts';
import { createRpcChain } from '../../../src/platform/chain/rpc-chain.ts';

it('finds what a wallet holds where a node cuts the list of its accounts', async () => {
  const running = await startLocalChain({ slotMs: 0, seed: 'cut', wsPort: null, faults: {} });
  onTestFinished(() => running.stop());
  const owner = address(deriveKey(seedOf('cut'), 'treasury').address);
  const mint = address(running.world.tokens[0]?.mint ?? '');
  const chain = createRpcChain({ urls: [running.rpcUrl] });
  const whole = await chain.holding(owner, mint);
  expect(whole.amount).toBeGreaterThan(0n);
  running.faults?.setPlan({ rules: [{ kind: 'truncate' }] });
  expect(await chain.holding(owner, mint)).toEqual(whole);
});
