import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInitializeMint2Instruction } from '@solana/spl-token';
import { Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import { afterAll, expect, it } from 'vitest';
import { decodeAccountFile, encodeAccountFile } from '../src/account-file.ts';
import type { Address } from '../src/address.ts';
import { ArgumentError, readArguments } from '../src/arguments.ts';
import { cloneAccounts } from '../src/clone.ts';
import { fund, manualChain, treasury, web3 } from './support/start.ts';

const root = mkdtempSync(join(tmpdir(), 'local-chain-programs-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const folder = () => mkdtempSync(join(root, 'p-'));
const addressOf = () => Keypair.generate().publicKey.toBase58() as Address;
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';

it('clones a program and accounts from a running chain and serves them on another', async () => {
  const source = await manualChain();
  source.advanceSlots(1);
  const pool = treasury(source);
  const dir = folder();
  const said: string[] = [];
  await cloneAccounts({
    url: source.rpcUrl,
    programs: [TOKEN_PROGRAM as Address],
    accounts: [pool.account, pool.mint],
    dir,
    say: (line) => said.push(line),
  });
  expect(said).toHaveLength(3);
  expect(
    readFileSync(join(dir, `${TOKEN_PROGRAM}.so`))
      .subarray(1, 4)
      .toString(),
  ).toBe('ELF');
  const target = await manualChain({ seed: 'another', programsDir: dir });
  expect(target.programs).toEqual({ programs: [TOKEN_PROGRAM], accounts: [pool.account, pool.mint].sort() });
  const read = async (running: typeof source, address: string) =>
    (await web3(running).getAccountInfo(new PublicKey(address), 'finalized'))?.data.toString('hex');
  expect(await read(target, pool.account)).toBe(await read(source, pool.account));
  const owned = await web3(target).getTokenAccountsByOwner(new PublicKey(pool.owner), {
    mint: new PublicKey(pool.mint),
  });
  expect(owned.value.map((one) => one.pubkey.toBase58())).toEqual([pool.account]);
});

it('runs a program loaded under an address of its own', async () => {
  const source = await manualChain();
  const dir = folder();
  await cloneAccounts({
    url: source.rpcUrl,
    programs: [TOKEN_PROGRAM as Address],
    accounts: [],
    dir,
    say: () => {},
  });
  const id = addressOf();
  const other = folder();
  writeFileSync(join(other, `${id}.so`), readFileSync(join(dir, `${TOKEN_PROGRAM}.so`)));
  const running = await manualChain({ programsDir: other });
  const alice = Keypair.generate();
  await fund(running, alice);
  const mint = Keypair.generate();
  const programId = new PublicKey(id);
  const transaction = new Transaction({
    feePayer: alice.publicKey,
    ...(await web3(running).getLatestBlockhash()),
  }).add(
    SystemProgram.createAccount({
      fromPubkey: alice.publicKey,
      newAccountPubkey: mint.publicKey,
      lamports: 1_461_600,
      space: 82,
      programId,
    }),
    createInitializeMint2Instruction(mint.publicKey, 3, alice.publicKey, null, programId),
  );
  transaction.sign(alice, mint);
  await web3(running).sendRawTransaction(transaction.serialize());
  const made = await web3(running).getAccountInfo(mint.publicKey);
  expect(made?.owner.toBase58()).toBe(id);
  expect(made?.data[44]).toBe(3);
});

it('keeps trades on a loaded account across a restart', async () => {
  const [dir, programsDir] = [folder(), folder()];
  const address = addressOf();
  const state = {
    lamports: 5_000_000n,
    data: new Uint8Array([1, 2, 3]),
    owner: addressOf(),
    executable: false,
  };
  mkdirSync(join(programsDir, 'accounts'));
  writeFileSync(join(programsDir, 'accounts', `${address}.json`), encodeAccountFile(address, state));
  const first = await manualChain({ dir, programsDir });
  first.chain.writeAccount(address, { ...state, lamports: 7_000_000n });
  await first.stop();
  const second = await manualChain({ dir, programsDir });
  expect(await web3(second).getBalance(new PublicKey(address), 'processed')).toBe(7_000_000);
});

it.each([
  ['not-an-address.so', Buffer.from('\x7fELF'), 'expected the name <program id>.so'],
  [`${TOKEN_PROGRAM}.so`, Buffer.from('hello'), 'expected a compiled program (ELF)'],
  ['pool.json', Buffer.from('{"pubkey":1}'), 'expected { pubkey, account }'],
  ['torn.json', Buffer.from('{"pub'), 'torn.json'],
])('names the bad file %s', async (name, content, reason) => {
  const dir = folder();
  writeFileSync(join(dir, name), content);
  const start = manualChain({ programsDir: dir });
  await expect(start).rejects.toThrow(join(dir, name));
  await expect(start).rejects.toThrow(reason);
});

it('refuses a program whose code is not a program', async () => {
  const dir = folder();
  writeFileSync(join(dir, `${addressOf()}.so`), Buffer.concat([Buffer.from('\x7fELF'), Buffer.alloc(200)]));
  await expect(manualChain({ programsDir: dir })).rejects.toThrow('Bad file in the programs directory');
});

it('says which account a cluster does not have', async () => {
  const source = await manualChain();
  const missing = addressOf();
  const request = { url: source.rpcUrl, programs: [], accounts: [missing], dir: folder(), say: () => {} };
  await expect(cloneAccounts(request)).rejects.toThrow(`No account ${missing}`);
  await expect(cloneAccounts({ ...request, accounts: [], programs: [missing] })).rejects.toThrow(
    `No program ${missing}`,
  );
  const mint = source.world.tokens[0]!.mint;
  source.advanceSlots(1);
  await expect(cloneAccounts({ ...request, accounts: [], programs: [mint] })).rejects.toThrow(
    'is not a program',
  );
});

it('reads back the account files it writes, beyond 2^53 lamports', () => {
  const address = addressOf();
  const state = {
    lamports: 2n ** 64n - 1n,
    data: new Uint8Array([0, 255]),
    owner: addressOf(),
    executable: true,
  };
  expect(decodeAccountFile(encodeAccountFile(address, state))).toEqual([address, state]);
});

it('reads command lines and refuses what it does not know', () => {
  const given = readArguments(
    ['--port', '12', '--account', 'a', '--account', 'b'],
    ['port', 'account', 'dir'],
  );
  expect(given.integer('port', 1)).toBe(12);
  expect(given.integer('dir', 7)).toBe(7);
  expect(given.all('account')).toEqual(['a', 'b']);
  expect(() => readArguments(['--prot', '1'], ['port'])).toThrow(
    'Unknown argument "--prot": expected --port.',
  );
  expect(() => readArguments(['--port'], ['port'])).toThrow('--port needs a value.');
  expect(() => readArguments(['--port', 'x'], ['port']).integer('port', 1)).toThrow(ArgumentError);
});
