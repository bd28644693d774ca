import { setTimeout as pause } from 'node:timers/promises';
import { Keypair, SystemProgram, Transaction } from '@solana/web3.js';
import type { RunningChain } from '@tradepost/local-chain';
import type { Address } from '@tradepost/solana';
import { expect, it, onTestFinished } from 'vitest';
import { address } from '../../../../src/core/address/address.ts';
import { openHotAccounts, webSocketUrl } from '../../../../src/platform/chain/hot/open-hot-accounts.ts';
import { createRpcChain } from '../../../../src/platform/chain/rpc-chain.ts';
import { rpcMeter } from '../../../../src/platform/chain/rpc-meter.ts';
import { fund, manualDesk, web3 } from '../../../support/manual-chain.ts';

const CLOCK = address('SysvarC1ock11111111111111111111111111111111');
const addressOf = (key: Keypair) => key.publicKey.toBase58() as Address;
const LOG = { debug: () => undefined, info: () => undefined, warn: () => undefined };

/** Two accounts that hand lamports to each other; a stranger pays the fees, so what they hold together never changes. */
async function pair(running: RunningChain) {
  const [payer, a, b] = [Keypair.generate(), Keypair.generate(), Keypair.generate()];
  for (const key of [payer, a, b]) await fund(running, key);
  const connection = web3(running);
  const keys = [addressOf(a), addressOf(b)] as const;
  return {
    keys,
    hand: async (lamports: number) => {
      const transaction = new Transaction().add(
        SystemProgram.transfer({ fromPubkey: a.publicKey, toPubkey: b.publicKey, lamports }),
      );
      await connection.sendTransaction(transaction, [payer, a]);
    },
  };
}

function open(
  running: RunningChain,
  options: { readonly wsUrl?: string; readonly maxAgeMs?: number; readonly onRead?: () => void } = {},
) {
  const rpc = createRpcChain({ urls: [running.rpcUrl] });
  const accounts: typeof rpc.accounts = (wanted) => {
    options.onRead?.();
    return rpc.accounts(wanted);
  };
  const chain = { slotMs: () => rpc.slotMs(), accounts };
  const hot = openHotAccounts(
    { wsUrls: [options.wsUrl ?? running.wsUrl], pools: 8, maxAgeMs: options.maxAgeMs ?? 60_000 },
    { rpcUrls: [running.rpcUrl], chain, clock: { now: () => Date.now() }, log: LOG },
  );
  if (hot === null) throw new Error('nothing was opened');
  onTestFinished(() => hot.close());
  return hot;
}

/** Opens slots until the accounts are served. */
async function served(running: RunningChain, hot: ReturnType<typeof open>, keys: readonly Address[]) {
  for (;;) {
    const snapshot = hot.snapshot(keys);
    if (snapshot !== null) return snapshot;
    running.advanceSlots(1);
    await pause(5);
  }
}

it('follows accounts over the local chain’s web socket: never one from before a transaction beside one from after', {
  timeout: 30_000,
}, async () => {
  const running = await manualDesk();
  const { keys, hand } = await pair(running);
  const hot = open(running);
  expect(hot.snapshot(keys)).toBeNull();
  hot.want(keys[0], [CLOCK, ...keys]);
  const first = await served(running, hot, keys);
  const sum = 20_000_000_000n;
  const seen = new Set<bigint>();
  for (let n = 1; n <= 12; n += 1) {
    await hand(1_000 * n);
    for (let slots = 0; slots < 3; slots += 1) {
      running.advanceSlots(1);
      const snapshot = await served(running, hot, [CLOCK, ...keys]);
      const [, a, b] = snapshot.accounts;
      expect((a?.lamports ?? 0n) + (b?.lamports ?? 0n)).toBe(sum);
      seen.add(a?.lamports ?? 0n);
      expect(snapshot.slot).toBeGreaterThanOrEqual(first.slot);
    }
  }
  // And in the end it is what the transactions made of it.
  const final = 10_000_000_000n - 78_000n;
  for (let held = 0n; held !== final; ) {
    running.advanceSlots(1);
    await pause(5);
    held = (await served(running, hot, keys)).accounts[0]?.lamports ?? 0n;
    seen.add(held);
  }
  expect(seen.size).toBeGreaterThan(1);
});

it('costs no call while it serves, and says so', async () => {
  const running = await manualDesk();
  const { keys } = await pair(running);
  const hot = open(running);
  const { cost } = await rpcMeter.measure(async () => {
    hot.want(keys[0], [CLOCK, ...keys]);
    await served(running, hot, keys);
    return hot.snapshot([CLOCK, ...keys]);
  });
  // Two and three accounts; what following itself reads counts for nobody.
  expect(cost).toEqual({ calls: 0, accounts: 0, followed: 5 });
});

it('is read once on the network of today, where one slot in twenty has no block', async () => {
  const running = await manualDesk({ network: 'mainnet-2026-11' });
  const { keys } = await pair(running);
  let reads = 0;
  const hot = open(running, { onRead: () => (reads += 1) });
  hot.want(keys[0], [CLOCK, ...keys]);
  await served(running, hot, keys);
  expect(reads).toBeGreaterThan(0);
  const before = reads;
  const { slots } = running.chain;
  const first = slots.tip();
  while (slots.tip() < first + 80) {
    running.advanceSlots(1);
    await pause(5);
  }
  const passed = Array.from({ length: 80 }, (_, n) => first + n).filter((slot) => slots.isSkipped(slot));
  expect(passed.length).toBeGreaterThan(2);
  await served(running, hot, keys);
  expect(reads).toBe(before);
});

it('serves nothing where no web socket answers', async () => {
  const running = await manualDesk();
  const { keys } = await pair(running);
  const hot = open(running, { wsUrl: 'ws://127.0.0.1:1' });
  hot.want(keys[0], [CLOCK, ...keys]);
  for (let n = 0; n < 10; n += 1) {
    running.advanceSlots(1);
    await pause(5);
  }
  expect(hot.snapshot(keys)).toBeNull();
});

it('finds the web socket where Solana’s own client looks for it', () => {
  expect(webSocketUrl('https://rpc.example/?api-key=1')).toBe('wss://rpc.example/?api-key=1');
  expect(webSocketUrl('http://127.0.0.1:8899')).toBe('ws://127.0.0.1:8900/');
  expect(openHotAccounts({ wsUrls: null, pools: 0, maxAgeMs: 1 }, {} as never)).toBeNull();
});
