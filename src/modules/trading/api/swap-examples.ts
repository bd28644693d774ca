/** The example that the documents of quotes and swaps tell: one SOL for dollars. */

export const SOL = 'So11111111111111111111111111111111111111112';
export const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
export const WALLET = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';

/** The body of a swap, a quote of it, and its instructions. */
export const SWAP_BODY = {
  userWalletAddress: WALLET,
  amount: '1000000000',
  fromTokenAddress: SOL,
  toTokenAddress: USDC,
  slippageBps: 500,
};

/** A quote over these venues, with the parts of the amount that they take in percent. */
export const quoteExample = (...protocol: { readonly name: string; readonly percent: string }[]) => ({
  bestRouter: {
    router: 'tradepost' as const,
    subRouters: [{ protocol, fromTokenAddress: SOL, toTokenAddress: USDC }],
  },
  fromTokenAddress: SOL,
  toTokenAddress: USDC,
  fromTokenAmount: '1000000000',
  toTokenAmount: '149551234',
  maxSpendAmount: '1000000000',
  minReceiveAmount: '142073673',
  slippage: '500',
  requestAmount: '1000000000',
  priceImpactPct: '0.12',
  remainders: [],
  expiresAt: '2026-01-01T00:00:10.000Z',
  contextSlot: '345678901',
  quoteId: '01J8ZQ6Y7V3M9T2K4C5D6E7F8G',
  rpc: { calls: 3, accounts: 41 },
  warnings: [],
});

/** The same for a wallet. */
export const WALLET_QUOTE = {
  ...quoteExample({ name: 'Orca Whirlpool', percent: '100' }),
  requester: WALLET,
};

/** A built swap, without the form in which it is handed out. */
export const BUILT_SWAP = {
  ...WALLET_QUOTE,
  expiresAt: '2026-01-01T00:01:00.000Z',
  rpc: { calls: 6, accounts: 45 },
  signers: [WALLET],
  lastValidBlockHeight: '323456789',
  fees: {
    networkFeeLamports: '5000',
    newAccountRentLamports: '0',
    returnedRentLamports: '0',
    referrerFee: '0',
    referrerFeeSent: '0',
    referrerFeeTokenAddress: null,
    tipLamports: '0',
  },
};
