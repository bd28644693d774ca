import { AccountLayout, AccountState } from '@solana/spl-token';
import { Keypair, PublicKey } from '@solana/web3.js';
import type { Address } from '../src/address.ts';
import { known } from '../src/programs.ts';

export const key = (): Address => known(Keypair.generate().publicKey.toBase58());

/** A token account's bytes as the vendor's own client writes them. */
export function tokenAccountBytes(input: {
  readonly mint: Address;
  readonly owner: Address;
  readonly amount: bigint;
  readonly state?: AccountState;
}): Uint8Array {
  const data = Buffer.alloc(165);
  AccountLayout.encode(
    {
      mint: new PublicKey(input.mint),
      owner: new PublicKey(input.owner),
      amount: input.amount,
      delegateOption: 0,
      delegate: PublicKey.default,
      state: input.state ?? AccountState.Initialized,
      isNativeOption: 0,
      isNative: 0n,
      delegatedAmount: 0n,
      closeAuthorityOption: 0,
      closeAuthority: PublicKey.default,
    },
    data,
  );
  return data;
}
