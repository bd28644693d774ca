import { setTimeout as pause } from 'node:timers/promises';
import { Connection, Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js';

const POLL_MS = 50;

/** Signs a transfer beforehand; what is timed is sending it and polling its status until it is confirmed. */
export async function bareSender(rpcUrl: string): Promise<() => Promise<number>> {
  const connection = new Connection(rpcUrl, 'confirmed');
  const payer = Keypair.generate();
  const airdrop = await connection.requestAirdrop(payer.publicKey, 1_000_000_000);
  const confirmed = async (signature: string): Promise<void> => {
    for (;;) {
      const { value } = await connection.getSignatureStatuses([signature]);
      const level = value[0]?.confirmationStatus;
      if (level === 'confirmed' || level === 'finalized') return;
      await pause(POLL_MS);
    }
  };
  await confirmed(airdrop);
  return async () => {
    const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash('confirmed');
    const transaction = new Transaction({ feePayer: payer.publicKey, blockhash, lastValidBlockHeight }).add(
      SystemProgram.transfer({
        fromPubkey: payer.publicKey,
        toPubkey: new PublicKey(Keypair.generate().publicKey),
        lamports: 1_000_000,
      }),
    );
    transaction.sign(payer);
    const bytes = transaction.serialize();
    const startedAt = performance.now();
    await confirmed(
      await connection.sendRawTransaction(bytes, { maxRetries: 0, preflightCommitment: 'confirmed' }),
    );
    return performance.now() - startedAt;
  };
}
