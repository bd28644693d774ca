/** Reads the chain for the tour, by plain JSON-RPC: a second opinion that shares no code with the product. */
export type ChainReader = {
  readonly lamports: (address: string) => Promise<bigint>;
  /** Lamports that a token account of the first program costs now. */
  readonly tokenAccountRent: () => Promise<bigint>;
  readonly tokens: (owner: string, mint: string) => Promise<bigint>;
  readonly transaction: (signature: string) => Promise<LandedTransaction>;
  readonly finalized: (signature: string) => Promise<boolean>;
  readonly signatures: (address: string) => Promise<readonly string[]>;
};

export type LandedTransaction = {
  readonly feeLamports: bigint;
  /** Lamports each account gained or lost. */
  readonly deltas: ReadonlyMap<string, bigint>;
};

type Raw = {
  readonly meta: {
    readonly err: unknown;
    readonly fee: number;
    readonly preBalances: number[];
    readonly postBalances: number[];
  };
  readonly transaction: {
    readonly message: { readonly accountKeys: readonly { readonly pubkey: string }[] };
  };
};

const TOKEN_ACCOUNT_BYTES = 165;

export function createChainReader(rpcUrl: string): ChainReader {
  const call = async <T>(method: string, params: readonly unknown[]): Promise<T> => {
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const body = (await response.json()) as {
      readonly result?: T;
      readonly error?: { readonly message: string };
    };
    if (body.error !== undefined) throw new Error(`${method}: ${body.error.message}`);
    return body.result as T;
  };
  const confirmed = { commitment: 'confirmed' };
  return {
    tokenAccountRent: async () =>
      BigInt(await call<number>('getMinimumBalanceForRentExemption', [TOKEN_ACCOUNT_BYTES])),
    lamports: async (address) =>
      BigInt((await call<{ value: number }>('getBalance', [address, confirmed])).value),
    tokens: async (owner, mint) => {
      type Accounts = {
        value: { account: { data: { parsed: { info: { tokenAmount: { amount: string } } } } } }[];
      };
      const { value } = await call<Accounts>('getTokenAccountsByOwner', [
        owner,
        { mint },
        { ...confirmed, encoding: 'jsonParsed' },
      ]);
      return value.reduce(
        (sum, { account }) => sum + BigInt(account.data.parsed.info.tokenAmount.amount),
        0n,
      );
    },
    transaction: async (signature) => {
      const raw = await call<Raw | null>('getTransaction', [
        signature,
        { ...confirmed, encoding: 'jsonParsed', maxSupportedTransactionVersion: 1 },
      ]);
      if (raw === null) throw new Error(`the chain does not know ${signature}`);
      if (raw.meta.err !== null)
        throw new Error(`${signature} failed on chain: ${JSON.stringify(raw.meta.err)}`);
      return {
        feeLamports: BigInt(raw.meta.fee),
        deltas: new Map(
          raw.transaction.message.accountKeys.map(({ pubkey }, index) => [
            pubkey,
            BigInt(raw.meta.postBalances[index] ?? 0) - BigInt(raw.meta.preBalances[index] ?? 0),
          ]),
        ),
      };
    },
    finalized: async (signature) => {
      const { value } = await call<{ value: ({ confirmationStatus: string } | null)[] }>(
        'getSignatureStatuses',
        [[signature], { searchTransactionHistory: true }],
      );
      return value[0]?.confirmationStatus === 'finalized';
    },
    signatures: async (address) =>
      (
        await call<{ signature: string }[]>('getSignaturesForAddress', [
          address,
          { limit: 1_000, ...confirmed },
        ])
      ).map((entry) => entry.signature),
  };
}
