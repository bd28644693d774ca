import { addressFromBytes } from '@tradepost/solana';
import fc from 'fast-check';
import type { CreateTokenParams } from '../../src/engine/intents/kinds/create-token/params.ts';
import type { IntentParams } from '../../src/engine/intents/kinds/params.ts';
import type { IntentOutcome } from '../../src/engine/intents/rules/intent.ts';
import type { TradeTerms } from '../../src/engine/intents/rules/terms.ts';
import type { TokenSpec } from '../../src/modules/mint/rules/token-spec.ts';

/** Values of every column that an intent's rows hold. */

/** Postgres keeps no NUL in a text, and no half of a surrogate pair. */
const someText = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'));
export const anAddress = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(addressFromBytes);
export const anAmount = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const aDelta = fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n });
const aTier = fc.constantFrom('economy' as const, 'normal' as const, 'fast' as const, 'turbo' as const);
export const someTerms: fc.Arbitrary<TradeTerms> = fc.record({
  amountIn: anAmount,
  quotedOut: anAmount,
  minOut: anAmount,
  platformFeeLamports: anAmount,
  priceImpactBps: fc.nat(10_000),
  slippageBps: fc.nat(10_000),
  route: fc.array(
    fc.record({
      venue: someText,
      pool: anAddress,
      percent: fc.nat(100),
      from: fc.option(anAddress),
      to: fc.option(anAddress),
    }),
    { maxLength: 3 },
  ),
});
export const someSpec: fc.Arbitrary<TokenSpec> = fc.record({
  program: fc.constantFrom('token' as const, 'token2022' as const),
  name: someText,
  symbol: someText,
  decimals: fc.nat(18),
  supply: anAmount,
  mintTo: anAddress,
  mintAuthority: fc.boolean(),
  freezeAuthority: fc.boolean(),
  updateAuthority: fc.boolean(),
  extensions: fc.record({
    transferFee: fc.option(
      fc.record({
        configAuthority: anAddress,
        withdrawalAuthority: anAddress,
        bps: fc.nat(10_000),
        maximum: anAmount,
      }),
    ),
    permanentDelegate: fc.option(anAddress),
    defaultAccountState: fc.option(fc.constantFrom('initialized' as const, 'frozen' as const)),
    interest: fc.option(fc.record({ authority: anAddress, bps: fc.nat(10_000) })),
    mintCloseAuthority: fc.option(anAddress),
    nonTransferable: fc.boolean(),
  }),
});
const creation: fc.Arbitrary<CreateTokenParams> = fc.record({
  kind: fc.constant('create-token' as const),
  spec: someSpec,
  way: fc.constantFrom('native' as const, 'metaplex' as const, 'none' as const),
  uri: someText,
  metadataHash: fc.option(someText),
  recordLamports: anAmount,
  mintRentLamports: anAmount,
  holdingRentLamports: anAmount,
  feeLamports: anAmount,
  tier: aTier,
});

/** Anything that an intent of each kind can hold. */
export const PARAMS_OF: {
  readonly [K in IntentParams['kind']]: fc.Arbitrary<Extract<IntentParams, { readonly kind: K }>>;
} = {
  'withdraw-sol': fc.record({
    kind: fc.constant('withdraw-sol' as const),
    destination: anAddress,
    lamports: anAmount,
    everything: fc.boolean(),
    tier: aTier,
  }),
  'withdraw-token': fc.record(
    {
      kind: fc.constant('withdraw-token' as const),
      mint: anAddress,
      tokenProgram: anAddress,
      decimals: fc.nat(255),
      destination: anAddress,
      amount: anAmount,
      tier: aTier,
      worth: fc.option(anAmount),
    },
    { requiredKeys: ['kind', 'mint', 'tokenProgram', 'decimals', 'destination', 'amount', 'tier'] },
  ),
  buy: fc.record({
    kind: fc.constant('buy' as const),
    mint: anAddress,
    lamportsIn: anAmount,
    terms: someTerms,
    tier: aTier,
  }),
  sell: fc.record({
    kind: fc.constant('sell' as const),
    mint: anAddress,
    amountIn: anAmount,
    terms: someTerms,
    tier: aTier,
  }),
  payout: fc.record({
    kind: fc.constant('payout' as const),
    items: fc.array(fc.record({ inviterId: someText, recipient: anAddress, lamports: anAmount })),
  }),
  'prepare-token': fc.record({ kind: fc.constant('prepare-token' as const), creation, tier: aTier }),
  'create-token': fc.oneof(
    creation,
    fc
      .tuple(creation, fc.record({ mint: anAddress, rentLamports: anAmount, feeLamports: anAmount }))
      .map(([params, prepared]) => ({ ...params, prepared })),
  ),
  'revoke-authority': fc.record({
    kind: fc.constant('revoke-authority' as const),
    mint: anAddress,
    tokenProgram: anAddress,
    authority: fc.constantFrom('mint' as const, 'freeze' as const, 'update' as const),
    record: fc.option(anAddress),
    tier: aTier,
  }),
  'close-accounts': fc.record({
    kind: fc.constant('close-accounts' as const),
    accounts: fc.array(fc.record({ account: anAddress, tokenProgram: anAddress }), {
      minLength: 1,
      maxLength: 15,
    }),
    rentLamports: anAmount,
    tier: aTier,
  }),
  launch: fc.record({
    kind: fc.constant('launch' as const),
    pad: someText,
    program: fc.option(anAddress),
    config: fc.option(anAddress),
    spec: someSpec,
    uri: someText,
    metadataHash: fc.option(someText),
    firstBuy: fc.option(
      fc.record({
        lamports: anAmount,
        quotedTokens: anAmount,
        minTokens: anAmount,
        slippageBps: fc.nat(10_000),
      }),
    ),
    costLamports: anAmount,
    feeLamports: anAmount,
    tier: aTier,
  }),
};

export const someOutcome: fc.Arbitrary<IntentOutcome> = fc.record({
  reason: fc.option(someText),
  details: fc.oneof(fc.constant(null), fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), someText)),
  receipt: fc.option(
    fc.record({
      signature: someText,
      slot: anAmount,
      landedAt: fc.option(fc.nat()),
      feeLamports: anAmount,
      baseFeeLamports: anAmount,
      priorityFeeLamports: anAmount,
      walletLamportsDelta: aDelta,
      tokenDeltas: fc.array(fc.record({ mint: anAddress, delta: aDelta })),
      rentLamports: aDelta,
      platformFeeLamports: anAmount,
    }),
  ),
});
