import {
  createAssociatedTokenAccountIdempotentInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token';
import { Connection, Keypair, PublicKey, Transaction } from '@solana/web3.js';

/** The chain as any client sees it: plain JSON-RPC, no code shared with the product. */
export type Chain = {
  readonly lamports: (address: string) => Promise<bigint>;
  /** Lamports that a token account costs. */
  readonly accountRent: () => Promise<bigint>;
  readonly units: (owner: string, mint: string) => Promise<bigint>;
  /** What was ever done with `address`, newest first; `error` null = it worked. */
  readonly history: (
    address: string,
  ) => Promise<
    readonly { readonly signature: string; readonly error: unknown; readonly memo: string | null }[]
  >;
  /** A token that the local exchanges sell for SOL. */
  readonly anyMint: () => Promise<string>;
  /** Opens an empty account of the mint for somebody, at a stranger's cost. */
  readonly openAccount: (owner: string, mint: string) => Promise<void>;
};

const WSOL = 'So11111111111111111111111111111111111111112';
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';

export function readChain(rpcUrl: string): Chain {
  async function call<T>(method: string, params: readonly unknown[]): Promise<T> {
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const body = (await response.json()) as { readonly result?: T; readonly error?: unknown };
    if (body.error !== undefined) throw new Error(`${method}: ${JSON.stringify(body.error)}`);
    return body.result as T;
  }
  const confirmed = { commitment: 'confirmed' };
  return {
    accountRent: async () => BigInt(await call<number>('getMinimumBalanceForRentExemption', [165])),
    lamports: async (address) =>
      BigInt((await call<{ value: number }>('getBalance', [address, confirmed])).value),
    units: async (owner, mint) => {
      type Held = { account: { data: { parsed: { info: { tokenAmount: { amount: string } } } } } };
      const { value } = await call<{ value: Held[] }>('getTokenAccountsByOwner', [
        owner,
        { mint },
        { ...confirmed, encoding: 'jsonParsed' },
      ]);
      return value.reduce((sum, held) => sum + BigInt(held.account.data.parsed.info.tokenAmount.amount), 0n);
    },
    history: async (address) => {
      const entries = await call<{ signature: string; err: unknown; memo: string | null }[]>(
        'getSignaturesForAddress',
        [address, { limit: 1_000, ...confirmed }],
      );
      return entries.map(({ signature, err, memo }) => ({ signature, error: err, memo }));
    },
    anyMint: async () => {
      type Pool = { mintA: string; mintB: string; programA: string };
      const { pools } = (await (await fetch(`${rpcUrl}/desk/pools`)).json()) as { pools: Pool[] };
      const pool = pools.find(({ mintB, programA }) => mintB === WSOL && programA === TOKEN_PROGRAM);
      if (pool === undefined) throw new Error('no exchange sells a token for SOL');
      return pool.mintA;
    },
    openAccount: async (owner, mint) => {
      const payer = Keypair.generate();
      await call('requestAirdrop', [payer.publicKey.toBase58(), 1_000_000_000]);
      const connection = new Connection(rpcUrl, 'confirmed');
      while ((await connection.getBalance(payer.publicKey)) === 0)
        await new Promise((go) => setTimeout(go, 50));
      const [holder, token] = [new PublicKey(owner), new PublicKey(mint)];
      const account = getAssociatedTokenAddressSync(token, holder);
      const opening = createAssociatedTokenAccountIdempotentInstruction(
        payer.publicKey,
        account,
        holder,
        token,
      );
      await connection.sendTransaction(new Transaction().add(opening), [payer]);
      while ((await connection.getAccountInfo(account)) === null)
        await new Promise((go) => setTimeout(go, 50));
    },
  };
}
