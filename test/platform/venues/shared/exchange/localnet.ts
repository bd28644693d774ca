import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Blockhash } from '@solana/kit';
import { Keypair, PublicKey, Transaction, TransactionInstruction } from '@solana/web3.js';
import { type Address, type ChainAccount, type Instruction, WSOL_MINT } from '@tradepost/solana';
import type { TapeTransaction } from '@tradepost/tape';
import { type Exchange, isRefusal, type MintFacts } from '@tradepost/venues';
import { FailedTransactionMetadata, LiteSVM } from 'litesvm';
import { describe, expect, it } from 'vitest';
import {
  buildMintAccount,
  buildTokenAccount,
  buildWrappedSol,
  type PoolFixture,
} from '../../../../../packages/venues/test/shared/build.ts';
import { address } from '../../../../../src/core/address/address.ts';
import { expectDecoded, tapeTransaction } from './tape-transaction.ts';

/** Programs are the operator's: `$LOCALNET_PROGRAMS_DIR/<programId>.so`, accounts beside them as the solana CLI writes them. */
const DIRECTORY = process.env['LOCALNET_PROGRAMS_DIR'];

type SvmAddress = Parameters<LiteSVM['getAccount']>[0];
const svmAddress = (value: Address): SvmAddress => value as string as SvmAddress;

/** A chain in this process that runs real programs. */
export type Localnet = {
  readonly svm: LiteSVM;
  readonly trader: Address;
  set(address: Address, account: ChainAccount): void;
  get(address: Address): ChainAccount | null;
  setMint(mint: MintFacts, supply?: bigint): void;
  setUnixSeconds(seconds: bigint): void;
  /** Runs the instructions as one transaction of the trader; the chain's error text, or null when it landed. */
  run(instructions: readonly Instruction[], signers?: readonly Keypair[]): string | null;
  /** The last transaction that landed, as a block tells it. */
  landed(): TapeTransaction;
};

export function createLocalnet(programs: readonly Address[]): Localnet {
  const svm = new LiteSVM().withNativeMints();
  const payer = Keypair.generate();
  const trader = address(payer.publicKey.toBase58());
  svm.airdrop(svmAddress(trader), 1_000_000_000_000n as Parameters<LiteSVM['airdrop']>[1]);
  for (const program of programs) svm.addProgramFromFile(svmAddress(program), programFile(program));
  const set: Localnet['set'] = (key, account) =>
    svm.setAccount({
      address: svmAddress(key),
      data: account.data,
      executable: account.executable,
      lamports: account.lamports as never,
      programAddress: svmAddress(account.owner),
      space: BigInt(account.data.length),
    });
  const get: Localnet['get'] = (key) => {
    const found = svm.getAccount(svmAddress(key));
    if (!found.exists) return null;
    return {
      lamports: found.lamports,
      owner: address(found.programAddress),
      data: Uint8Array.from(found.data),
      executable: found.executable,
    };
  };
  let landed: TapeTransaction | null = null;
  return {
    svm,
    trader,
    set,
    get,
    landed: () => {
      if (landed === null) throw new Error('nothing has landed yet');
      return landed;
    },
    setMint: (mint, supply = 10n ** 18n) => set(mint.mint, buildMintAccount(mint, supply)),
    setUnixSeconds: (seconds) => {
      const clock = svm.getClock();
      clock.unixTimestamp = seconds;
      svm.setClock(clock);
    },
    run: (instructions, signers = []) => {
      svm.expireBlockhash();
      const transaction = new Transaction();
      transaction.recentBlockhash = svm.latestBlockhash() as Blockhash;
      transaction.feePayer = payer.publicKey;
      for (const instruction of instructions) {
        transaction.add(
          new TransactionInstruction({
            programId: new PublicKey(instruction.programId),
            keys: instruction.accounts.map((meta) => ({
              pubkey: new PublicKey(meta.address),
              isSigner: meta.signer,
              isWritable: meta.writable,
            })),
            data: Buffer.from(instruction.data),
          }),
        );
      }
      transaction.sign(payer, ...signers);
      const message = transaction.compileMessage();
      const keys = message.accountKeys.map((key) => address(key.toBase58()));
      const before = keys.map(get);
      const outcome = svm.sendTransaction({
        messageBytes: transaction.serializeMessage(),
        signatures: Object.fromEntries(
          transaction.signatures.map(({ publicKey, signature }) => [publicKey.toBase58(), signature]),
        ),
      } as never);
      if (!(outcome instanceof FailedTransactionMetadata)) {
        landed = tapeTransaction(
          message,
          outcome,
          keys,
          { before, after: keys.map(get) },
          svm.getClock().slot,
        );
        return null;
      }
      return `${String(outcome.err())} ${outcome.meta().logs().slice(-6).join(' | ')}`;
    },
  };
}

function programFile(program: Address): string {
  return join(DIRECTORY ?? '', `${program}.so`);
}

/** The account that a file of the operator's directory holds, in the form `solana account --output json` writes. */
export function accountFromDirectory(key: Address): ChainAccount | null {
  const file = [`accounts/${key}.json`, `${key}.json`]
    .map((name) => join(DIRECTORY ?? '', name))
    .find((path) => existsSync(path));
  if (file === undefined) return null;
  const { account } = JSON.parse(readFileSync(file, 'utf8'));
  return {
    lamports: BigInt(account.lamports),
    owner: address(account.owner),
    data: Uint8Array.from(Buffer.from(account.data[0], 'base64')),
    executable: false,
  };
}

/** Every account in the operator's directory. */
export function accountsOfDirectory(): readonly Address[] {
  if (DIRECTORY === undefined) return [];
  return ['', 'accounts'].flatMap((folder) => {
    const path = join(DIRECTORY ?? '', folder);
    if (!existsSync(path)) return [];
    return readdirSync(path)
      .filter((name) => name.endsWith('.json'))
      .map((name) => address(name.slice(0, -'.json'.length)));
  });
}

/** What is missing to run these programs and accounts, as a sentence; null when all is there. */
export function missingFiles(programs: readonly Address[], accounts: readonly Address[] = []): string | null {
  if (DIRECTORY === undefined) return 'LOCALNET_PROGRAMS_DIR is not set';
  const missing = [
    ...programs.filter((program) => !existsSync(programFile(program))).map((program) => `${program}.so`),
    ...accounts.filter((key) => accountFromDirectory(key) === null).map((key) => `${key}.json`),
  ];
  return missing.length === 0 ? null : `${DIRECTORY} lacks ${missing.join(', ')}`;
}

/** A suite against real programs; without their files one skipped test says what is missing. */
export function describeOnLocalnet(
  title: string,
  needs: { readonly programs: readonly Address[]; readonly accounts?: readonly Address[] },
  body: () => void,
): void {
  const missing = missingFiles(needs.programs, needs.accounts);
  describe(title, () => {
    if (missing === null) body();
    else it.skip(`is compared with the real program (skipped: ${missing})`, () => {});
  });
}

/** A token account of the trader with a balance, at an address of its own. Wrapped SOL has its lamports, which a real vault's transfers move too. */
export function fundTrader(chain: Localnet, mint: MintFacts, amount: bigint): Address {
  const key = address(Keypair.generate().publicKey.toBase58());
  const build = mint.mint === WSOL_MINT ? buildWrappedSol : buildTokenAccount;
  chain.set(key, build(mint, chain.trader, amount));
  return key;
}

const tokenAmount = (account: ChainAccount | null): bigint =>
  account === null ? 0n : new DataView(account.data.buffer, account.data.byteOffset).getBigUint64(64, true);

export type SwapCheck = { readonly filled: number; readonly refusedAlike: number; readonly unitsOut: bigint };

export type SwapOptions = {
  /** Some venues trade amounts of which nothing would come out. */
  readonly zeroMayTrade?: boolean;
  /** The venue may spend a unit less than it is given. */
  readonly mayKeepUnit?: boolean;
  /** The trader's accounts where the venue does not take any; opened with plenty otherwise. */
  readonly wallets?: readonly [Address, Address];
  /** What a sale of the first token brings arrives as lamports of the trader, who pays the network from the same balance. */
  readonly paysLamports?: boolean;
};

/** One signature. */
const NETWORK_FEE_LAMPORTS = 5_000n;

/**
 * Swaps every amount on the real program and compares: the balance change is the quote to the last unit, one unit more as
 * the minimum fails, and where we quote 0 the program fails too. State carries over from swap to swap.
 */
export function expectSwapsMatch(
  chain: Localnet,
  exchange: Exchange,
  fixture: Pick<PoolFixture, 'id' | 'mints'>,
  swaps: readonly { readonly direction: 0 | 1; readonly amount: bigint }[],
  options: SwapOptions = {},
): SwapCheck {
  const wallets =
    options.wallets ??
    (fixture.mints.map((mint) => fundTrader(chain, mint, 2n ** 62n)) as [Address, Address]);
  const received = (side: 0 | 1): bigint =>
    options.paysLamports === true && side === 1
      ? (chain.get(chain.trader)?.lamports ?? 0n)
      : tokenAmount(chain.get(wallets[side]));
  let filled = 0;
  let refusedAlike = 0;
  let unitsOut = 0n;
  for (const { direction, amount } of swaps) {
    const other = direction === 0 ? 1 : 0;
    const clock = chain.svm.getClock();
    const pool = exchange.decode(
      { id: fixture.id, asked: fixture.mints.map((facts) => facts.mint), get: (key) => chain.get(key) },
      {
        slot: clock.slot,
        epoch: clock.epoch,
        unixSeconds: clock.unixTimestamp,
        mint: (mint) => fixture.mints.find((facts) => facts.mint === mint) ?? null,
      },
    );
    if (isRefusal(pool)) throw new Error(`refused (${pool.reason}): ${pool.detail}`);
    const quoted = pool.quote(fixture.mints[direction].mint, amount);
    const order = {
      owner: chain.trader,
      mintIn: fixture.mints[direction].mint,
      amountIn: amount,
      amountOut: quoted,
      source: wallets[direction],
      destination: wallets[other],
    };
    if (quoted === 0n) {
      if (options.zeroMayTrade === true) continue;
      expect(chain.run(pool.swap({ ...order, minOut: 1n })), `${amount} is quoted 0`).not.toBeNull();
      refusedAlike++;
      continue;
    }
    expect(
      chain.run(pool.swap({ ...order, minOut: quoted + 1n })),
      'one unit above the quote',
    ).not.toBeNull();
    const before = [tokenAmount(chain.get(wallets[direction])), received(other)] as const;
    expect(chain.run(pool.swap({ ...order, minOut: quoted })), `swap of ${amount}`).toBeNull();
    const kept = amount - (before[0] - tokenAmount(chain.get(wallets[direction])));
    expect([0n, options.mayKeepUnit === true ? 1n : 0n], `kept of ${amount}`).toContain(kept);
    const network = options.paysLamports === true && other === 1 ? NETWORK_FEE_LAMPORTS : 0n;
    expect(received(other) - before[1] + network, `received for ${amount}`).toBe(quoted);
    expectDecoded(chain, exchange, fixture, direction);
    filled++;
    unitsOut += quoted;
  }
  return { filled, refusedAlike, unitsOut };
}

/** Amounts from one unit to a third of each reserve, in both directions, the same on every run. */
export function swapLadder(
  reserves: readonly [bigint, bigint],
  count: number,
): { direction: 0 | 1; amount: bigint }[] {
  let state = 0x2545f4914f6cdd1dn;
  return Array.from({ length: count }, (_, index) => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    const direction = index % 2 === 0 ? 0 : 1;
    const width = (state >> 40n) % BigInt(reserves[direction].toString(2).length);
    const amount = (((state >> 8n) & 0xffff_ffffn) * (1n << width)) / 0x1_0000_0000n + 1n;
    return { direction, amount } as const;
  });
}
