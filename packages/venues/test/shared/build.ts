import { PublicKey } from '@solana/web3.js';
import {
  type Address,
  addressBytes,
  addressFromBytes,
  type ChainAccount,
  known,
  NO_TOKEN_POWERS,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  type TokenExtensions,
  type TransferFee,
} from '@tradepost/solana';
import type { MintFacts } from '../../src/pool.ts';
import type { Exchange, ExchangePool, PoolFacts } from '../../src/shared/exchange.ts';
import type { Layout } from '../../src/shared/pool-checks.ts';
import { isRefusal } from '../../src/shared/refusal.ts';

/** A made-up address: the same number always gives the same one. */
export function testAddress(number: number): Address {
  const bytes = new Uint8Array(32).fill(7);
  new DataView(bytes.buffer).setUint32(0, number);
  return addressFromBytes(bytes);
}

export function buildMint(
  mint: Address,
  change: Partial<MintFacts> = {},
  extensions: Partial<TokenExtensions> = {},
): MintFacts {
  return {
    mint,
    tokenProgram: TOKEN_PROGRAM,
    decimals: 6,
    extensions: { ...NO_TOKEN_POWERS, ...extensions },
    ...change,
  };
}

/** A schedule with one rate in every epoch. */
export function flatTransferFee(bps: number, maximum: bigint): TransferFee {
  const rate = { bps, maximum };
  return { authority: null, older: rate, newer: rate, newerEpoch: 0n };
}

export function buildFacts(mints: readonly MintFacts[], change: Partial<PoolFacts> = {}): PoolFacts {
  const byAddress = new Map(mints.map((facts) => [facts.mint, facts]));
  return {
    slot: 400_000_000n,
    epoch: 900n,
    unixSeconds: 1_790_000_000n,
    mint: (mint) => byAddress.get(mint) ?? null,
    ...change,
  };
}

/** Account data under construction: fields are written at their offsets, the rest is zero. */
export class AccountBytes {
  readonly data: Uint8Array;
  readonly #view: DataView;

  constructor(length: number) {
    this.data = new Uint8Array(length);
    this.#view = new DataView(this.data.buffer);
  }

  u8(at: number, value: number): this {
    this.#view.setUint8(at, value);
    return this;
  }
  u16(at: number, value: number): this {
    this.#view.setUint16(at, value, true);
    return this;
  }
  u32(at: number, value: number): this {
    this.#view.setUint32(at, value, true);
    return this;
  }
  i32(at: number, value: number): this {
    this.#view.setInt32(at, value, true);
    return this;
  }
  u64(at: number, value: bigint): this {
    this.#view.setBigUint64(at, BigInt.asUintN(64, value), true);
    return this;
  }
  u128(at: number, value: bigint): this {
    return this.u64(at, value).u64(at + 8, value >> 64n);
  }
  address(at: number, value: Address): this {
    this.data.set(addressBytes(value), at);
    return this;
  }
  bytes(at: number, value: Uint8Array): this {
    this.data.set(value, at);
    return this;
  }
  ownedBy(owner: Address): ChainAccount {
    return { lamports: 10_000_000n, owner, data: this.data, executable: false };
  }
}

/** Zeroed bytes of a program's account with its discriminator. */
export function accountBytes(layout: Layout, length = layout.minBytes): AccountBytes {
  const bytes = new AccountBytes(length);
  if (layout.discriminator !== null) bytes.bytes(0, layout.discriminator);
  return bytes;
}

/** A mint's account; of the extensions only a transfer fee is written. */
export function buildMintAccount(mint: MintFacts, supply: bigint): ChainAccount {
  const fee = mint.extensions.transferFee;
  const account = new AccountBytes(fee === null ? 82 : 278).u64(36, supply).u8(44, mint.decimals).u8(45, 1);
  if (fee !== null) {
    // Account type, then TransferFeeConfig: type 1, 108 bytes, of which the schedule ends.
    account.u8(165, 1).u16(166, 1).u16(168, 108);
    [fee.older, fee.newer].forEach(({ bps, maximum }, index) => {
      const at = 242 + 18 * index;
      account
        .u64(at, index === 0 ? 0n : fee.newerEpoch)
        .u64(at + 8, maximum)
        .u16(at + 16, bps);
    });
  }
  return account.ownedBy(mint.tokenProgram);
}

/** A token account; under a mint with a transfer fee it has the extension that the program demands. */
export function buildTokenAccount(mint: MintFacts, owner: Address, amount: bigint): ChainAccount {
  const withholds = mint.extensions.transferFee !== null;
  const account = new AccountBytes(withholds ? 178 : 165)
    .address(0, mint.mint)
    .address(32, owner)
    .u64(64, amount)
    .u8(108, 1);
  // Account type, then TransferFeeAmount: type 2, eight bytes, nothing withheld yet.
  if (withholds) account.u8(165, 2).u16(166, 2).u16(168, 8);
  return account.ownedBy(mint.tokenProgram);
}

/** A token account of wrapped SOL with its units behind it as lamports, or none could be paid out: `is_native` is the rent. */
export function backedByLamports(account: ChainAccount): ChainAccount {
  const rent = 2_039_280n;
  const data = Uint8Array.from(account.data);
  const view = new DataView(data.buffer);
  view.setUint32(109, 1, true);
  view.setBigUint64(113, rent, true);
  return { ...account, data, lamports: rent + view.getBigUint64(64, true) };
}

export function buildWrappedSol(sol: MintFacts, owner: Address, lamports: bigint): ChainAccount {
  return backedByLamports(buildTokenAccount(sol, owner, lamports));
}

/** Where a program derives an account, with the bump that it signs for it with. */
export function derivedAddress(
  program: Address,
  seeds: readonly Uint8Array[],
): { readonly id: Address; readonly bump: number } {
  const [key, bump] = PublicKey.findProgramAddressSync([...seeds], new PublicKey(program));
  return { id: known(key.toBase58()), bump };
}

/** Under Token-2022, with a fee that the mint withholds from every transfer. */
export function buildWithholdingMint(number: number, feeBps: number): MintFacts {
  const transferFee = flatTransferFee(feeBps, 10n ** 15n);
  return buildMint(testAddress(number), { tokenProgram: TOKEN_2022_PROGRAM }, { transferFee });
}

/** A pool's accounts as the chain would return them. */
export type PoolFixture = {
  readonly id: Address;
  readonly mints: readonly [MintFacts, MintFacts];
  readonly accounts: Map<Address, ChainAccount>;
};

/**
 * The same pool at other addresses, so that several stand on one chain: every made-up address from 1 to 9 (mints are numbered
 * from 10) becomes the one that many further, in keys and wherever the accounts name it.
 */
export function relocated(fixture: PoolFixture, by: number): PoolFixture {
  return movedTo(
    fixture,
    Array.from({ length: 9 }, (_, index) => [testAddress(index + 1), testAddress(index + 1 + by)]),
  );
}

/** The same pool with accounts at other addresses, each from one to another, in keys and wherever the accounts name them. */
export function movedTo(fixture: PoolFixture, moves: readonly (readonly [Address, Address])[]): PoolFixture {
  const moved = moves.map(([from, to]) => ({ from, to, bytes: Buffer.from(addressBytes(from)) }));
  const at = (key: Address): Address => moved.find(({ from }) => from === key)?.to ?? key;
  const accounts = [...fixture.accounts].map(([key, account]) => {
    const data = Buffer.from(account.data);
    for (const { bytes, to } of moved) {
      for (let found = data.indexOf(bytes); found >= 0; found = data.indexOf(bytes, found + 32)) {
        data.set(addressBytes(to), found);
      }
    }
    return [at(key), { ...account, data: Uint8Array.from(data) }] as const;
  });
  return { ...fixture, id: at(fixture.id), accounts: new Map(accounts) };
}

/** Decodes a fixture the way a catalogue does: only the pool and the dependencies it declares are readable. */
export function decodeFixture(exchange: Exchange, fixture: PoolFixture, change: Partial<PoolFacts> = {}) {
  const account = fixture.accounts.get(fixture.id);
  const readable = new Set([
    fixture.id,
    ...(account === undefined
      ? []
      : exchange.dependencies(
          fixture.id,
          account,
          fixture.mints.map(({ mint }) => mint),
        )),
  ]);
  return exchange.decode(
    {
      id: fixture.id,
      asked: fixture.mints.map((facts) => facts.mint),
      get: (key) => (readable.has(key) ? (fixture.accounts.get(key) ?? null) : null),
    },
    buildFacts(fixture.mints, change),
  );
}

export function poolOf(
  exchange: Exchange,
  fixture: PoolFixture,
  change: Partial<PoolFacts> = {},
): ExchangePool {
  const pool = decodeFixture(exchange, fixture, change);
  if (isRefusal(pool)) throw new Error(`refused (${pool.reason}): ${pool.detail}`);
  return pool;
}
