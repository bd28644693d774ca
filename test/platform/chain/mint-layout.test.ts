import {
  ACCOUNT_SIZE,
  AccountState,
  ExtensionType,
  getMintLen,
  getTransferFeeConfig,
  MintLayout,
  MULTISIG_SIZE,
  TransferFeeConfigLayout,
  unpackMint,
} from '@solana/spl-token';
import { Keypair, PublicKey } from '@solana/web3.js';
import {
  type Address,
  addressBytes,
  type ChainAccount,
  METADATA_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@tradepost/solana';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { address } from '../../../src/core/address/address.ts';
import { decodeMetadata } from '../../../src/platform/chain/metadata-layout.ts';
import { decodeMint, NO_EXTENSIONS } from '../../../src/platform/chain/mint-layout.ts';

const key = () => address(Keypair.generate().publicKey.toBase58());
const mint = key();
const authority = key();

const account = (owner: Address, data: Uint8Array): ChainAccount => ({
  lamports: 1n,
  owner,
  data,
  executable: false,
});

function mintBytes(overrides: { initialised?: boolean; freeze?: Address | null } = {}): Uint8Array {
  const data = Buffer.alloc(82);
  const freeze = overrides.freeze ?? null;
  MintLayout.encode(
    {
      mintAuthorityOption: 1,
      mintAuthority: new PublicKey(authority),
      supply: 2n ** 64n - 1n,
      decimals: 9,
      isInitialized: overrides.initialised ?? true,
      freezeAuthorityOption: freeze === null ? 0 : 1,
      freezeAuthority: freeze === null ? PublicKey.default : new PublicKey(freeze),
    },
    data,
  );
  return data;
}

function extendedMint(entries: readonly (readonly [number, Uint8Array])[], accountType = 1): Uint8Array {
  const tlv = entries.flatMap(([type, value]) => {
    const header = Buffer.alloc(4);
    header.writeUInt16LE(type, 0);
    header.writeUInt16LE(value.length, 2);
    return [header, Buffer.from(value)];
  });
  return Buffer.concat([mintBytes(), Buffer.alloc(165 - 82), Buffer.from([accountType]), ...tlv]);
}

function feeConfig(older: { bps: number; maximum: bigint }, newer: { bps: number; maximum: bigint }) {
  const data = Buffer.alloc(108);
  const fee = (rate: typeof older, epoch: bigint) => ({
    epoch,
    maximumFee: rate.maximum,
    transferFeeBasisPoints: rate.bps,
  });
  TransferFeeConfigLayout.encode(
    {
      transferFeeConfigAuthority: new PublicKey(authority),
      withdrawWithheldAuthority: PublicKey.default,
      withheldAmount: 5n,
      olderTransferFee: fee(older, 10n),
      newerTransferFee: fee(newer, 12n),
    },
    data,
  );
  return data;
}

const pointer = (to: Address) => Buffer.concat([addressBytes(authority), addressBytes(to)]);

/** As the Token-2022 program writes it; that it does is proved over the local chain. */
function nativeMetadata(overrides: { readonly mint?: Address } = {}): Uint8Array {
  const text = (value: string) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(Buffer.byteLength(value));
    return Buffer.concat([length, Buffer.from(value)]);
  };
  return Buffer.concat([
    addressBytes(authority),
    addressBytes(overrides.mint ?? mint),
    text('Puppy'),
    text('PUP'),
    text('https://example.com/p.json'),
    Buffer.alloc(4),
  ]);
}

describe('decodeMint', () => {
  it('reads a plain mint', () => {
    expect(decodeMint(mint, account(TOKEN_PROGRAM, mintBytes({ freeze: mint })))).toEqual({
      tokenProgram: TOKEN_PROGRAM,
      decimals: 9,
      supply: 2n ** 64n - 1n,
      mintAuthority: authority,
      freezeAuthority: mint,
      symbol: null,
      name: null,
      metadataAddress: null,
      extensions: NO_EXTENSIONS,
    });
    expect(decodeMint(mint, account(TOKEN_2022_PROGRAM, mintBytes()))?.freezeAuthority).toBeNull();
  });

  it.each<[string, Address, Uint8Array]>([
    ['another program', key(), mintBytes()],
    ['an uninitialised mint', TOKEN_PROGRAM, mintBytes({ initialised: false })],
    ['a token account', TOKEN_PROGRAM, new Uint8Array(ACCOUNT_SIZE)],
    ['an extended token account', TOKEN_2022_PROGRAM, extendedMint([], 2)],
    ['an extended mint under the old program', TOKEN_PROGRAM, extendedMint([])],
    ['torn data', TOKEN_PROGRAM, mintBytes().subarray(1)],
    [
      'a multisig that looks like a mint',
      TOKEN_2022_PROGRAM,
      Buffer.concat([extendedMint([]), Buffer.alloc(MULTISIG_SIZE - 166)]),
    ],
    [
      'an extension longer than the account',
      TOKEN_2022_PROGRAM,
      extendedMint([[12, new Uint8Array(32)]]).subarray(0, 180),
    ],
    ['an extension shorter than its fields', TOKEN_2022_PROGRAM, extendedMint([[1, new Uint8Array(7)]])],
  ])('refuses %s', (_, program, data) => {
    expect(decodeMint(mint, account(program, data))).toBeNull();
  });

  it('reads transfer fees as the vendor does', () => {
    const rate = fc.record({
      bps: fc.integer({ min: 0, max: 10_000 }),
      maximum: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    });
    fc.assert(
      fc.property(rate, rate, (older, newer) => {
        const data = extendedMint([[ExtensionType.TransferFeeConfig, feeConfig(older, newer)]]);
        expect(data.length).toBe(getMintLen([ExtensionType.TransferFeeConfig]));
        const theirs = getTransferFeeConfig(
          unpackMint(
            new PublicKey(mint),
            {
              data: Buffer.from(data),
              owner: new PublicKey(TOKEN_2022_PROGRAM),
              lamports: 1,
              executable: false,
            },
            new PublicKey(TOKEN_2022_PROGRAM),
          ),
        );
        const ours = decodeMint(mint, account(TOKEN_2022_PROGRAM, data))?.extensions.transferFee;
        expect(ours).toEqual({ authority, older, newer, newerEpoch: 12n });
        expect(theirs?.newerTransferFee.transferFeeBasisPoints).toBe(ours?.newer.bps);
        expect(theirs?.newerTransferFee.maximumFee).toBe(ours?.newer.maximum);
        expect(theirs?.newerTransferFee.epoch).toBe(ours?.newerEpoch);
      }),
      { numRuns: 50 },
    );
  });

  it('reads every power that a holder should know', () => {
    const data = extendedMint([
      [ExtensionType.MintCloseAuthority, addressBytes(authority)],
      [ExtensionType.ConfidentialTransferMint, new Uint8Array(65)],
      [ExtensionType.DefaultAccountState, Uint8Array.of(AccountState.Frozen)],
      [ExtensionType.NonTransferable, new Uint8Array(0)],
      [ExtensionType.InterestBearingConfig, new Uint8Array(52)],
      [ExtensionType.PermanentDelegate, addressBytes(authority)],
      [ExtensionType.TransferHook, Buffer.concat([new Uint8Array(32), addressBytes(authority)])],
      [ExtensionType.PausableConfig, new Uint8Array(33)],
      [999, new Uint8Array(10)],
    ]);
    expect(decodeMint(mint, account(TOKEN_2022_PROGRAM, data))?.extensions).toEqual({
      transferFee: null,
      permanentDelegate: authority,
      defaultFrozen: true,
      nonTransferable: true,
      transferHook: authority,
      mintCloseAuthority: authority,
      pausable: true,
      interestBearing: true,
      confidentialTransfer: true,
    });
  });

  it('takes powers that nobody holds for absent', () => {
    const data = extendedMint([
      [ExtensionType.PermanentDelegate, new Uint8Array(32)],
      [ExtensionType.MintCloseAuthority, new Uint8Array(32)],
      [ExtensionType.TransferHook, new Uint8Array(64)],
      [ExtensionType.DefaultAccountState, Uint8Array.of(AccountState.Initialized)],
    ]);
    expect(decodeMint(mint, account(TOKEN_2022_PROGRAM, data))?.extensions).toEqual(NO_EXTENSIONS);
  });

  it('believes a name inside the mint only when the mint points at itself', () => {
    const read = (to: Address, metadata = nativeMetadata()) =>
      decodeMint(
        mint,
        account(
          TOKEN_2022_PROGRAM,
          extendedMint([
            [18, pointer(to)],
            [19, metadata],
          ]),
        ),
      );
    expect(read(mint)).toMatchObject({ name: 'Puppy', symbol: 'PUP', metadataAddress: mint });
    expect(read(key())).toMatchObject({ name: null, symbol: null });
    expect(read(mint, nativeMetadata({ mint: key() }))).toMatchObject({ name: null });
  });

  it('survives a metadata length that lies, keeping the facts of the mint', () => {
    const metadata = Buffer.from(nativeMetadata());
    metadata.writeUInt32LE(0xffff_ffff, 64);
    const decoded = decodeMint(
      mint,
      account(
        TOKEN_2022_PROGRAM,
        extendedMint([
          [18, pointer(mint)],
          [19, metadata],
        ]),
      ),
    );
    expect(decoded).toMatchObject({ decimals: 9, name: null });
  });

  it('never throws on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), fc.nat(400), (noise, at) => {
        const data = Uint8Array.from(
          extendedMint([
            [18, pointer(mint)],
            [19, nativeMetadata()],
            [1, new Uint8Array(108)],
          ]),
        );
        data.set(noise.subarray(0, Math.max(0, data.length - at)), Math.min(at, data.length));
        decodeMint(mint, account(TOKEN_2022_PROGRAM, data));
        decodeMint(mint, account(TOKEN_2022_PROGRAM, noise));
        decodeMetadata(mint, account(METADATA_PROGRAM, noise));
      }),
      { numRuns: 500 },
    );
  });
});

describe('decodeMetadata', () => {
  function record(
    overrides: { mint?: Address; name?: string; nameLength?: number; key?: number } = {},
  ): Uint8Array {
    const text = (value: string, size: number, length = size) => {
      const out = Buffer.alloc(4 + size);
      out.writeUInt32LE(length, 0);
      out.write(value, 4);
      return out;
    };
    return Buffer.concat([
      Buffer.from([overrides.key ?? 4]),
      addressBytes(authority),
      addressBytes(overrides.mint ?? mint),
      text(overrides.name ?? 'Puppy', 32, overrides.nameLength),
      text('PUP', 10),
      text('https://example.com', 200),
      Buffer.alloc(300),
    ]);
  }

  it('reads name and symbol without their padding', () => {
    expect(decodeMetadata(mint, account(METADATA_PROGRAM, record()))).toEqual({
      name: 'Puppy',
      symbol: 'PUP',
    });
  });

  it.each<[string, ChainAccount]>([
    ['another owner', account(key(), record())],
    ["another mint's record", account(METADATA_PROGRAM, record({ mint: key() }))],
    ['another kind of record', account(METADATA_PROGRAM, record({ key: 6 }))],
    ['a length that lies', account(METADATA_PROGRAM, record({ nameLength: 0xffff_ffff }))],
    ['torn data', account(METADATA_PROGRAM, record().subarray(0, 80))],
  ])('refuses %s', (_, given) => {
    expect(decodeMetadata(mint, given)).toBeNull();
  });
});
