import {
  createAssociatedTokenAccountIdempotentInstruction,
  createMint,
  getAssociatedTokenAddressSync,
  getMint,
  mintTo,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import {
  AddressLookupTableProgram,
  ComputeBudgetProgram,
  Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  SendTransactionError,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RunningChain } from '../src/index.ts';
import { fund, manualChain, quickChain, treasury, web3 } from './support/start.ts';

const transfer = (from: Keypair, to: PublicKey, lamports: number) =>
  SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to, lamports });

async function signed(
  running: RunningChain,
  from: Keypair,
  to: PublicKey,
  lamports: number,
): Promise<Buffer> {
  const { blockhash } = await web3(running).getLatestBlockhash();
  const transaction = new Transaction({ feePayer: from.publicKey, recentBlockhash: blockhash });
  transaction.add(transfer(from, to, lamports)).sign(from);
  return transaction.serialize();
}

describe('web3.js on a live chain', () => {
  it('airdrops, transfers and confirms by subscription', async () => {
    const running = await quickChain();
    const connection = web3(running);
    onTestFinished(() => closeSocket(connection));
    const [alice, bob] = [Keypair.generate(), Keypair.generate()];
    const airdrop = await connection.requestAirdrop(alice.publicKey, 2 * LAMPORTS_PER_SOL);
    const { value } = await connection.confirmTransaction(
      { signature: airdrop, ...(await connection.getLatestBlockhash()) },
      'confirmed',
    );
    expect(value.err).toBeNull();
    const transaction = new Transaction().add(transfer(alice, bob.publicKey, LAMPORTS_PER_SOL));
    await sendAndConfirmTransaction(connection, transaction, [alice], { commitment: 'confirmed' });
    expect(await connection.getBalance(bob.publicKey, 'confirmed')).toBe(LAMPORTS_PER_SOL);
    expect(await connection.getBalance(alice.publicKey, 'confirmed')).toBe(LAMPORTS_PER_SOL - 5000);
  });

  it('tells account, program, log and slot subscribers', async () => {
    const running = await quickChain();
    const connection = web3(running);
    onTestFinished(() => closeSocket(connection));
    const alice = Keypair.generate();
    const heard = { account: 0, logs: '', slot: 0, root: 0, program: '' };
    const ids = [
      connection.onAccountChange(alice.publicKey, (info) => (heard.account = info.lamports), {
        commitment: 'confirmed',
      }),
      connection.onLogs(alice.publicKey, (logs) => (heard.logs = logs.signature), 'processed'),
      connection.onSlotChange((info) => (heard.slot = info.slot)),
      connection.onRootChange((root) => (heard.root = root)),
      connection.onProgramAccountChange(
        SystemProgram.programId,
        (info) => {
          if (info.accountId.equals(alice.publicKey)) heard.program = info.accountId.toBase58();
        },
        { commitment: 'processed' },
      ),
    ];
    await expect.poll(() => heard.slot, { timeout: 10_000 }).toBeGreaterThan(0);
    const signature = await connection.requestAirdrop(alice.publicKey, LAMPORTS_PER_SOL);
    await expect
      .poll(() => ({ ...heard, slot: 0, root: 0 }), { timeout: 10_000 })
      .toEqual({
        account: LAMPORTS_PER_SOL,
        logs: signature,
        slot: 0,
        root: 0,
        program: alice.publicKey.toBase58(),
      });
    expect(heard.root).toBeGreaterThan(0);
    await connection.removeAccountChangeListener(ids[0]!);
  });
});

describe('web3.js on a chain that waits', () => {
  it('lists token accounts by mint and by both programs, as bytes and parsed', async () => {
    const running = await manualChain();
    const alice = Keypair.generate();
    await fund(running, alice);
    const connection = web3(running);
    const wallet = alice.publicKey;
    for (const symbol of ['PUP', 'TAX']) {
      const token = running.world.tokens.find((one) => one.symbol === symbol)!;
      const [mint, program] = [new PublicKey(token.mint), new PublicKey(token.program)];
      const account = getAssociatedTokenAddressSync(mint, wallet, false, program);
      const open = createAssociatedTokenAccountIdempotentInstruction(wallet, account, wallet, mint, program);
      const transaction = new Transaction({ feePayer: wallet, ...(await connection.getLatestBlockhash()) });
      transaction.add(open).sign(alice);
      await connection.sendRawTransaction(transaction.serialize());
      const byMint = await connection.getTokenAccountsByOwner(wallet, { mint });
      expect(byMint.value.map((one) => one.pubkey.toBase58())).toEqual([account.toBase58()]);
    }
    const plain = await connection.getParsedTokenAccountsByOwner(wallet, { programId: TOKEN_PROGRAM_ID });
    const extended = await connection.getParsedTokenAccountsByOwner(wallet, {
      programId: TOKEN_2022_PROGRAM_ID,
    });
    expect(plain.value[0]?.account.data.parsed.info.tokenAmount).toEqual({
      amount: '0',
      decimals: 6,
      uiAmount: 0,
      uiAmountString: '0',
    });
    expect(extended.value[0]?.account.data.program).toBe('spl-token-2022');
    expect(extended.value[0]?.account.data.parsed.info.extensions).toContainEqual({
      extension: 'transferFeeAmount',
      state: { withheldAmount: 0 },
    });
    expect(
      await connection.getTokenAccountsByOwner(Keypair.generate().publicKey, { programId: TOKEN_PROGRAM_ID }),
    ).toMatchObject({ value: [] });
  });

  it('finds program accounts by size and by memcmp in base58 and base64', async () => {
    const running = await manualChain();
    const connection = web3(running);
    const { owner: id, accounts } = treasury(running);
    const owner = new PublicKey(id);
    const find = async (filters: readonly object[]) =>
      (await connection.getProgramAccounts(TOKEN_PROGRAM_ID, { filters: filters as never })).map((one) =>
        one.pubkey.toBase58(),
      );
    const vaults = [...accounts].sort();
    expect(vaults).toHaveLength(6);
    const memcmp = { offset: 32, bytes: owner.toBase58() };
    expect((await find([{ dataSize: 165 }, { memcmp }])).sort()).toEqual(vaults);
    const base64 = { offset: 32, bytes: Buffer.from(owner.toBytes()).toString('base64'), encoding: 'base64' };
    expect((await find([{ memcmp: base64 }])).sort()).toEqual(vaults);
    expect(await find([{ dataSize: 82 }, { memcmp }])).toEqual([]);
    const sliced = await connection.getProgramAccounts(TOKEN_PROGRAM_ID, {
      filters: [{ dataSize: 165 }, { memcmp }],
      dataSlice: { offset: 32, length: 32 },
    });
    expect(sliced.map((one) => bs58.encode(one.account.data))).toEqual(vaults.map(() => id));
  });

  it('pages an address history and shows fees, balances and memos of its transactions', async () => {
    const running = await manualChain();
    const alice = Keypair.generate();
    await fund(running, alice);
    const connection = web3(running);
    const bob = Keypair.generate().publicKey;
    const sent: string[] = [];
    for (let i = 0; i < 3; i += 1) {
      sent.push(await connection.sendRawTransaction(await signed(running, alice, bob, 1_000_000 + i)));
      running.advanceSlots(1);
    }
    running.advanceSlots(1);
    const history = await connection.getSignaturesForAddress(bob, {}, 'confirmed');
    expect(history.map((one) => one.signature)).toEqual([...sent].reverse());
    const page = { before: sent[2]!, until: sent[0]!, limit: 5 };
    expect(
      (await connection.getSignaturesForAddress(bob, page, 'confirmed')).map((one) => one.signature),
    ).toEqual([sent[1]]);
    const [airdrop] = (await connection.getSignaturesForAddress(alice.publicKey, {}, 'finalized')).slice(-1);
    expect(airdrop?.memo).toMatch(/^\[\d+\] airdrop 1$/);
    const landed = await connection.getTransaction(sent[0]!, {
      commitment: 'confirmed',
      maxSupportedTransactionVersion: 0,
    });
    expect(landed?.meta?.fee).toBe(5000);
    expect(landed?.meta?.preBalances.slice(0, 2)).toEqual([10 * LAMPORTS_PER_SOL, 0]);
    expect(landed?.meta?.postBalances.slice(0, 2)).toEqual([10 * LAMPORTS_PER_SOL - 1_005_000, 1_000_000]);
    expect(landed?.meta?.logMessages?.[0]).toContain('invoke [1]');
    const parsed = await connection.getParsedTransaction(sent[0]!, { commitment: 'confirmed' });
    expect(parsed?.transaction.message.instructions[0]).toMatchObject({
      program: 'system',
      parsed: { type: 'transfer', info: { lamports: 1_000_000 } },
    });
  });

  it('records token balances before and after, and the inner instructions of a program', async () => {
    const running = await manualChain();
    const alice = Keypair.generate();
    await fund(running, alice);
    const connection = web3(running);
    const wallet = alice.publicKey;
    const mintKey = Keypair.generate();
    const options = { skipPreflight: true, commitment: 'processed' } as const;
    const ticking = setInterval(() => running.advanceSlots(1), 20);
    onTestFinished(() => clearInterval(ticking));
    onTestFinished(() => closeSocket(connection));
    const mint = await createMint(connection, alice, wallet, null, 2, mintKey, options);
    const account = getAssociatedTokenAddressSync(mint, wallet);
    const open = createAssociatedTokenAccountIdempotentInstruction(wallet, account, wallet, mint);
    const opened = await sendAndConfirmTransaction(connection, new Transaction().add(open), [alice], options);
    const minted = await mintTo(connection, alice, mint, account, alice, 12_345, [], options);
    clearInterval(ticking);
    running.advanceSlots(2);
    const read = async (signature: string) =>
      (
        await connection.getTransaction(signature, {
          commitment: 'confirmed',
          maxSupportedTransactionVersion: 0,
        })
      )?.meta;
    expect((await read(opened))?.innerInstructions?.[0]?.instructions.length).toBeGreaterThan(2);
    const meta = await read(minted);
    expect(meta?.preTokenBalances?.[0]).toMatchObject({
      mint: mint.toBase58(),
      uiTokenAmount: { amount: '0' },
    });
    expect(meta?.postTokenBalances?.[0]).toMatchObject({
      mint: mint.toBase58(),
      owner: wallet.toBase58(),
      programId: TOKEN_PROGRAM_ID.toBase58(),
      uiTokenAmount: { amount: '12345', decimals: 2, uiAmountString: '123.45' },
    });
    expect((await connection.getTokenSupply(mint, 'processed')).value.amount).toBe('12345');
    expect((await getMint(connection, mint, 'processed')).decimals).toBe(2);
    expect((await connection.getTokenLargestAccounts(mint, 'processed')).value[0]?.address).toEqual(account);
  });

  it('simulates without changing anything, with unsigned messages and a foreign blockhash', async () => {
    const running = await manualChain();
    const alice = Keypair.generate();
    await fund(running, alice, 1);
    const connection = web3(running);
    const bob = Keypair.generate().publicKey;
    const message = new TransactionMessage({
      payerKey: alice.publicKey,
      recentBlockhash: bs58.encode(Buffer.alloc(32, 7)),
      instructions: [transfer(alice, bob, 1_000_000)],
    }).compileToV0Message();
    const transaction = new VersionedTransaction(message);
    const refused = await connection.simulateTransaction(transaction);
    expect(refused.value.err).toBe('BlockhashNotFound');
    const { value } = await connection.simulateTransaction(transaction, {
      sigVerify: false,
      replaceRecentBlockhash: true,
      accounts: { encoding: 'base64', addresses: [bob.toBase58(), alice.publicKey.toBase58()] },
    });
    expect(value.err).toBeNull();
    expect(value.unitsConsumed).toBe(150);
    expect(value.accounts?.map((one) => one?.lamports)).toEqual([1_000_000, LAMPORTS_PER_SOL - 1_005_000]);
    expect(await connection.getBalance(bob)).toBe(0);
  });

  it('takes a v0 transaction whose accounts come from a lookup table, from the next slot on', async () => {
    const running = await manualChain();
    const alice = Keypair.generate();
    await fund(running, alice);
    const connection = web3(running);
    const friends = Array.from({ length: 20 }, () => Keypair.generate().publicKey);
    const [create, table] = AddressLookupTableProgram.createLookupTable({
      authority: alice.publicKey,
      payer: alice.publicKey,
      recentSlot: (await connection.getSlot('processed')) - 1,
    });
    const extend = AddressLookupTableProgram.extendLookupTable({
      lookupTable: table,
      authority: alice.publicKey,
      payer: alice.publicKey,
      addresses: friends,
    });
    const { blockhash } = await connection.getLatestBlockhash();
    const setup = new Transaction({ feePayer: alice.publicKey, recentBlockhash: blockhash }).add(
      create,
      extend,
    );
    setup.sign(alice);
    await connection.sendRawTransaction(setup.serialize());
    const lookup = (await connection.getAddressLookupTable(table)).value!;
    expect(lookup.state.addresses).toHaveLength(20);
    const pay = new VersionedTransaction(
      new TransactionMessage({
        payerKey: alice.publicKey,
        recentBlockhash: blockhash,
        instructions: friends.map((friend) => transfer(alice, friend, 1_000_000)),
      }).compileToV0Message([lookup]),
    );
    pay.sign([alice]);
    await expect(connection.sendTransaction(pay)).rejects.toThrow(/lookup/i);
    running.advanceSlots(1);
    const signature = await connection.sendTransaction(pay);
    expect(await connection.getBalance(friends[19]!)).toBe(1_000_000);
    running.advanceSlots(1);
    const landed = await connection.getTransaction(signature, {
      commitment: 'confirmed',
      maxSupportedTransactionVersion: 0,
    });
    expect(landed?.version).toBe(0);
    expect(landed?.meta?.loadedAddresses?.writable.map(String)).toEqual(friends.map(String));
    expect(landed?.meta?.postBalances).toContain(1_000_000);
    await expect(connection.getTransaction(signature, { commitment: 'confirmed' })).rejects.toThrow(
      'maxSupportedTransactionVersion',
    );
  });

  it('refuses a duplicate and an expired blockhash with the names clients match on', async () => {
    const running = await manualChain();
    const alice = Keypair.generate();
    await fund(running, alice);
    const connection = web3(running);
    const bytes = await signed(running, alice, Keypair.generate().publicKey, 1_000_000);
    const unsent = await signed(running, alice, Keypair.generate().publicKey, 2_000_000);
    await connection.sendRawTransaction(bytes);
    const again = connection.sendRawTransaction(bytes);
    await expect(again).rejects.toThrow('This transaction has already been processed');
    running.advanceSlots(150);
    expect(await connection.sendRawTransaction(unsent, { preflightCommitment: 'processed' })).toBeTypeOf(
      'string',
    );
    const late = await signed(running, alice, Keypair.generate().publicKey, 3_000_000);
    running.advanceSlots(151);
    await expect(connection.sendRawTransaction(late)).rejects.toThrow('Blockhash not found');
    expect(await connection.sendRawTransaction(late, { skipPreflight: true })).toBeTypeOf('string');
    const status = await connection.getSignatureStatus(bs58.encode(Transaction.from(late).signature!), {
      searchTransactionHistory: true,
    });
    expect(status.value).toBeNull();
  });

  it('lands a failing transaction that skipped preflight: it pays its fee and shows its error', async () => {
    const running = await manualChain();
    const alice = Keypair.generate();
    await fund(running, alice, 1);
    const connection = web3(running);
    const bytes = await signed(running, alice, Keypair.generate().publicKey, 2 * LAMPORTS_PER_SOL);
    const refusal = await connection.sendRawTransaction(bytes).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(SendTransactionError);
    expect((refusal as SendTransactionError).logs?.join()).toContain('insufficient lamports');
    expect(await connection.getBalance(alice.publicKey)).toBe(LAMPORTS_PER_SOL);
    const signature = await connection.sendRawTransaction(bytes, { skipPreflight: true });
    expect((await connection.getSignatureStatus(signature)).value?.err).toEqual({
      InstructionError: [0, { Custom: 1 }],
    });
    expect(await connection.getBalance(alice.publicKey)).toBe(LAMPORTS_PER_SOL - 5000);
  });

  it('charges and quotes the priority fee, and reports what writers of an account paid', async () => {
    const running = await manualChain();
    const alice = Keypair.generate();
    await fund(running, alice, 1);
    const connection = web3(running);
    const { blockhash } = await connection.getLatestBlockhash();
    const transaction = new Transaction({ feePayer: alice.publicKey, recentBlockhash: blockhash }).add(
      ComputeBudgetProgram.setComputeUnitLimit({ units: 1001 }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000_001 }),
      transfer(alice, Keypair.generate().publicKey, 1_000_000),
    );
    transaction.sign(alice);
    const fee = 5000 + 1002;
    expect((await connection.getFeeForMessage(transaction.compileMessage())).value).toBe(fee);
    const signature = await connection.sendRawTransaction(transaction.serialize());
    expect(await connection.getBalance(alice.publicKey)).toBe(LAMPORTS_PER_SOL - 1_000_000 - fee);
    const prices = await connection.getRecentPrioritizationFees({
      lockedWritableAccounts: [alice.publicKey],
    });
    expect(prices.at(-1)?.prioritizationFee).toBe(1_000_001);
    running.advanceSlots(1);
    const landed = await connection.getTransaction(signature, { commitment: 'confirmed' });
    expect(landed?.meta?.fee).toBe(fee);
  });

  it('leaves no account below the rent minimum', async () => {
    const running = await manualChain();
    const alice = Keypair.generate();
    await fund(running, alice, 1);
    const bytes = await signed(running, alice, Keypair.generate().publicKey, 890_879);
    await expect(web3(running).sendRawTransaction(bytes)).rejects.toThrow(
      'Transaction results in an account (1) with insufficient funds for rent',
    );
    expect(await web3(running).getMinimumBalanceForRentExemption(0)).toBe(890_880);
  });

  it('shows the extensions of a Token-2022 mint', async () => {
    const running = await manualChain();
    const tax = running.world.tokens.find((one) => one.symbol === 'TAX')!;
    const parsed = await web3(running).getParsedAccountInfo(new PublicKey(tax.mint));
    const data = parsed.value?.data as {
      parsed: {
        info: {
          extensions: { extension: string; state: Record<string, { transferFeeBasisPoints: number }> }[];
        };
      };
    };
    const states = Object.fromEntries(data.parsed.info.extensions.map((one) => [one.extension, one.state]));
    expect(states['tokenMetadata']).toMatchObject({ name: 'Taxed Token', symbol: 'TAX' });
    expect(states['transferFeeConfig']?.['newerTransferFee']?.transferFeeBasisPoints).toBe(100);
  });
});

/** web3.js reconnects for ever once a socket closes: switch that off before the chain stops. */
function closeSocket(connection: unknown): void {
  const socket = (
    connection as { _rpcWebSocket: { reconnect: boolean; close(): void; max_reconnects: number } }
  )._rpcWebSocket;
  socket.reconnect = false;
  socket.max_reconnects = 1;
  socket.close();
}
