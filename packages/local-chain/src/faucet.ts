import { PublicKey, SystemProgram, TransactionInstruction, TransactionMessage } from '@solana/web3.js';
import type { Address } from './address.ts';
import type { LocalChain, SubmitResult } from './chain.ts';
import type { ChainKey } from './keys.ts';
import { MEMO_PROGRAM } from './programs.ts';
import { decodeTransaction } from './wire.ts';

export interface Faucet {
  readonly address: Address;
  /** Sends play SOL by an ordinary transaction, so that it shows in histories and subscriptions like any other. */
  airdrop(to: Address, lamports: bigint): SubmitResult;
}

export function createFaucet(chain: LocalChain, key: ChainKey): Faucet {
  let count = 0;
  return {
    address: key.address,
    airdrop: (to, lamports) => {
      count += 1;
      const payerKey = new PublicKey(key.address);
      const message = new TransactionMessage({
        payerKey,
        recentBlockhash: chain.slots.hashOf(chain.slots.tip()),
        instructions: [
          SystemProgram.transfer({ fromPubkey: payerKey, toPubkey: new PublicKey(to), lamports }),
          // Two equal airdrops in one slot would otherwise be one transaction, and the second a duplicate.
          new TransactionInstruction({
            programId: new PublicKey(MEMO_PROGRAM),
            keys: [],
            data: Buffer.from(`airdrop ${count}`),
          }),
        ],
      }).compileToLegacyMessage();
      const bytes = message.serialize();
      const wire = Buffer.concat([Uint8Array.of(1), key.sign(bytes), bytes]);
      return chain.submit(decodeTransaction(wire), { signaturesVerified: true });
    },
  };
}
