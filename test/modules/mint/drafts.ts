import { addressFromBytes, isOnCurve } from '@tradepost/solana';
import fc from 'fast-check';
import type { TokenDraft } from '../../../src/modules/mint/rules/token-draft.ts';

export const anAddress = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(addressFromBytes);
export const aWallet = anAddress.filter(isOnCurve);

const letters = (max: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b', 'X', 'Y', '0', '9', 'é'), minLength: 1, maxLength: max });
const uri = fc
  .string({ unit: fc.constantFrom('a', 'b', '0', '/', '-'), maxLength: 150 })
  .map((path) => `https://meta.example.org/${path}`);

/** What both programs take. */
const common = {
  symbol: letters(5),
  name: letters(16),
  metadataUri: uri,
  decimals: fc.integer({ min: 0, max: 9 }),
  mintAuthority: fc.boolean(),
  freezeAuthority: fc.boolean(),
  updateAuthority: fc.boolean(),
};

export const aTokenDraft: fc.Arbitrary<Omit<TokenDraft, 'payer'>> = fc.record(
  { ...common, program: fc.constant('token') },
  { requiredKeys: ['symbol', 'program'] },
);

/** Any lawful set of extensions: groups whole, nothing that contradicts something else. */
export const aToken2022Draft: fc.Arbitrary<Omit<TokenDraft, 'payer'>> = fc
  .record({
    base: fc.record(
      { ...common, program: fc.constant('token2022') },
      { requiredKeys: ['symbol', 'program', 'freezeAuthority'] },
    ),
    fee: fc.option(
      fc.record({
        transferFeeConfigAuthority: anAddress,
        transferFeeWithdrawalAuthority: anAddress,
        transferFeeBps: fc.integer({ min: 0, max: 10_000 }),
        transferFeeMax: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String),
      }),
      { nil: {} },
    ),
    interest: fc.option(
      fc.record({
        interestBearingAuthority: anAddress,
        interestBearingPercent: fc.integer({ min: 0, max: 10_000 }).map((bps) => bps / 100),
      }),
      { nil: {} },
    ),
    others: fc.record(
      { permanentDelegate: anAddress, mintCloseAuthority: anAddress, nonTransferableMint: fc.boolean() },
      { requiredKeys: [] },
    ),
    state: fc.constantFrom(undefined, 'initialized', 'frozen'),
  })
  .map(({ base, fee, interest, others, state }) => ({
    ...base,
    ...fee,
    ...interest,
    ...others,
    ...('transferFeeBps' in fee ? { nonTransferableMint: false } : {}),
    ...(state === undefined || (state === 'frozen' && !base.freezeAuthority)
      ? {}
      : { defaultAccountState: { state } }),
  }));
