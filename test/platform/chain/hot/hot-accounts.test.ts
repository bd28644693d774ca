import type { Address } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { CLOCK, createFakeNode, expectTruth, KEYS, SLOT_MS } from './fake-node.ts';

const [A, B, C, D] = KEYS as [Address, Address, Address, Address];
type Node = ReturnType<typeof createFakeNode>;

/** A node of which `A` and `B` are followed and believed. */
async function followed({
  tellsParents = true,
  ...options
}: Parameters<typeof createFakeNode>[0] & { readonly tellsParents?: boolean } = {}): Promise<Node> {
  const node = createFakeNode(options);
  node.tellsParents = tellsParents;
  node.hot.want(A, [CLOCK, A, B]);
  for (let n = 0; n < 5; n += 1) await node.tick();
  expect(node.hot.snapshot([A, B])).not.toBeNull();
  return node;
}

describe('createHotAccounts', () => {
  it('opens nothing before a pool is wanted, and serves it from the second slot after it was read', async () => {
    const node = createFakeNode();
    await node.tick();
    expect(node.counts).toMatchObject({ opened: 0, reads: 0 });
    node.hot.want(A, [CLOCK, A, B]);
    expect(node.hot.snapshot([CLOCK, A, B])).toBeNull();
    for (let n = 0; n < 4; n += 1) await node.tick([A]);
    expectTruth(node, [A, B]);
    expect(node.counts).toMatchObject({ opened: 1, reads: 1 });
    expect(node.hot.snapshot([A, C])).toBeNull();
  });

  it('believes a slot only when the clock of a later one has come', async () => {
    const node = await followed();
    const before = node.hot.snapshot([A, B]);
    node.pass(SLOT_MS);
    // The clock comes first, then the accounts of the same slot.
    node.advance([A, B], 0);
    node.deliver();
    const during = node.hot.snapshot([A, B]);
    expect(during?.slot).toBe((before?.slot ?? 0n) + 1n);
    expect(during?.slot).toBe(node.slot() - 1n);
    expectTruth(node, [A, B]);
    node.pass(SLOT_MS);
    node.advance([]);
    node.deliver();
    expect(node.hot.snapshot([A, B])?.slot).toBe(node.slot() - 1n);
    expectTruth(node, [A, B]);
  });

  it('reports the pools that changed, each once, when their slot is believed', async () => {
    const node = await followed();
    node.hot.want(C, [C, D]);
    for (let n = 0; n < 4; n += 1) await node.tick();
    const told: (readonly [readonly Address[], bigint | undefined])[] = [];
    node.hot.onChange((pools) => told.push([[...pools], node.hot.snapshot([A, C])?.slot]));
    // The accounts come first, then the clock of the same slot.
    node.pass(SLOT_MS);
    node.advance([B], 1);
    node.deliver();
    const changedAt = node.slot();
    expect(told).toEqual([]);
    await node.tick();
    expect(told).toEqual([[[A], changedAt]]);
    await node.tick([A, D]);
    await node.tick();
    await node.tick();
    expect(told.slice(1)).toEqual([[[A, C], changedAt + 2n]]);
  });

  it('never serves a read that is older than its subscription', async () => {
    const node = createFakeNode();
    node.hot.want(A, [CLOCK, A]);
    for (let n = 0; n < 3; n += 1) {
      node.pass(SLOT_MS);
      node.advance([A]);
      node.deliver();
      // The node that is read lags by more than the subscription is old.
      await node.answerReads(5n);
    }
    node.pass(SLOT_MS);
    node.advance([A]);
    node.deliver();
    expect(node.hot.snapshot([A])).toBeNull();
    for (let n = 0; n < 3; n += 1) await node.tick([A]);
    expectTruth(node, [A]);
  });

  it('serves nothing that is older than the configured age, however fresh it looks', async () => {
    const node = await followed();
    node.pass(2_000 - SLOT_MS);
    expect(node.hot.snapshot([A])).not.toBeNull();
    node.pass(1);
    expect(node.hot.snapshot([A])).toBeNull();
    // Ten slots were stuck on the way and come in one go; nothing proves yet that they are the last of them.
    for (let n = 0; n < 10; n += 1) {
      node.pass(SLOT_MS);
      node.advance([A]);
    }
    node.pass(5_000);
    node.answersPings = false;
    node.deliver();
    expect(node.hot.snapshot([A])).toBeNull();
    node.answersPings = true;
    await node.tick();
    expectTruth(node, [A]);
  });

  it('falls back when the connection is lost, connects again with growing pauses, and then serves again', async () => {
    const node = await followed();
    node.isUp = false;
    node.cut();
    expect(node.hot.snapshot([A])).toBeNull();
    const tries: number[] = [];
    for (let n = 0; n < 200; n += 1) {
      const before = node.counts.opened;
      node.pass(1_000);
      node.deliver();
      if (node.counts.opened > before) tries.push(n);
    }
    const pauses = tries.slice(1).map((at, index) => at - (tries[index] ?? 0));
    expect(pauses.slice(0, 4)).toEqual([2, 4, 8, 16]);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(60);
    node.isUp = true;
    node.pass(60_000);
    for (let n = 0; n < 5; n += 1) await node.tick([B]);
    expectTruth(node, [A, B]);
    expect(node.lines.filter((line) => line.startsWith('warn'))).toHaveLength(1);
  });

  it('takes a slot without a block for what it is where the node names the parent of the next: nothing is read', async () => {
    const node = await followed();
    const { reads } = node.counts;
    for (let n = 0; n < 20; n += 1) {
      node.pass(SLOT_MS);
      node.advance([A], 0, { slots: n % 4 === 0 ? 1n : 0n, are: 'empty' });
      node.deliver();
      expectTruth(node, [A, B]);
    }
    expect([node.counts.reads, node.counts.opened]).toEqual([reads, 1]);
  });

  it.each([
    ['the node names a parent that was not heard', true, 'lost'],
    ['the node names no parents', false, 'empty'],
    ['the node names no parents, and one was lost', false, 'lost'],
  ] as const)('reads everything anew when a slot is passed over and %s', async (_, tellsParents, are) => {
    const node = await followed({ tellsParents });
    const { reads } = node.counts;
    node.pass(SLOT_MS);
    node.advance([A], 0, { slots: 1n, are });
    node.deliver();
    expect(node.hot.snapshot([A])).toBeNull();
    await node.tick([A]);
    await node.tick([B]);
    await node.tick();
    expect(node.counts.reads).toBe(reads + 1);
    expectTruth(node, [A, B]);
    expect(node.counts.opened).toBe(1);
  });

  it.each<readonly [string, (slot: bigint, before: bigint) => bigint]>([
    ['the slot itself', (slot) => slot],
    ['a slot that is not there yet', (slot) => slot + 7n],
    ['a slot long before', (_, before) => before - 50n],
    ['a slot that never was', () => -1n],
    ['slot 0', () => 0n],
  ])('reads everything anew when a block is lost and the node names for a parent %s', async (_, parent) => {
    const node = await followed();
    const { reads } = node.counts;
    node.pass(SLOT_MS);
    node.advance([B], 0, { slots: 1n, are: 'lost', parent });
    node.deliver();
    expect(node.hot.snapshot([A])).toBeNull();
    for (let n = 0; n < 4; n += 1) await node.tick([B]);
    expect(node.counts.reads).toBeGreaterThan(reads);
    expectTruth(node, [A, B]);
  });

  it('finds at the next comparison that the node denied a lost block by its parent', async () => {
    const node = await followed();
    node.pass(SLOT_MS);
    node.advance([B], 0, { slots: 1n, are: 'lost', parent: (__, before) => before });
    node.deliver();
    const isFound = () => node.lines.some((line) => line.includes(`a change of ${A} was not told`));
    for (let n = 0; n < 60 && !isFound(); n += 1) await node.tick();
    expect(isFound()).toBe(true);
    expect(node.hot.snapshot([A])).toBeNull();
    for (let n = 0; n < 10; n += 1) await node.tick([B]);
    expectTruth(node, [A, B]);
  });

  it.each([
    [
      'a slot that was over is told of again with other words',
      (node: Node) => node.notifyOf(A, node.slot() - 1n, 77n),
    ],
    ['the clock goes backwards', (node: Node) => node.notifyOf(CLOCK, node.slot() - 3n, 1n)],
    [
      'a message is in no known form',
      (node: Node) => node.say({ method: 'accountNotification', params: {} }),
    ],
    [
      'accounts are told of in a flood',
      (node: Node) => {
        for (let n = 0; n < 1_000; n += 1) node.notifyOf(A, node.slot(), BigInt(n + 2));
      },
    ],
    [
      'accounts change over many slots in which the clock does not',
      (node: Node) => {
        for (let n = 1n; n < 100n; n += 1n) node.notifyOf(A, node.slot() + n, n + 2n);
      },
    ],
  ])('gives the connection up when %s', async (_, disturb) => {
    const node = await followed();
    disturb(node);
    node.deliver();
    expect(node.hot.snapshot([A])).toBeNull();
    node.pass(1_000);
    expect(node.counts.opened).toBe(2);
    for (let n = 0; n < 5; n += 1) await node.tick([A]);
    expectTruth(node, [A, B]);
  });

  it('takes the same notice twice for what it is', async () => {
    const node = await followed();
    node.pass(SLOT_MS);
    node.advance([A, B], 1);
    for (let n = 0; n < 3; n += 1) {
      node.repeat();
      node.deliver(2);
    }
    node.deliver();
    await node.tick();
    expectTruth(node, [A, B]);
    expect(node.counts.opened).toBe(1);
  });

  it('finds a subscription that was dropped on the quiet at the next comparison', async () => {
    const node = await followed();
    node.dropped.add(A);
    await node.tick([A]);
    const isFound = () => node.lines.some((line) => line.includes(`a change of ${A} was not told`));
    for (let n = 0; n < 60 && !isFound(); n += 1) await node.tick();
    expect(isFound()).toBe(true);
    expect(node.hot.snapshot([A])).toBeNull();
    node.dropped.clear();
    for (let n = 0; n < 10; n += 1) await node.tick([B]);
    expectTruth(node, [A, B]);
  });

  it('falls back on silence and looks for another connection after ten seconds', async () => {
    const node = await followed();
    node.pass(2_500);
    expect(node.hot.snapshot([A])).toBeNull();
    node.pass(20_000);
    expect(node.counts.opened).toBe(2);
  });

  it('does not deny what this process knows: a transaction that landed, a node that is far ahead', async () => {
    const node = await followed();
    const slot = node.hot.snapshot([A])?.slot ?? 0n;
    node.hot.noteLanded(slot);
    expect(node.hot.snapshot([A])).not.toBeNull();
    node.hot.noteLanded(slot + 1n);
    expect(node.hot.snapshot([A])).toBeNull();
    await node.tick();
    expect(node.hot.snapshot([A])).not.toBeNull();
    node.hot.noteSlot(node.slot() + 50n);
    expect(node.hot.snapshot([A])).toBeNull();
  });

  it('lets go of pools that nobody wants, ignores what is still told of them, and closes when none is left', async () => {
    const node = await followed({ limits: { keepMs: 5_000 } });
    node.hot.want(C, [CLOCK, C]);
    await node.tick();
    for (let n = 0; n < 14; n += 1) {
      node.hot.want(C, [CLOCK, C]);
      await node.tick([A, C]);
    }
    expect(node.counts.unsubscribed).toBe(2);
    expect(node.hot.snapshot([A])).toBeNull();
    expectTruth(node, [C]);
    for (let n = 0; n < 14; n += 1) await node.tick([C]);
    const { opened } = node.counts;
    node.pass(100_000);
    expect(node.counts.opened).toBe(opened);
    node.hot.want(D, [CLOCK, D]);
    expect(node.counts.opened).toBe(opened + 1);
  });

  it('follows no more than its limits, and busy pools are not driven out', async () => {
    const node = await followed({ limits: { pools: 2, busyMs: 10_000 } });
    node.hot.want(C, [CLOCK, C]);
    node.hot.want(D, [CLOCK, D]);
    for (let n = 0; n < 4; n += 1) await node.tick();
    expectTruth(node, [A, B, C]);
    expect(node.hot.snapshot([D])).toBeNull();
    node.pass(10_000);
    node.hot.want(C, [CLOCK, C]);
    node.hot.want(D, [CLOCK, D]);
    for (let n = 0; n < 30; n += 1) await node.tick();
    expect(node.hot.snapshot([A])).toBeNull();
    expectTruth(node, [C, D]);
  });

  it('leaves out a pool of which the node will not follow an account, and keeps the others', async () => {
    const node = createFakeNode();
    node.refused.add(B);
    node.hot.want(A, [CLOCK, A, B]);
    node.hot.want(C, [CLOCK, C]);
    for (let n = 0; n < 5; n += 1) await node.tick([A, C]);
    expect(node.hot.snapshot([A, B])).toBeNull();
    expectTruth(node, [C]);
    expect(node.counts.opened).toBe(1);
  });

  it('keeps a subscription that it is told of twice', async () => {
    const node = createFakeNode();
    node.hot.want(A, [CLOCK, A]);
    // The connection, both requests, and the clock's answer.
    node.deliver(4);
    node.repeat();
    for (let n = 0; n < 4; n += 1) await node.tick([A]);
    expect(node.counts.unsubscribed).toBe(0);
    expectTruth(node, [A]);
  });

  it('says nothing and asks nothing after it was closed', async () => {
    const node = await followed();
    node.hot.close();
    const { opened, reads } = node.counts;
    node.hot.want(C, [CLOCK, C]);
    node.pass(100_000);
    await node.tick();
    expect(node.hot.snapshot([A])).toBeNull();
    expect(node.counts).toMatchObject({ opened, reads });
  });
});
