import { addressFromBytes, isOnCurve } from '@tradepost/solana';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { interestBps } from '../../../src/modules/mint/rules/plan-extensions.ts';
import { maxWholeTokens, planToken } from '../../../src/modules/mint/rules/plan-token.ts';
import type { TokenProblem } from '../../../src/modules/mint/rules/problem.ts';
import type { TokenDraft } from '../../../src/modules/mint/rules/token-draft.ts';
import { tokenPowers } from '../../../src/modules/mint/rules/token-powers.ts';
import { aToken2022Draft, aTokenDraft, aWallet } from './drafts.ts';

const PAYER = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';
const OTHER = '7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs';
const OFF_CURVE = Array.from({ length: 32 }, (_, byte) =>
  addressFromBytes(new Uint8Array(32).fill(byte + 1)),
).find((candidate) => !isOnCurve(candidate))!;
const FEE = {
  transferFeeConfigAuthority: OTHER,
  transferFeeWithdrawalAuthority: OTHER,
  transferFeeBps: 100,
  transferFeeMax: '5',
};
const INTEREST = { interestBearingAuthority: OTHER, interestBearingPercent: 2.5 };

function problems(draft: Partial<TokenDraft>): readonly (readonly [string, TokenProblem['code']])[] {
  const plan = planToken({ payer: PAYER, symbol: 'PUP', ...draft });
  return plan.kind === 'planned' ? [] : plan.problems.map(({ field, code }) => [field, code] as const);
}

function planned(draft: Partial<TokenDraft>) {
  const plan = planToken({ payer: PAYER, symbol: 'PUP', ...draft });
  if (plan.kind === 'refused')
    throw new Error(JSON.stringify(plan.problems, (_k, v) => (typeof v === 'bigint' ? `${v}` : v)));
  return plan.token;
}

/** Row by row: what is sent, and which field is blamed for what. */
const REFUSED: readonly (readonly [string, Partial<TokenDraft>, string, TokenProblem['code']])[] = [
  ['a payer that is no address', { payer: 'me' }, 'payer', 'ADDRESS_INVALID'],
  ['a payer that nobody can sign for', { payer: OFF_CURVE }, 'payer', 'ADDRESS_NOT_A_WALLET'],
  ['no symbol', { symbol: '' }, 'symbol', 'FIELD_REQUIRED'],
  ['a symbol of 11 bytes', { symbol: 'ABCDEFGHIJK' }, 'symbol', 'TEXT_TOO_LONG'],
  ['a symbol of three emoji', { symbol: '😀😀😀' }, 'symbol', 'TEXT_TOO_LONG'],
  ['a name of 33 bytes made of emoji', { name: `${'😀'.repeat(8)}a` }, 'name', 'TEXT_TOO_LONG'],
  ['an empty name', { name: '' }, 'name', 'TEXT_UNPRINTABLE'],
  ['a name with a line break', { name: 'a\nb' }, 'name', 'TEXT_UNPRINTABLE'],
  ['a name with a bell', { name: 'a\u0007b' }, 'name', 'TEXT_UNPRINTABLE'],
  ['a name that turns around', { name: 'PUP\u202EXYZ' }, 'name', 'TEXT_UNPRINTABLE'],
  ['a symbol with a zero-width space', { symbol: 'US\u200BDC' }, 'symbol', 'TEXT_UNPRINTABLE'],
  ['a symbol with a joiner between letters', { symbol: 'US\u200DDC' }, 'symbol', 'TEXT_UNPRINTABLE'],
  ['a lone surrogate', { name: 'a\uD800' }, 'name', 'TEXT_UNPRINTABLE'],
  ['a symbol that ends in a space', { symbol: 'PUP ' }, 'symbol', 'TEXT_UNPRINTABLE'],
  ['a mint that is no address', { newMint: 'x' }, 'newMint', 'ADDRESS_INVALID'],
  ['a mint that cannot sign', { newMint: OFF_CURVE }, 'newMint', 'ADDRESS_NOT_A_WALLET'],
  ['a mint that is the payer', { newMint: PAYER }, 'newMint', 'ADDRESS_CONFLICT'],
  ['255 decimals', { decimals: 255 }, 'decimals', 'DECIMALS_OUT_OF_RANGE'],
  ['half a decimal', { decimals: 0.5 }, 'decimals', 'DECIMALS_OUT_OF_RANGE'],
  ['-1 decimals', { decimals: -1 }, 'decimals', 'DECIMALS_OUT_OF_RANGE'],
  ['no supply', { mintSupply: '0', mintToPubkey: PAYER }, 'mintSupply', 'SUPPLY_INVALID'],
  ['a fraction of a token', { mintSupply: '1.5', mintToPubkey: PAYER }, 'mintSupply', 'SUPPLY_INVALID'],
  ['a negative supply', { mintSupply: '-1', mintToPubkey: PAYER }, 'mintSupply', 'SUPPLY_INVALID'],
  ['a supply as an exponent', { mintSupply: '1e9', mintToPubkey: PAYER }, 'mintSupply', 'SUPPLY_INVALID'],
  [
    'a supply above 64 bits',
    { mintSupply: '18446744073710', mintToPubkey: PAYER },
    'mintSupply',
    'SUPPLY_TOO_LARGE',
  ],
  ['the default supply with 18 decimals', { decimals: 18 }, 'mintSupply', 'SUPPLY_TOO_LARGE'],
  ['a supply for nobody', { mintSupply: '5' }, 'mintToPubkey', 'MINT_TO_REQUIRED'],
  ['a recipient that is no address', { mintToPubkey: 'x' }, 'mintToPubkey', 'ADDRESS_INVALID'],
  [
    'a recipient that is the mint',
    { mintToPubkey: OTHER, newMint: OTHER },
    'mintToPubkey',
    'ADDRESS_CONFLICT',
  ],
  ['an unknown program', { program: 'token2023' }, 'program', 'PROGRAM_UNKNOWN'],
  [
    'a permanent delegate on a plain token',
    { permanentDelegate: OTHER },
    'permanentDelegate',
    'NEEDS_TOKEN2022',
  ],
  ['a transfer fee on a plain token', { ...FEE }, 'transferFeeConfigAuthority', 'NEEDS_TOKEN2022'],
  ['a plain token that cannot move', { nonTransferableMint: true }, 'nonTransferableMint', 'NEEDS_TOKEN2022'],
  [
    'a transfer fee above 100 %',
    { program: 'token2022', ...FEE, transferFeeBps: 10_001 },
    'transferFeeBps',
    'TRANSFER_FEE_OUT_OF_RANGE',
  ],
  [
    'half a basis point',
    { program: 'token2022', ...FEE, transferFeeBps: 0.5 },
    'transferFeeBps',
    'TRANSFER_FEE_OUT_OF_RANGE',
  ],
  [
    'a maximum above 64 bits',
    { program: 'token2022', ...FEE, transferFeeMax: '18446744073709551616' },
    'transferFeeMax',
    'TRANSFER_FEE_MAX_INVALID',
  ],
  [
    'a maximum that is no number',
    { program: 'token2022', ...FEE, transferFeeMax: 'all' },
    'transferFeeMax',
    'TRANSFER_FEE_MAX_INVALID',
  ],
  [
    'interest above 100 %',
    { program: 'token2022', ...INTEREST, interestBearingPercent: 100.01 },
    'interestBearingPercent',
    'INTEREST_OUT_OF_RANGE',
  ],
  [
    'negative interest',
    { program: 'token2022', ...INTEREST, interestBearingPercent: -1 },
    'interestBearingPercent',
    'INTEREST_OUT_OF_RANGE',
  ],
  [
    'a third decimal of interest',
    { program: 'token2022', ...INTEREST, interestBearingPercent: 1.005 },
    'interestBearingPercent',
    'INTEREST_OUT_OF_RANGE',
  ],
  [
    'an uninitialized default state',
    { program: 'token2022', defaultAccountState: { state: 'uninitialized' } },
    'defaultAccountState',
    'ACCOUNT_STATE_INVALID',
  ],
  [
    'no default state',
    { program: 'token2022', defaultAccountState: {} },
    'defaultAccountState',
    'ACCOUNT_STATE_INVALID',
  ],
  [
    'frozen accounts without a freeze authority',
    { program: 'token2022', defaultAccountState: { state: 'frozen' } },
    'defaultAccountState',
    'FROZEN_NEEDS_FREEZE_AUTHORITY',
  ],
  [
    'a fee on transfers that cannot be',
    { program: 'token2022', ...FEE, nonTransferableMint: true },
    'nonTransferableMint',
    'NON_TRANSFERABLE_WITH_FEE',
  ],
  ['a metadata URI over http', { metadataUri: 'http://example.org/x' }, 'metadataUri', 'URI_INVALID'],
  ['a metadata URI into the house', { metadataUri: 'file:///etc/passwd' }, 'metadataUri', 'URI_INVALID'],
  ['a metadata URI that is a script', { metadataUri: 'javascript:alert(1)' }, 'metadataUri', 'URI_INVALID'],
  [
    'a metadata URI with a password',
    { metadataUri: 'https://a:b@example.org/' },
    'metadataUri',
    'URI_INVALID',
  ],
  ['a metadata URI with markup', { metadataUri: 'https://example.org/"><b>' }, 'metadataUri', 'URI_INVALID'],
  ['an empty metadata URI', { metadataUri: '' }, 'metadataUri', 'URI_INVALID'],
  [
    'a metadata URI of 201 bytes',
    { metadataUri: `https://example.org/${'x'.repeat(181)}` },
    'metadataUri',
    'TEXT_TOO_LONG',
  ],
  [
    'a picture that is a script',
    { metadata: { imageUri: 'javascript:alert(1)' } },
    'metadata.imageUri',
    'LINK_INVALID',
  ],
  [
    'a picture inside the document',
    { metadata: { imageUri: 'data:image/svg+xml,<svg onload=alert(1)>' } },
    'metadata.imageUri',
    'LINK_INVALID',
  ],
  [
    'a link that is a script',
    { metadata: { extensions: { website: 'javascript:alert(1)' } } },
    'metadata.extensions.website',
    'LINK_INVALID',
  ],
  [
    'a description that turns around',
    { metadata: { description: 'a\u202Eb' } },
    'metadata.description',
    'TEXT_UNPRINTABLE',
  ],
  [
    'a long description',
    { metadata: { description: 'x'.repeat(1_001) } },
    'metadata.description',
    'TEXT_TOO_LONG',
  ],
  ['eleven tags', { metadata: { tags: 'a,b,c,d,e,f,g,h,i,j,k' } }, 'metadata.tags', 'TAGS_TOO_MANY'],
];

describe('planToken', () => {
  it.each(REFUSED)('refuses %s', (_title, draft, field, code) => {
    expect(problems(draft)).toContainEqual([field, code]);
  });

  it('refuses each incomplete group, naming each field that is missing', () => {
    for (const [group, code] of [
      [FEE, 'TRANSFER_FEE_INCOMPLETE'],
      [INTEREST, 'INTEREST_INCOMPLETE'],
    ] as const) {
      const fields = Object.keys(group);
      for (let mask = 1; mask < 2 ** fields.length - 1; mask += 1) {
        const given = Object.fromEntries(Object.entries(group).filter((_, index) => mask & (1 << index)));
        const missing = fields.filter((field) => !(field in given));
        expect(problems({ program: 'token2022', ...given })).toEqual(missing.map((field) => [field, code]));
      }
    }
  });

  it('names everything that is wrong at once', () => {
    expect(
      problems({
        payer: 'x',
        symbol: '',
        decimals: 99,
        mintSupply: '0',
        program: 'token2022',
        transferFeeBps: 20_000,
        defaultAccountState: { state: 'frozen' },
      }).map(([field]) => field),
    ).toEqual([
      'payer',
      'symbol',
      'decimals',
      'mintSupply',
      'mintToPubkey',
      'transferFeeConfigAuthority',
      'transferFeeWithdrawalAuthority',
      'transferFeeMax',
      'transferFeeBps',
      'defaultAccountState',
    ]);
  });

  it('fills in what is left out: the symbol as name, 6 decimals, 10^9 tokens to the payer, a mint authority', () => {
    const token = planned({});
    expect(token.spec).toMatchObject({
      program: 'token',
      name: 'PUP',
      symbol: 'PUP',
      decimals: 6,
      supply: 10n ** 15n,
      mintTo: PAYER,
      mintAuthority: true,
      freezeAuthority: false,
      updateAuthority: true,
    });
    expect(token.newMint).toBeNull();
    expect(tokenPowers(token.spec, token.payer, 'metaplex').map(({ code }) => code)).toEqual([
      'MINT_MORE',
      'CHANGE_METADATA',
    ]);
  });

  it('does not look at metadata when a URI is given', () => {
    const token = planned({ metadataUri: 'ipfs://bafy/x.json', metadata: { imageUri: 'javascript:x' } });
    expect(token.metadata).toEqual({ kind: 'uri', uri: 'ipfs://bafy/x.json' });
  });

  it('takes names as people write them: accents, emoji with joiners, flags, inner spaces', () => {
    for (const name of ['Crème brûlée', '👩‍🚀 in space', '❤️', '🇪🇸', '犬', 'a  b', '1️⃣']) {
      expect(planned({ name }).spec.name).toBe(name);
    }
  });

  it('takes 0 decimals, and the largest supply that fits, and not one token more', () => {
    expect(planned({ decimals: 0 }).spec.supply).toBe(10n ** 9n);
    for (let decimals = 0; decimals <= 18; decimals += 1) {
      const most = maxWholeTokens(decimals);
      const ask = (whole: bigint) =>
        problems({ decimals, mintSupply: whole.toString(), mintToPubkey: PAYER });
      expect(ask(most)).toEqual([]);
      expect(ask(most + 1n).map(([, code]) => code)).toEqual(
        // Twenty digits are the most that are read as a number at all.
        [(most + 1n).toString().length > 20 ? 'SUPPLY_INVALID' : 'SUPPLY_TOO_LARGE'],
      );
    }
  });

  it('keeps percent and basis points apart: 2.5 is 250', () => {
    expect(planned({ program: 'token2022', ...INTEREST }).spec.extensions.interest?.bps).toBe(250);
    for (let bps = 0; bps <= 10_000; bps += 1) expect(interestBps(bps / 100)).toBe(bps);
    expect(interestBps(Number.NaN)).toBeNull();
  });

  it('plans every lawful draft, with the extensions that were asked for and no others', () => {
    fc.assert(
      fc.property(aWallet, fc.oneof(aTokenDraft, aToken2022Draft), (payer, draft) => {
        const { spec } = planned({ payer, ...draft });
        const { extensions } = spec;
        expect(extensions.transferFee?.bps).toBe(draft.transferFeeBps);
        expect(extensions.permanentDelegate).toBe(draft.permanentDelegate ?? null);
        expect(extensions.mintCloseAuthority).toBe(draft.mintCloseAuthority ?? null);
        expect(extensions.nonTransferable).toBe(draft.nonTransferableMint ?? false);
        expect(extensions.defaultAccountState).toBe(draft.defaultAccountState?.state ?? null);
        expect(spec.supply).toBe(10n ** 9n * 10n ** BigInt(spec.decimals));
      }),
      { numRuns: 60 },
    );
  });

  it('answers any draft with a plan or with problems, and never throws', () => {
    const anything = fc.oneof(fc.string(), fc.string({ unit: 'binary' }));
    const anyDraft = fc.record(
      {
        payer: anything,
        symbol: anything,
        name: anything,
        newMint: anything,
        metadataUri: anything,
        metadata: fc.record(
          { description: anything, tags: anything, imageUri: anything },
          { requiredKeys: [] },
        ),
        decimals: fc.oneof(fc.double(), fc.integer()),
        mintSupply: anything,
        mintToPubkey: anything,
        program: fc.constantFrom('token', 'token2022', 'x'),
        transferFeeBps: fc.double(),
        transferFeeMax: anything,
        interestBearingPercent: fc.double(),
        defaultAccountState: fc.record({ state: anything }, { requiredKeys: [] }),
        nonTransferableMint: fc.boolean(),
      },
      { requiredKeys: ['payer'] },
    );
    fc.assert(
      fc.property(anyDraft, (draft) => {
        const plan = planToken(draft);
        if (plan.kind === 'refused') expect(plan.problems.length).toBeGreaterThan(0);
      }),
    );
  });
});
