import {
  createApproveInstruction,
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  createTransferInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token';
import {
  Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { deriveKey, seedOf } from '@tradepost/local-chain';
import bs58 from 'bs58';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { DeskChain } from '../../../src/local/desk/index.ts';
import type { DeskPool } from '../../../src/local/desk/pool.ts';
import { deskQuote } from '../../../src/local/desk/quote.ts';
import { fund, manualDesk, web3 } from '../../support/manual-chain.ts';

const key = (text: string) => new PublicKey(text);

type Side = 'A' | 'B';
const mintOf = (pool: DeskPool, side: Side) => (side === 'A' ? pool.mintA : pool.mintB);
const vaultOf = (pool: DeskPool, side: Side) => (side === 'A' ? pool.vaultA : pool.vaultB);
const programOf = (pool: DeskPool, side: Side) => (side === 'A' ? pool.programA : pool.programB);
const decimalsOf = (pool: DeskPool, side: Side) => (side === 'A' ? pool.decimalsA : pool.decimalsB);
const other = (side: Side): Side => (side === 'A' ? 'B' : 'A');

function poolOf(running: DeskChain, desk: string, symbols: string): DeskPool {
  return running.world.pools.find((one) => one.keyLabel === `maker:${desk}:${symbols}`)!;
}

/** The trader's associated account for one side of a pool. */
function accountOf(pool: DeskPool, side: Side, owner: PublicKey): PublicKey {
  return getAssociatedTokenAddressSync(key(mintOf(pool, side)), owner, false, key(programOf(pool, side)));
}

function openAccount(pool: DeskPool, side: Side, owner: PublicKey): TransactionInstruction {
  const [mint, program] = [key(mintOf(pool, side)), key(programOf(pool, side))];
  return createAssociatedTokenAccountIdempotentInstruction(
    owner,
    accountOf(pool, side, owner),
    owner,
    mint,
    program,
  );
}

function pay(
  pool: DeskPool,
  side: Side,
  from: PublicKey,
  to: PublicKey,
  authority: PublicKey,
  amount: bigint,
) {
  const [mint, program] = [key(mintOf(pool, side)), key(programOf(pool, side))];
  return createTransferCheckedInstruction(
    from,
    mint,
    to,
    authority,
    amount,
    decimalsOf(pool, side),
    [],
    program,
  );
}

/** The two transfers of a swap: `inSide` says which vault is paid. */
function swap(pool: DeskPool, inSide: Side, trader: PublicKey, amountIn: bigint, amountOut: bigint) {
  const outSide = other(inSide);
  return [
    pay(pool, inSide, accountOf(pool, inSide, trader), key(vaultOf(pool, inSide)), trader, amountIn),
    pay(
      pool,
      outSide,
      key(vaultOf(pool, outSide)),
      accountOf(pool, outSide, trader),
      key(pool.id),
      amountOut,
    ),
  ];
}

async function messageOf(running: DeskChain, payer: PublicKey, instructions: TransactionInstruction[]) {
  const { blockhash } = await web3(running).getLatestBlockhash('processed');
  return new TransactionMessage({ payerKey: payer, recentBlockhash: blockhash, instructions });
}

type CosignBody = {
  readonly signatures: readonly { readonly address: string; readonly signature: string }[];
  readonly error: { readonly code: string; readonly details: unknown };
};

async function cosign(
  running: DeskChain,
  message: Uint8Array | string,
): Promise<{ status: number; body: CosignBody }> {
  const text = typeof message === 'string' ? message : Buffer.from(message).toString('base64');
  const response = await fetch(`${running.deskUrl}/cosign`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: text }),
  });
  return { status: response.status, body: (await response.json()) as CosignBody };
}

/** Signs with the trader and the desk, sends, and returns the signature. */
async function trade(running: DeskChain, trader: Keypair, instructions: TransactionInstruction[]) {
  const message = (await messageOf(running, trader.publicKey, instructions)).compileToV0Message();
  const { status, body } = await cosign(running, message.serialize());
  expect(body).toMatchObject({ signatures: expect.any(Array) });
  expect(status).toBe(200);
  const transaction = new VersionedTransaction(message);
  for (const { address, signature } of body.signatures)
    transaction.addSignature(key(address), bs58.decode(signature));
  transaction.sign([trader]);
  return web3(running).sendTransaction(transaction);
}

async function balance(running: DeskChain, account: string | PublicKey): Promise<bigint> {
  const address = typeof account === 'string' ? key(account) : account;
  return BigInt((await web3(running).getTokenAccountBalance(address, 'processed')).value.amount);
}

/** What the pool gives now, from balances read over RPC. */
async function quote(running: DeskChain, pool: DeskPool, inSide: Side, amountIn: bigint, taxBps = 0n) {
  const rate = { bps: Number(taxBps), maximum: 2n ** 63n };
  return deskQuote(
    {
      vaultIn: await balance(running, vaultOf(pool, inSide)),
      vaultOut: await balance(running, vaultOf(pool, other(inSide))),
      virtualIn: inSide === 'A' ? pool.virtualA : pool.virtualB,
      virtualOut: inSide === 'A' ? pool.virtualB : pool.virtualA,
      feeBps: pool.feeBps,
      inputTransferFee: { authority: null, older: rate, newer: rate, newerEpoch: 0n },
      epoch: 0n,
    },
    amountIn,
  );
}

/** A trader with wrapped SOL and accounts for both sides of the pools. */
async function trader(running: DeskChain, pools: readonly DeskPool[], wrappedSol = 20): Promise<Keypair> {
  const alice = Keypair.generate();
  await fund(running, alice, wrappedSol + 10);
  const wallet = alice.publicKey;
  const opens = pools.flatMap((pool) => [openAccount(pool, 'A', wallet), openAccount(pool, 'B', wallet)]);
  const wrapped = pools.flatMap((pool) =>
    (['A', 'B'] as const)
      .filter((side) => mintOf(pool, side).startsWith('So111'))
      .map((side) => accountOf(pool, side, wallet)),
  )[0]!;
  const message = await messageOf(running, wallet, [
    ...opens,
    SystemProgram.transfer({
      fromPubkey: wallet,
      toPubkey: wrapped,
      lamports: wrappedSol * LAMPORTS_PER_SOL,
    }),
    {
      programId: key(pools[0]!.programB),
      keys: [{ pubkey: wrapped, isSigner: false, isWritable: true }],
      data: Buffer.from([17]),
    },
  ]);
  const transaction = new VersionedTransaction(message.compileToV0Message());
  transaction.sign([alice]);
  await web3(running).sendTransaction(transaction);
  return alice;
}

const refusalOf = async (running: DeskChain, payer: PublicKey, instructions: TransactionInstruction[]) => {
  const { status, body } = await cosign(
    running,
    (await messageOf(running, payer, instructions)).compileToLegacyMessage().serialize(),
  );
  return {
    status,
    code: (body.error as CosignBody['error'] | undefined)?.code,
    details: (body.error as CosignBody['error'] | undefined)?.details,
  };
};

it('lists its pools as a demonstration, without the makers keys', async () => {
  const running = await manualDesk();
  const listed = (await (await fetch(`${running.deskUrl}/pools`)).json()) as {
    demonstration: boolean;
    pools: DeskPool[];
  };
  expect(listed.demonstration).toBe(true);
  expect(new Set(listed.pools.map((one) => one.desk))).toEqual(
    new Set(['Desk North', 'Desk South', 'Desk Curve']),
  );
  expect(JSON.stringify(listed)).not.toContain('keyLabel');
  for (const pool of listed.pools) {
    const maker = key(pool.id);
    expect(getAssociatedTokenAddressSync(key(pool.mintA), maker, false, key(pool.programA)).toBase58()).toBe(
      pool.vaultA,
    );
    expect(getAssociatedTokenAddressSync(key(pool.mintB), maker, false, key(pool.programB)).toBase58()).toBe(
      pool.vaultB,
    );
    expect(await balance(running, pool.vaultA)).toBeGreaterThan(0n);
    expect(await balance(running, pool.vaultB)).toBeGreaterThan(0n);
  }
});

it('signs a swap at exactly its quote, both ways, and the chain moves exactly that', async () => {
  const running = await manualDesk();
  const pool = poolOf(running, 'Desk North', 'SOL/USDC');
  const alice = await trader(running, [pool]);
  const amountIn = 500_000_000n;
  const out = await quote(running, pool, 'A', amountIn);
  await trade(running, alice, swap(pool, 'A', alice.publicKey, amountIn, out));
  expect(await balance(running, accountOf(pool, 'B', alice.publicKey))).toBe(out);
  expect(Number(out) / 1e6).toBeGreaterThan(74);
  const back = await quote(running, pool, 'B', out);
  await trade(running, alice, swap(pool, 'B', alice.publicKey, out, back));
  expect(await balance(running, accountOf(pool, 'A', alice.publicKey))).toBe(
    20_000_000_000n - amountIn + back,
  );
  expect(back).toBeLessThan(amountIn);
});

it('refuses one unit above the quote and says what it would give', async () => {
  const running = await manualDesk();
  const pool = poolOf(running, 'Desk South', 'SOL/USDC');
  const alice = await trader(running, [pool]);
  const out = await quote(running, pool, 'A', 1_000_000_000n);
  const refused = await refusalOf(
    running,
    alice.publicKey,
    swap(pool, 'A', alice.publicKey, 1_000_000_000n, out + 1n),
  );
  expect(refused).toMatchObject({
    status: 409,
    code: 'PRICE_MOVED',
    details: { maxOut: out.toString(), amountOut: (out + 1n).toString(), pool: pool.id },
  });
  await trade(running, alice, swap(pool, 'A', alice.publicKey, 1_000_000_000n, out));
  const moved = await refusalOf(
    running,
    alice.publicKey,
    swap(pool, 'A', alice.publicKey, 1_000_000_000n, out),
  );
  expect(moved.code).toBe('PRICE_MOVED');
});

it('counts what arrives of a taxed token, to the unit', async () => {
  const running = await manualDesk();
  const pool = poolOf(running, 'Desk North', 'TAX/SOL');
  const alice = await trader(running, [pool]);
  const account = accountOf(pool, 'A', alice.publicKey);
  const bought = await quote(running, pool, 'B', 1_000_000_000n);
  await trade(running, alice, swap(pool, 'B', alice.publicKey, 1_000_000_000n, bought));
  const received = bought - (bought + 99n) / 100n;
  expect(await balance(running, account)).toBe(received);
  const before = await balance(running, pool.vaultA);
  const sold = 1_234_567n;
  const out = await quote(running, pool, 'A', sold, 100n);
  expect(
    (await refusalOf(running, alice.publicKey, swap(pool, 'A', alice.publicKey, sold, out + 1n))).code,
  ).toBe('PRICE_MOVED');
  await trade(running, alice, swap(pool, 'A', alice.publicKey, sold, out));
  expect(await balance(running, pool.vaultA)).toBe(before + sold - (sold + 99n) / 100n);
});

it('prices the launch curve with its virtual reserves and never pays more than its vault', async () => {
  const running = await manualDesk();
  const pool = poolOf(running, 'Desk Curve', 'LAN/SOL');
  expect(pool.kind).toBe('launch-curve');
  const alice = await trader(running, [pool]);
  const out = await quote(running, pool, 'B', 1_000_000_000n);
  await trade(running, alice, swap(pool, 'B', alice.publicKey, 1_000_000_000n, out));
  expect(await balance(running, accountOf(pool, 'A', alice.publicKey))).toBe(out);
  expect(await quote(running, pool, 'A', 10n ** 18n)).toBe(await balance(running, pool.vaultB));
});

it('signs for several pools in one message: a split and a hop', async () => {
  const running = await manualDesk();
  const north = poolOf(running, 'Desk North', 'PUP/SOL');
  const south = poolOf(running, 'Desk South', 'PUP/SOL');
  const onward = poolOf(running, 'Desk South', 'PUP/USDC');
  const alice = await trader(running, [north, onward]);
  const parts = [
    await quote(running, north, 'B', 3_000_000_000n),
    await quote(running, south, 'B', 1_000_000_000n),
  ];
  const hop = parts[0]! + parts[1]!;
  const usdc = await quote(running, onward, 'A', hop);
  await trade(running, alice, [
    ...swap(north, 'B', alice.publicKey, 3_000_000_000n, parts[0]!),
    ...swap(south, 'B', alice.publicKey, 1_000_000_000n, parts[1]!),
    ...swap(onward, 'A', alice.publicKey, hop, usdc),
  ]);
  expect(await balance(running, accountOf(onward, 'B', alice.publicKey))).toBe(usdc);
  expect(await balance(running, accountOf(north, 'A', alice.publicKey))).toBe(0n);
});

it('refuses everything that is not one swap of the pool', async () => {
  const running = await manualDesk();
  const pool = poolOf(running, 'Desk North', 'SOL/USDC');
  const alice = await trader(running, [pool]);
  const wallet = alice.publicKey;
  const maker = key(pool.id);
  const [payIn, payOut] = swap(pool, 'A', wallet, 1_000_000_000n, 100_000_000n) as [
    TransactionInstruction,
    TransactionInstruction,
  ];
  const out = (amount: bigint, to = accountOf(pool, 'B', wallet)) =>
    pay(pool, 'B', key(pool.vaultB), to, maker, amount);
  const cases: Record<string, TransactionInstruction[]> = {
    'nothing paid in': [payOut],
    'nothing paid out': [payIn, SystemProgram.transfer({ fromPubkey: maker, toPubkey: wallet, lamports: 1 })],
    'two payouts': [payIn, out(1n), out(2n)],
    'two payments': [
      payIn,
      pay(pool, 'A', accountOf(pool, 'A', wallet), key(pool.vaultA), wallet, 5n),
      payOut,
    ],
    'payout of the vault that was paid': [
      payIn,
      pay(pool, 'A', key(pool.vaultA), accountOf(pool, 'A', wallet), maker, 1n),
    ],
    'payment out of the other vault by a delegate': [
      pay(pool, 'A', key(pool.vaultA), key(pool.vaultA), wallet, 5n),
      payOut,
    ],
    'payout back into a vault': [payIn, out(1n, key(pool.vaultB))],
    'unchecked payout': [
      payIn,
      createTransferInstruction(key(pool.vaultB), accountOf(pool, 'B', wallet), maker, 1n),
    ],
    'approval of the vault': [payIn, payOut, createApproveInstruction(key(pool.vaultA), wallet, maker, 5n)],
    'lamports of the maker': [
      payIn,
      payOut,
      SystemProgram.transfer({ fromPubkey: maker, toPubkey: wallet, lamports: 1 }),
    ],
    'another program that names the vault': [
      payIn,
      payOut,
      {
        programId: Keypair.generate().publicKey,
        keys: [{ pubkey: key(pool.vaultA), isSigner: false, isWritable: true }],
        data: Buffer.alloc(0),
      },
    ],
    'a multisig payment': [
      createTransferCheckedInstruction(
        accountOf(pool, 'A', wallet),
        key(pool.mintA),
        key(pool.vaultA),
        wallet,
        1_000_000_000n,
        9,
        [alice],
      ),
      payOut,
    ],
  };
  for (const [name, instructions] of Object.entries(cases)) {
    const { status, code } = await refusalOf(running, wallet, instructions);
    expect({ name, status, code }).toEqual({ name, status: 400, code: 'NOT_A_DESK_SWAP' });
  }
  expect((await refusalOf(running, maker, [payIn, payOut])).code).toBe('NOT_A_DESK_SWAP');
  expect((await refusalOf(running, wallet, [payIn])).code).toBe('NOT_A_DESK_SWAP');
  const stranger = SystemProgram.transfer({ fromPubkey: wallet, toPubkey: wallet, lamports: 1 });
  expect((await refusalOf(running, wallet, [stranger])).code).toBe('UNKNOWN_POOL');
  expect((await cosign(running, Buffer.from([1, 2, 3]))).body.error.code).toBe('MESSAGE_INVALID');
  expect((await cosign(running, '%%%')).body.error.code).toBe('MESSAGE_INVALID');
});

it('makes the same world from the same seed and another from another', async () => {
  const [one, two, three] = [await manualDesk(), await manualDesk(), await manualDesk({ seed: 'else' })];
  expect(one.world).toEqual(two.world);
  expect(one.world.pools[0]?.id).not.toBe(three.world.pools[0]?.id);
  expect(deriveKey(seedOf('test'), one.world.pools[0]!.keyLabel).address).toBe(one.world.pools[0]?.id);
});

it('never lets the product of the reserves fall, nor a round trip profit', () => {
  const reserve = fc.bigInt({ min: 1n, max: 10n ** 15n });
  const virtual = fc.bigInt({ min: 0n, max: 10n ** 15n });
  fc.assert(
    fc.property(
      reserve,
      reserve,
      virtual,
      virtual,
      fc.nat(1000),
      reserve,
      (vaultIn, vaultOut, virtualIn, virtualOut, feeBps, amountIn) => {
        const terms = { vaultIn, vaultOut, virtualIn, virtualOut, feeBps, inputTransferFee: null, epoch: 0n };
        const out = deskQuote(terms, amountIn);
        expect(out).toBeLessThanOrEqual(vaultOut);
        const product = (vaultIn + virtualIn) * (vaultOut + virtualOut);
        expect((vaultIn + virtualIn + amountIn) * (vaultOut + virtualOut - out)).toBeGreaterThanOrEqual(
          product,
        );
        const back = deskQuote(
          {
            ...terms,
            vaultIn: vaultOut - out,
            vaultOut: vaultIn + amountIn,
            virtualIn: virtualOut,
            virtualOut: virtualIn,
          },
          out,
        );
        expect(back).toBeLessThanOrEqual(amountIn);
      },
    ),
    { numRuns: 1000 },
  );
});

it('moves by 0.1 to 2 percent for half a SOL, but for the pool that is thin on purpose', async () => {
  const running = await manualDesk();
  for (const pool of running.world.pools) {
    const side = (['A', 'B'] as const).find((one) => mintOf(pool, one).startsWith('So111'));
    if (side === undefined || pool.keyLabel.includes('INK/SOL')) continue;
    const [small, half] = [
      await quote(running, pool, side, 1_000_000n),
      await quote(running, pool, side, 500_000_000n),
    ];
    const impact = 1 - Number(half) / (Number(small) * 500);
    expect({ pool: pool.keyLabel, ok: impact > 0.0009 && impact < 0.02 }).toEqual({
      pool: pool.keyLabel,
      ok: true,
    });
  }
});
