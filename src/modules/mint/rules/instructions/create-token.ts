import { type Address, type Instruction, type MetadataWay, mintSize } from '@tradepost/solana';
import { tokenProgramOf } from '../mint-size.ts';
import type { TokenSpec } from '../token-spec.ts';
import { initializeExtensions, initializeMetadataPointer } from './extensions.ts';
import { createMetaplexRecord, initializeNativeMetadata, sealNativeMetadata } from './metadata.ts';
import {
  createAccount,
  dropAuthority,
  initializeMint,
  mintTo,
  openAssociatedAccount,
  thawAccount,
  transferSol,
} from './token-program.ts';

export type Creation = {
  readonly spec: TokenSpec;
  readonly way: MetadataWay;
  readonly uri: string;
  /** Pays, and holds the authorities that are kept. */
  readonly creator: Address;
  /** Signs too: its account is made here. */
  readonly mint: Address;
  /** The recipient's associated account. */
  readonly holding: Address;
  /** The Metaplex record's address; read for `metaplex` alone. */
  readonly record: Address | null;
  /** Rent of the finished mint. */
  readonly mintRentLamports: bigint;
  readonly fee: { readonly treasury: Address; readonly lamports: bigint } | null;
};

type Mint = Omit<Creation, 'holding' | 'fee'>;

/**
 * Every instruction of a creation, in the order the programs demand: space without the metadata but rent with it, extensions before the
 * mint, metadata after it. Then the recipient's account is thawed where accounts are born frozen, the supply is minted, and authorities are
 * given up last. All or nothing in one transaction. The signing policy rebuilds this very list, so nothing else is ever signed in a
 * creation's name. Throws a RangeError for `metaplex` without a record's address.
 */
export function createTokenInstructions(creation: Creation): readonly Instruction[] {
  return [...payFee(creation), ...mintInstructions(creation), ...supplyInstructions(creation)];
}

/** The first of two transactions: the mint with its name. Only the creator can fill it. */
export function prepareTokenInstructions(mint: Mint): readonly Instruction[] {
  return mintInstructions(mint);
}

/**
 * The second: the fee, the supply, and the authorities that are given up. Without it there is a mint without supply. The creator holds all
 * its authorities, so nothing can be taken by anybody else.
 */
export function finishTokenInstructions(creation: Creation): readonly Instruction[] {
  return [...payFee(creation), ...supplyInstructions(creation)];
}

function payFee({ creator, fee }: Creation): readonly Instruction[] {
  return fee === null ? [] : [transferSol(creator, fee.treasury, fee.lamports)];
}

function mintInstructions(creation: Mint): readonly Instruction[] {
  const { spec, way, uri, creator, mint } = creation;
  const program = tokenProgramOf(spec);
  const texts = { name: spec.name, symbol: spec.symbol, uri };
  const isNative = way === 'native';
  return [
    createAccount({
      payer: creator,
      account: mint,
      lamports: creation.mintRentLamports,
      space: mintSize(spec, way, uri).allocated,
      owner: program,
    }),
    ...initializeExtensions(mint, spec.extensions),
    ...(isNative ? [initializeMetadataPointer(mint)] : []),
    initializeMint(program, {
      mint,
      decimals: spec.decimals,
      mintAuthority: creator,
      freezeAuthority: spec.freezeAuthority ? creator : null,
    }),
    ...(isNative ? [initializeNativeMetadata(mint, creator, texts)] : []),
    ...(way === 'metaplex'
      ? [
          createMetaplexRecord(
            { record: recordOf(creation), mint, authority: creator, isMutable: spec.updateAuthority },
            texts,
          ),
        ]
      : []),
  ];
}

function supplyInstructions({ spec, way, creator, mint, holding }: Creation): readonly Instruction[] {
  const program = tokenProgramOf(spec);
  return [
    openAssociatedAccount(program, { payer: creator, account: holding, owner: spec.mintTo, mint }),
    ...(spec.extensions.defaultAccountState === 'frozen'
      ? [thawAccount(program, holding, mint, creator)]
      : []),
    mintTo(program, { mint, account: holding, authority: creator, amount: spec.supply }),
    ...(way === 'native' && !spec.updateAuthority ? [sealNativeMetadata(mint, creator)] : []),
    ...(spec.mintAuthority ? [] : [dropAuthority(program, mint, creator, 'mint')]),
  ];
}

function recordOf({ record }: Mint): Address {
  if (record === null) throw new RangeError('a Metaplex record has an address');
  return record;
}
