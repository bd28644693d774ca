import { setTimeout as pause } from 'node:timers/promises';
import { Connection, Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import type { MarketKeys } from '@tradepost/tape';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DeskChain, startDeskChain } from '../../../../src/local/desk/index.ts';
import { createGeyserSource } from '../../../../src/platform/chain/transaction-source/geyser/create-geyser-source.ts';
import {
  openTransactionSource,
  type SourceName,
} from '../../../../src/platform/chain/transaction-source/open-source.ts';
import type { ReadRange, TransactionSource } from '../../../../src/platform/ports/transaction-source.ts';
import { describeTransactionSource, type SourceCase } from '../../../conformance/transaction-source.ts';
import { dice, startDeskTraders } from '../../../modules/market/indexer/support/desk-traders.ts';
import { hasGeyser, openGeyserHere } from '../../../support/geyser/packages.ts';
import { startGeyserStandIn } from '../../../support/geyser/stand-in.ts';

let local: DeskChain;
let people: Awaited<ReturnType<typeof startDeskTraders>>;
beforeAll(async () => {
  local = await startDeskChain({ slotMs: 25, seed: 'sources' });
  people = await startDeskTraders(local, 5);
});
afterAll(() => local.stop());

const keys = (): readonly MarketKeys[] =>
  local.world.pools.map(({ id, vaultA, vaultB, mintA, mintB, programA }) => ({
    address: id,
    programId: programA,
    kind: 'tokens',
    baseVault: vaultA,
    quoteVault: vaultB,
    baseMint: mintA,
    quoteMint: mintB,
  }));

async function trade(): Promise<void> {
  await people.trade(30, dice(3));
  const { rpc, payer, pool } = await poorPayer();
  const lamports = 10 ** 12;
  const transaction = new Transaction().add(
    SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: pool, lamports }),
  );
  transaction.recentBlockhash = (await rpc.getLatestBlockhash()).blockhash;
  transaction.feePayer = payer.publicKey;
  transaction.sign(payer);
  await rpc.sendRawTransaction(transaction.serialize(), { skipPreflight: true });
  await people.trade(5, dice(4));
  for (const tip = local.chain.slots.tip(); local.chain.slots.at('finalized') < tip; ) await pause(20);
}

async function poorPayer() {
  const rpc = new Connection(local.rpcUrl, 'processed');
  const payer = Keypair.generate();
  await rpc.requestAirdrop(payer.publicKey, 1_000_000_000);
  const [first] = local.world.pools;
  if (first === undefined) throw new Error('there is no pool');
  return { rpc, payer, pool: new PublicKey(first.id) };
}

/** Out of the chain's own books. */
const truth: SourceCase['truth'] = (market, after, upTo) => {
  const found: ReturnType<SourceCase['truth']>[number][] = [];
  for (let slot = after + 1n; slot <= upTo; slot += 1n)
    for (const [index, { signature, keys: named, err }] of local.chain.ledger.ofSlot(Number(slot)).entries())
      if (named.includes(market.address)) found.push({ signature, slot, index, failed: err !== null });
  return found;
};

const plain = (source: SourceName): TransactionSource =>
  openTransactionSource(
    { source, rpcPerSecond: null, isLocal: true },
    { urls: [local.rpcUrl], wsUrls: [local.wsUrl] },
  );

for (const name of ['blocks', 'addresses'] as const)
  describeTransactionSource(name, async () => ({
    source: plain(name),
    markets: keys(),
    trade,
    truth,
    stop: async () => undefined,
  }));

it('the notices of addresses name what landed, each with its slot, and nothing that failed', async () => {
  const [market] = keys();
  if (market === undefined) throw new Error('there is no market');
  const named = new Map<string, bigint>();
  const waking = plain('addresses').wakes(
    () => new Set([market.address]),
    (address, one) => {
      if (address === market.address && one !== undefined) named.set(one.signature, one.slot);
    },
  );
  await pause(500);
  const after = BigInt(local.chain.slots.tip());
  await trade();
  await waking.stop();
  const landed = truth(market, after - 1n, BigInt(local.chain.slots.tip()));
  expect(landed.some(({ failed }) => failed)).toBe(true);
  expect(Object.fromEntries(named)).toEqual(
    Object.fromEntries(landed.flatMap(({ signature, slot, failed }) => (failed ? [] : [[signature, slot]]))),
  );
});

/** A stream before a source, which notes what is still asked of it. */
async function streamed(name: SourceName) {
  const standIn = await startGeyserStandIn(local.rpcUrl);
  const proving = plain(name);
  const asked: ReadRange[] = [];
  const source = createGeyserSource(
    { server: { url: standIn.url, token: null }, open: await openGeyserHere(), lost: () => undefined },
    {
      ...proving,
      read: (market, range) => {
        asked.push(range);
        return proving.read(market, range);
      },
    },
  );
  return { standIn, source, asked };
}

/** A stream that runs: it has told a block. */
async function running(source: TransactionSource, standIn: { opened(): number }): Promise<void> {
  while (standIn.opened() === 0) await pause(10);
  for (const slot = await source.horizon('confirmed'); (await source.horizon('confirmed')) < slot + 4n; )
    await pause(20);
}

describe.skipIf(!hasGeyser)('a stream', () => {
  for (const name of ['blocks', 'addresses'] as const)
    describeTransactionSource(`geyser before ${name}`, async () => {
      const { standIn, source } = await streamed(name);
      return { source, markets: keys(), trade, truth, stop: () => standIn.stop() };
    });

  it('answers what is confirmed by itself, and tells of a transaction what its block tells', async () => {
    const { standIn, source, asked } = await streamed('blocks');
    const markets = new Set(keys().map(({ address }) => address));
    const waking = source.wakes(
      () => markets,
      () => undefined,
    );
    await running(source, standIn);
    const after = await source.horizon('confirmed');
    await trade();
    const upTo = await source.horizon('confirmed');
    const range = { after, upTo, level: 'confirmed', effort: 'usual' } as const;
    const blocks = plain('blocks');
    await blocks.horizon('confirmed');
    let count = 0;
    for (const market of keys()) {
      const told = await source.read(market, range);
      expect(told).toEqual(await blocks.read(market, range));
      count += told.length;
    }
    expect(count).toBeGreaterThan(30);
    expect(asked).toEqual([]);
    // A market that the stream was not asked for is read from the other one.
    const [stranger] = keys();
    if (stranger === undefined) throw new Error('there is no market');
    await source.read({ ...stranger, address: stranger.baseMint }, range);
    expect(asked).toHaveLength(1);
    await waking.stop();
    await standIn.stop();
  });
});
