import { Keypair, SystemProgram } from '@solana/web3.js';
import { type Address, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM, toBase58 } from '@tradepost/solana';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { address } from '../../../src/core/address/address.ts';
import { createRpcChain } from '../../../src/platform/chain/rpc-chain.ts';
import { type DeskRig, signMessage, startDeskRig } from '../../modules/trading/desk-rig.ts';
import { startScriptedRpc } from './scripted-rpc.ts';

const fresh = () => address(Keypair.generate().publicKey.toBase58());

let rig: DeskRig;
beforeAll(async () => {
  rig = await startDeskRig('rpc-chain');
});
afterAll(() => rig.stop());

async function transfer(to: Address, lamports: bigint, memo: string) {
  const { blockhash, lastValidBlockHeight } = await rig.chain.latestBlockhash();
  const message = rig.compiler.compile({
    payer: rig.wallet,
    blockhash,
    instructions: [rig.programs.memo(memo), rig.programs.transferSol({ from: rig.wallet, to, lamports })],
  });
  const bytes = rig.compiler.assemble(
    message,
    new Map([[rig.wallet, signMessage(rig.keypair, message.bytes)]]),
  );
  return { message, bytes, signature: toBase58(bytes.subarray(1, 65)), lastValidBlockHeight };
}

describe('createRpcChain over the local chain', () => {
  it('reads balances, 0 for an account that does not exist', async () => {
    expect(await rig.chain.balance(rig.treasury)).toBe(1_000_000n);
    expect(await rig.chain.balance(fresh())).toBe(0n);
  });

  it('reads more accounts than one call takes, in the order asked', async () => {
    const strangers = Array.from({ length: 120 }, fresh);
    const { accounts, slot } = await rig.chain.accounts([...strangers, rig.wallet, rig.treasury]);
    expect(accounts).toHaveLength(122);
    expect(accounts.slice(0, 120).every((account) => account === null)).toBe(true);
    expect(accounts.slice(120).map((account) => account?.lamports)).toEqual([20_000_000_000n, 1_000_000n]);
    expect(accounts[120]?.owner).toBe(SYSTEM_PROGRAM);
    expect(slot).toBeGreaterThan(0n);
    expect(await rig.chain.accounts([])).toEqual({ slot: 0n, accounts: [] });
  });

  it('reads an SPL mint with its Metaplex record', async () => {
    const { mint } = rig.token('PUP');
    expect(await rig.chain.token(mint)).toMatchObject({
      mint,
      tokenProgram: TOKEN_PROGRAM,
      decimals: 6,
      supply: 1_000_000_000_000_000n,
      symbol: 'PUP',
      name: 'Puppy',
      mintAuthority: null,
      extensions: { transferFee: null, permanentDelegate: null },
    });
    expect((await rig.chain.token(rig.token('USDC').mint))?.mintAuthority).not.toBeNull();
  });

  it('reads a Token-2022 mint with its own metadata and transfer fee', async () => {
    const token = await rig.chain.token(rig.token('TAX').mint);
    expect(token).toMatchObject({ tokenProgram: TOKEN_2022_PROGRAM, symbol: 'TAX', name: 'Taxed Token' });
    expect(token?.extensions.transferFee?.newer).toEqual({ bps: 100, maximum: 1_000_000_000_000n });
  });

  it('gives null for what is not a mint', async () => {
    expect(await rig.chain.token(rig.wallet)).toBeNull();
    expect(await rig.chain.token(fresh())).toBeNull();
    const vault = rig.local.world.pools[0]!.vaultA;
    expect(await rig.chain.token(vault)).toBeNull();
  });

  it('sums holdings under both token programs, largest first', async () => {
    const pool = rig.local.world.pools.find((one) => one.mintA === rig.token('TAX').mint)!;
    const holdings = await rig.chain.holdings(pool.id);
    expect(holdings.map((one) => [one.mint, one.amount])).toEqual(
      [
        [pool.mintA, 400_000_000_000n],
        [pool.mintB, 80_000_000_000n],
      ].sort((a, b) => (a[1]! > b[1]! ? -1 : 1)),
    );
    expect(holdings.map((one) => one.accounts.length)).toEqual([1, 1]);
    expect(await rig.chain.holdings(fresh())).toEqual([]);
  });

  it('tells rent, epoch, fees and the cluster', async () => {
    expect(await rig.chain.rentExemption(165)).toBe(2_039_280n);
    expect(await rig.chain.rentExemption(0)).toBe(890_880n);
    expect(await rig.chain.epoch()).toBeGreaterThanOrEqual(0n);
    expect(await rig.chain.genesisHash()).toBe(rig.local.genesisHash);
    expect(await rig.chain.priorityPrice([rig.wallet], 50)).toBeGreaterThanOrEqual(0n);
  });

  it('simulates without signatures or effects and shows the watched accounts as they would be', async () => {
    const to = fresh();
    const { message } = await transfer(to, 1_000_000n, 'simulated');
    const simulation = await rig.chain.simulate(message.bytes, [to, fresh(), rig.wallet]);
    expect(simulation.err).toBeNull();
    expect(simulation.unitsConsumed).toBeGreaterThan(0);
    expect(simulation.after[0]?.lamports).toBe(1_000_000n);
    expect(simulation.after[1]).toBeNull();
    expect(await rig.chain.balance(to)).toBe(0n);
    const poor = await transfer(fresh(), 1n, 'below rent');
    expect((await rig.chain.simulate(poor.message.bytes, [])).err).toContain('InsufficientFundsForRent');
  });

  it('sends, follows and reads back one transaction', async () => {
    const to = fresh();
    const { bytes, signature, lastValidBlockHeight } = await transfer(to, 2_000_000n, 'sent');
    expect(await rig.chain.statuses([signature])).toEqual([null]);
    expect(await rig.chain.send(bytes)).toEqual({ kind: 'accepted' });
    expect(await rig.chain.send(bytes)).toEqual({ kind: 'already-processed' });
    rig.local.advanceSlots(40);
    expect(await rig.chain.statuses([signature])).toMatchObject([{ level: 'finalized', err: null }]);
    const probe = await rig.chain.probe(signature, 0);
    expect(probe).toMatchObject({ endpoints: 1, status: { level: 'finalized', err: null } });
    expect(probe.statusSlot).toBeGreaterThanOrEqual(probe.finalizedSlot);
    expect(lastValidBlockHeight).toBeGreaterThan(probe.finalizedHeight);
    expect(await rig.chain.testimony(signature, 0)).toEqual({
      endpoint: probe.endpoint,
      endpoints: 1,
      status: probe.status,
      transaction: await rig.chain.landed(signature),
    });
    const landed = await rig.chain.landed(signature);
    expect(landed).toMatchObject({ signature, err: null, feeLamports: 5_000n, signatureCount: 1 });
    expect(landed?.balances.find((row) => row.address === to)).toEqual({
      address: to,
      before: 0n,
      after: 2_000_000n,
    });
    expect(landed?.balances.find((row) => row.address === rig.wallet)).toMatchObject({
      before: 20_000_000_000n,
      after: 20_000_000_000n - 2_005_000n,
    });
  });

  it('knows nothing of a signature that was never sent', async () => {
    const { signature } = await transfer(fresh(), 5_000_000n, 'kept');
    expect(await rig.chain.landed(signature)).toBeNull();
    expect((await rig.chain.probe(signature, 3)).status).toBeNull();
  });
});

describe('createRpcChain', () => {
  const running: { stop(): Promise<void> }[] = [];
  afterEach(async () => {
    vi.restoreAllMocks();
    await Promise.all(running.splice(0).map((server) => server.stop()));
  });

  it('gives an aged blockhash of those that it heard, with as long as that one still lives', async () => {
    let at = 1_000_000;
    vi.spyOn(performance, 'now').mockImplementation(() => at);
    // A block takes 200 ms.
    const height = (): number => 1_000 + Math.floor((at - 1_000_000) / 200);
    const hashAt = (block: number): string => toBase58(new Uint8Array(32).fill(block % 251));
    const server = await startScriptedRpc(() => ({
      result: {
        context: { slot: height() + 7 },
        value: { blockhash: hashAt(height()), lastValidBlockHeight: height() + 150 },
      },
    }));
    running.push(server);
    const chain = createRpcChain({ urls: [server.url] });
    // Nothing is measured yet.
    expect(await chain.agedBlockhash()).toMatchObject({ blockhash: hashAt(1_000) });
    for (let beat = 1; beat <= 8; beat += 1) {
      at += 5_000;
      await chain.latestBlockhash();
    }
    // Height 1,200: the one of 1,125 has 75 blocks left.
    expect(await chain.agedBlockhash()).toEqual({
      blockhash: hashAt(1_125),
      lastValidBlockHeight: 1_275n,
      slot: 1_132n,
      livesMs: 15_000,
    });
    expect(await chain.latestBlockhash()).toMatchObject({ blockhash: hashAt(1_200) });
  });

  it('asks for the height before the status in a probe, and each round asks another endpoint', async () => {
    const height = { blockHeight: 900, absoluteSlot: 1_000, slotIndex: 1, slotsInEpoch: 9, epoch: 3 };
    const answers: Record<string, unknown> = {
      getGenesisHash: 'genesis',
      getEpochInfo: height,
      getSignatureStatuses: { context: { slot: 1_001 }, value: [null] },
      getFirstAvailableBlock: 5,
    };
    const servers = await Promise.all(
      [0, 1].map(() => startScriptedRpc(({ method }) => ({ result: answers[method] }))),
    );
    running.push(...servers);
    const chain = createRpcChain({ urls: servers.map((server) => server.url) });
    const first = await chain.probe(toBase58(new Uint8Array(64).fill(1)), 4);
    const second = await chain.probe(toBase58(new Uint8Array(64).fill(1)), 5);
    expect([first.endpoint, second.endpoint]).toEqual(servers.map((server) => server.label));
    expect(first).toMatchObject({
      finalizedHeight: 900n,
      finalizedSlot: 1_000n,
      statusSlot: 1_001n,
      firstAvailableBlock: 5n,
      status: null,
    });
    expect(servers[0]?.calls.map((call) => call.method)).toEqual([
      'getGenesisHash',
      'getEpochInfo',
      'getSignatureStatuses',
      'getFirstAvailableBlock',
    ]);
    expect(servers[0]?.calls[1]?.params).toEqual([{ commitment: 'finalized' }]);
    expect(servers[0]?.calls[2]?.params[1]).toEqual({ searchTransactionHistory: true });
  });

  const nowhere = toBase58(new Uint8Array(64).fill(1));
  const silent = (genesis: () => string) => {
    const answers: Record<string, unknown> = {
      getEpochInfo: { blockHeight: 900, absoluteSlot: 1_000, slotIndex: 1, slotsInEpoch: 9, epoch: 3 },
      getSignatureStatuses: { context: { slot: 1_001 }, value: [null] },
      getFirstAvailableBlock: 5,
    };
    return startScriptedRpc(({ method }) => ({
      result: method === 'getGenesisHash' ? genesis() : answers[method],
    }));
  };

  it('hears nothing from endpoints of different networks, and says so at the start', async () => {
    const servers = await Promise.all([silent(() => 'ours'), silent(() => 'another')]);
    running.push(...servers);
    const chain = createRpcChain({ urls: servers.map((server) => server.url) });
    const refused = { code: 'CHAIN_UNREACHABLE', details: { cause: 'they are of different networks' } };
    await expect(chain.genesisHash()).rejects.toMatchObject(refused);
    await expect(chain.probe(nowhere, 0)).rejects.toMatchObject(refused);
    await expect(chain.testimony(nowhere, 1)).rejects.toMatchObject(refused);
  });

  it('hears no endpoint that came up late and is of another network, and still hears the other', async () => {
    const ours = await silent(() => 'ours');
    running.push(ours);
    let isUp = false;
    const late = await startScriptedRpc(({ method }) =>
      isUp && method === 'getGenesisHash'
        ? { result: 'another' }
        : { error: { code: -32_005, message: 'behind' } },
    );
    running.push(late);
    const chain = createRpcChain({ urls: [ours.url, late.url] });
    expect(await chain.genesisHash()).toBe('ours');
    isUp = true;
    await expect(chain.probe(nowhere, 1)).rejects.toMatchObject({
      code: 'CHAIN_UNREACHABLE',
      details: { endpoint: late.label, cause: 'it is of another network' },
    });
    expect(await chain.probe(nowhere, 0)).toMatchObject({ endpoint: ours.label, endpoints: 2 });
    expect(await chain.testimony(nowhere, 0)).toEqual({
      endpoint: ours.label,
      endpoints: 2,
      status: null,
      transaction: null,
    });
  });

  it('counts two addresses of one host as one witness', async () => {
    const server = await silent(() => 'ours');
    running.push(server);
    const chain = createRpcChain({ urls: [`${server.url}/one`, `${server.url}/two`] });
    for (const round of [0, 1]) {
      expect(await chain.probe(nowhere, round)).toMatchObject({ endpoint: server.label, endpoints: 1 });
      expect(await chain.testimony(nowhere, round)).toMatchObject({ endpoints: 1 });
    }
  });

  it('asks another host than the first for its word, and none where there is no other', async () => {
    const word = (lamports: number) =>
      startScriptedRpc(({ method }) => ({
        result:
          method === 'getGenesisHash'
            ? 'ours'
            : {
                context: { slot: 7 },
                value:
                  method === 'getBalance'
                    ? lamports
                    : [
                        {
                          lamports,
                          owner: SYSTEM_PROGRAM,
                          data: ['', 'base64'],
                          executable: false,
                          rentEpoch: 0,
                          space: 0,
                        },
                      ],
              },
      }));
    const servers = await Promise.all([word(5), word(3)]);
    running.push(...servers);
    const chain = createRpcChain({ urls: servers.map(({ url }) => url) });
    for (let round = 0; round < 4; round += 1) {
      const told = await chain.balance(fresh());
      const said = await chain.secondWord([fresh()]);
      expect(said?.[0]?.lamports).toBe(told === 5n ? 3n : 5n);
    }
    const [first] = servers;
    const alone = createRpcChain({ urls: [`${first?.url}/one`, `${first?.url}/two`] });
    expect(await alone.secondWord([fresh()])).toBeNull();
  });

  it('takes no rent of 0 for an answer', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const rentAccount = (perByte: bigint) => {
      const data = Buffer.alloc(17);
      data.writeBigUInt64LE(perByte, 0);
      data.writeDoubleLE(1, 8);
      return { lamports: 1, owner: fresh(), executable: false, data: [data.toString('base64'), 'base64'] };
    };
    const server = await startScriptedRpc((_, count) => ({
      result: { context: { slot: 1 }, value: [rentAccount(count === 1 ? 0n : 5_080n)] },
    }));
    running.push(server);
    const chain = createRpcChain({ urls: [server.url] });
    await expect(chain.rentExemption(165)).rejects.toThrow('tells no rent that can be');
    expect(await chain.rentExemption(165)).toBe(1_488_440n);
  });

  it('asks for the rent along with the accounts of the same moment', async () => {
    const server = await startScriptedRpc(({ params }) => ({
      result: { context: { slot: 1 }, value: (params[0] as string[]).map(() => null) },
    }));
    running.push(server);
    const chain = createRpcChain({ urls: [server.url] });
    const [read] = await Promise.allSettled([chain.accounts([fresh()]), chain.rentExemption(0)]);
    expect(read.status).toBe('fulfilled');
    expect(server.calls).toHaveLength(1);
  });

  it('reads many mints asked for at once with one call', async () => {
    const server = await startScriptedRpc(({ params }) => ({
      result: { context: { slot: 1 }, value: (params[0] as string[]).map(() => null) },
    }));
    running.push(server);
    const chain = createRpcChain({ urls: [server.url] });
    const mints = Array.from({ length: 20 }, fresh);
    expect(await Promise.all([...mints, ...mints].map((mint) => chain.token(mint)))).toEqual(
      Array.from({ length: 40 }, () => null),
    );
    expect(server.calls).toHaveLength(1);
    expect(server.calls[0]?.params[0]).toHaveLength(40);
  });

  it('picks the percentile of recent fees', async () => {
    const server = await startScriptedRpc(() => ({
      result: [900, 100, 400, 200].map((prioritizationFee, slot) => ({ slot, prioritizationFee })),
    }));
    running.push(server);
    const chain = createRpcChain({ urls: [server.url] });
    expect(await chain.priorityPrice([SystemProgram.programId.toBase58() as Address], 25)).toBe(100n);
    expect(await chain.priorityPrice([], 50)).toBe(200n);
    expect(await chain.priorityPrice([], 95)).toBe(900n);
  });
});
