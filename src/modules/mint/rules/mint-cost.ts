import {
  type Address,
  METAPLEX_FEE_BYTES,
  METAPLEX_FEE_LAMPORTS,
  METAPLEX_RECORD_BYTES,
  type MetadataWay,
  mintSize,
} from '@tradepost/solana';
import { holdingBytes } from './mint-size.ts';
import type { TokenSpec } from './token-spec.ts';

/** An account that the creation opens, with the lamports that stay locked in it. */
export type OpenedAccount = {
  readonly role: 'mint' | 'holding' | 'metadata';
  readonly bytes: number;
  readonly rentLamports: bigint;
};

/** The cost of a creation apart from network and platform fees. */
export type MintCost = {
  readonly accounts: readonly OpenedAccount[];
  readonly rentLamports: bigint;
  /** The metadata program's own fee; 0 unless it is Metaplex. */
  readonly metadataFeeLamports: bigint;
};

/**
 * Accounts and rent of a creation, at the cluster's own rate: exact, but for the Metaplex record, which some builds of that
 * program make smaller; then it costs less than said here.
 */
export async function mintCost(
  spec: TokenSpec,
  input: {
    readonly way: MetadataWay;
    readonly uri: string;
    readonly creator: Address;
    readonly rentExemption: (bytes: number) => Promise<bigint>;
  },
): Promise<MintCost> {
  const { way, rentExemption } = input;
  const roles: readonly (readonly [OpenedAccount['role'], number])[] = [
    ['mint', mintSize(spec, way, input.uri).total],
    ['holding', holdingBytes(spec, input.creator)],
    ...(way === 'metaplex' ? ([['metadata', METAPLEX_RECORD_BYTES]] as const) : []),
  ];
  const accounts = await Promise.all(
    roles.map(async ([role, bytes]) => ({ role, bytes, rentLamports: await rentExemption(bytes) })),
  );
  return {
    accounts,
    rentLamports: accounts.reduce((sum, opened) => sum + opened.rentLamports, 0n),
    metadataFeeLamports:
      way === 'metaplex' ? (await rentExemption(METAPLEX_FEE_BYTES)) + METAPLEX_FEE_LAMPORTS : 0n,
  };
}
