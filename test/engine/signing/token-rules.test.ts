import {
  type Address,
  type Instruction,
  NO_SPEC_EXTENSIONS,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@tradepost/solana';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CreateTokenParams } from '../../../src/engine/intents/kinds/create-token/params.ts';
import type { IntentParams } from '../../../src/engine/intents/kinds/params.ts';
import type { RevokeAuthorityParams } from '../../../src/engine/intents/kinds/revoke-authority/params.ts';
import { assertPolicy } from '../../../src/engine/signing/rules/policy.ts';
import type { PolicyRule } from '../../../src/engine/signing/rules/policy-rule.ts';
import { sameInstructions } from '../../../src/engine/signing/rules/token-rules.ts';
import {
  type Creation,
  createTokenInstructions,
  finishTokenInstructions,
  prepareTokenInstructions,
} from '../../../src/modules/mint/rules/instructions/create-token.ts';
import { revokeInstruction } from '../../../src/modules/mint/rules/instructions/revoke-authority.ts';
import { dropAuthority } from '../../../src/modules/mint/rules/instructions/token-program.ts';
import { planToken } from '../../../src/modules/mint/rules/plan-token.ts';
import type { TokenSpec } from '../../../src/modules/mint/rules/token-spec.ts';
import { createMessageCompiler } from '../../../src/platform/chain/compiler.ts';
import { createPrograms } from '../../../src/platform/chain/programs.ts';
import { aToken2022Draft } from '../../modules/mint/drafts.ts';
import { addressOf, buildIntent, INTENT_ID, TREASURY, WALLET } from '../intents/build.ts';

const programs = createPrograms();
const compiler = createMessageCompiler();
const NEW_MINT = addressOf(50);
const STRANGER = addressOf(66);
const FEE = 20_000_000n;
const RENT = 3_000_000n;

const SPEC: TokenSpec = {
  program: 'token2022',
  name: 'Puppy',
  symbol: 'PUP',
  decimals: 6,
  supply: 10n ** 15n,
  mintTo: WALLET,
  mintAuthority: false,
  freezeAuthority: true,
  updateAuthority: true,
  extensions: { ...NO_SPEC_EXTENSIONS, permanentDelegate: addressOf(51), defaultAccountState: 'frozen' },
};
const PARAMS: CreateTokenParams = {
  kind: 'create-token',
  spec: SPEC,
  way: 'native',
  uri: 'https://meta.example.org/x.json',
  metadataHash: null,
  recordLamports: 0n,
  mintRentLamports: RENT,
  holdingRentLamports: 2_074_080n,
  feeLamports: FEE,
  tier: 'normal',
};

const partsOf = (spec: TokenSpec, change: Partial<Creation> = {}): Creation => ({
  spec,
  way: 'native',
  uri: PARAMS.uri,
  creator: WALLET,
  mint: NEW_MINT,
  holding: programs.associatedTokenAddress(spec.mintTo, NEW_MINT, TOKEN_2022_PROGRAM),
  record: null,
  mintRentLamports: RENT,
  fee: { treasury: TREASURY, lamports: FEE },
  ...change,
});
const creation = (spec: TokenSpec, change: Partial<Creation> = {}): readonly Instruction[] =>
  createTokenInstructions(partsOf(spec, change));

function judge(params: IntentParams, own: readonly Instruction[]): PolicyRule | 'signed' {
  const budget = programs.computeBudget({ units: 50_000, microLamportsPerUnit: 1_000n });
  const { bytes } = compiler.compile({
    payer: WALLET,
    blockhash: addressOf(99),
    instructions: [...budget, programs.memo(INTENT_ID), ...own],
  });
  try {
    assertPolicy(bytes, {
      intent: buildIntent({ params }),
      wallet: WALLET,
      treasury: TREASURY,
      venuePrograms: [],
    });
    return 'signed';
  } catch (error) {
    return (error as { details: { rule: PolicyRule } }).details.rule;
  }
}

describe('the signing policy for a creation', () => {
  it('signs what the intent says, with the fee or a smaller one or none', () => {
    expect(judge(PARAMS, creation(SPEC))).toBe('signed');
    expect(judge(PARAMS, creation(SPEC, { fee: { treasury: TREASURY, lamports: 1n } }))).toBe('signed');
    expect(judge(PARAMS, creation(SPEC, { fee: null }))).toBe('signed');
  });

  it.each<[string, readonly Instruction[]]>([
    ['a higher fee', creation(SPEC, { fee: { treasury: TREASURY, lamports: FEE + 1n } })],
    ['a fee to a stranger', creation(SPEC, { fee: { treasury: STRANGER, lamports: FEE } })],
    ['more rent than agreed', creation(SPEC, { mintRentLamports: RENT + 1n })],
    ['another URI', creation(SPEC, { uri: 'https://evil.example.org/x.json' })],
    ['another supply', creation({ ...SPEC, supply: SPEC.supply + 1n })],
    ['another recipient', creation({ ...SPEC, mintTo: STRANGER })],
    ['a mint authority that was to go', creation({ ...SPEC, mintAuthority: true })],
    ['no freeze authority', creation({ ...SPEC, freezeAuthority: false, extensions: NO_SPEC_EXTENSIONS })],
    [
      'another delegate',
      creation({ ...SPEC, extensions: { ...SPEC.extensions, permanentDelegate: STRANGER } }),
    ],
    [
      'a second payment',
      [...creation(SPEC), programs.transferSol({ from: WALLET, to: TREASURY, lamports: 1n })],
    ],
    [
      'an authority of another mint',
      [...creation(SPEC), dropAuthority(TOKEN_PROGRAM, STRANGER, WALLET, 'mint')],
    ],
    ['one instruction less', creation(SPEC).slice(0, -1)],
    ['its instructions in another order', creation(SPEC).toReversed()],
    ['nothing', []],
  ])('refuses %s', (_title, own) => {
    expect(judge(PARAMS, own)).toBe('instruction');
  });

  it('refuses a third signer, and a payment that the mint makes', () => {
    const third = programs.transferSol({ from: STRANGER, to: TREASURY, lamports: 1n });
    expect(judge(PARAMS, [...creation(SPEC), third])).toBe('signers');
    const fromMint = programs.transferSol({ from: NEW_MINT, to: TREASURY, lamports: 1n });
    expect(judge(PARAMS, [...creation(SPEC), fromMint])).toBe('sol-source');
  });

  it('signs both halves of a creation in two, each in its own intent’s name only', () => {
    const preparing: IntentParams = { kind: 'prepare-token', creation: PARAMS, tier: 'normal' };
    const finishing: IntentParams = {
      ...PARAMS,
      prepared: { mint: NEW_MINT, rentLamports: RENT, feeLamports: 10_000n },
    };
    const first = prepareTokenInstructions(partsOf(SPEC));
    const second = finishTokenInstructions(partsOf(SPEC));
    expect(judge(preparing, first)).toBe('signed');
    expect(judge(finishing, second)).toBe('signed');
    expect(judge(finishing, finishTokenInstructions(partsOf(SPEC, { fee: null })))).toBe('signed');
    for (const [params, own] of [
      [preparing, second],
      [preparing, creation(SPEC)],
      [preparing, first.slice(0, -1)],
      // The first half pays nobody: what fails later must have cost no fee.
      [preparing, [programs.transferSol({ from: WALLET, to: TREASURY, lamports: 1n }), ...first]],
      [preparing, prepareTokenInstructions(partsOf(SPEC, { mintRentLamports: RENT + 1n }))],
      [preparing, prepareTokenInstructions(partsOf(SPEC, { uri: 'https://evil.example.org/x.json' }))],
      [finishing, first],
      [finishing, creation(SPEC)],
      [finishing, second.slice(0, -1)],
      [finishing, [...second, ...second.slice(-1)]],
      // Another mint of the same wallet is not this intent's to fill.
      [finishing, finishTokenInstructions(partsOf(SPEC, { mint: STRANGER }))],
      [finishing, finishTokenInstructions(partsOf({ ...SPEC, supply: SPEC.supply + 1n }))],
      [
        finishing,
        finishTokenInstructions(partsOf(SPEC, { fee: { treasury: TREASURY, lamports: FEE + 1n } })),
      ],
      [PARAMS, first],
      [PARAMS, second],
    ] as const) {
      expect(judge(params, own)).toBe('instruction');
    }
  });

  it('refuses a creation in any other intent’s name', () => {
    const buy: IntentParams = {
      kind: 'withdraw-sol',
      destination: TREASURY,
      lamports: FEE,
      everything: false,
      tier: 'normal',
    };
    expect(judge(buy, creation(SPEC))).toBe('signers');
  });

  it('signs every lawful creation, and none with a bit of any instruction changed', () => {
    fc.assert(
      fc.property(aToken2022Draft, fc.nat(), fc.nat(), fc.nat(7), (draft, which, where, bit) => {
        const plan = planToken({
          payer: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
          ...draft,
          mintToPubkey: WALLET,
        });
        if (plan.kind === 'refused') throw new Error('the draft is lawful');
        const { spec } = plan.token;
        const params = { ...PARAMS, spec, uri: 'https://m.example.org/x' };
        const own = creation(spec, { uri: params.uri });
        expect(judge(params, own)).toBe('signed');
        const index = which % own.length;
        const changed = own.map((instruction, at) => {
          if (at !== index) return instruction;
          const data = Uint8Array.from(instruction.data);
          const byte = where % data.length;
          data[byte] = (data[byte] ?? 0) ^ (1 << bit);
          return { ...instruction, data };
        });
        // A smaller fee is the one thing that may differ.
        const isFee =
          index === 0 &&
          new DataView(changed[0]?.data.buffer ?? new ArrayBuffer(12)).getBigUint64(4, true) <= FEE;
        if (!isFee) expect(judge(params, changed)).not.toBe('signed');
      }),
      { numRuns: 60 },
    );
  });
});

describe('the signing policy for a revocation', () => {
  const params = (change: Partial<RevokeAuthorityParams> = {}): RevokeAuthorityParams => ({
    kind: 'revoke-authority',
    mint: NEW_MINT,
    tokenProgram: TOKEN_2022_PROGRAM,
    authority: 'freeze',
    record: null,
    tier: 'normal',
    ...change,
  });
  const revoke = (change: Partial<RevokeAuthorityParams> = {}, holder: Address = WALLET) =>
    revokeInstruction({ ...params(change), holder });

  it('signs exactly the authority of exactly the mint', () => {
    for (const authority of ['mint', 'freeze', 'update'] as const) {
      expect(judge(params({ authority }), [revoke({ authority })])).toBe('signed');
    }
    const record = addressOf(52);
    expect(judge(params({ authority: 'update', record }), [revoke({ authority: 'update', record })])).toBe(
      'signed',
    );
    expect(judge(params(), [revoke({ authority: 'mint' })])).toBe('instruction');
    expect(judge(params(), [revoke({ mint: STRANGER })])).toBe('instruction');
    expect(judge(params(), [revoke({ tokenProgram: TOKEN_PROGRAM })])).toBe('instruction');
    expect(judge(params(), [revoke(), revoke()])).toBe('instruction');
    expect(judge(params(), [])).toBe('instruction');
  });

  it('refuses an authority that is handed to somebody instead of given up', () => {
    const handed = revoke();
    const data = new Uint8Array([6, 1, 1, ...new Uint8Array(32).fill(66)]);
    expect(judge(params(), [{ ...handed, data }])).toBe('instruction');
  });
});

describe('the same instructions', () => {
  const meta = (n: number) => ({ address: addressOf(n), signer: false, writable: true });
  const one: Instruction = {
    programId: TOKEN_PROGRAM,
    accounts: [meta(1), meta(2)],
    data: Uint8Array.of(7, 8),
  };

  it.each<[string, readonly Instruction[]]>([
    ['nothing', []],
    ['one more', [one, one]],
    ['another program', [{ ...one, programId: TOKEN_2022_PROGRAM }]],
    ['an account less', [{ ...one, accounts: [meta(1)] }]],
    ['an account more', [{ ...one, accounts: [meta(1), meta(2), meta(3)] }]],
    ['accounts that change places', [{ ...one, accounts: [meta(2), meta(1)] }]],
    ['a byte less', [{ ...one, data: Uint8Array.of(7) }]],
    ['a byte more', [{ ...one, data: Uint8Array.of(7, 8, 0) }]],
    ['another byte', [{ ...one, data: Uint8Array.of(7, 9) }]],
  ])('are not %s, whichever of the two is expected', (_, other) => {
    expect(sameInstructions([one], [one])).toBe(true);
    expect(sameInstructions(other, [one])).toBe(false);
    expect(sameInstructions([one], other)).toBe(false);
  });
});
