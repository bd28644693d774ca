import { describe, expect, it } from 'vitest';
import { type Address, addressFromBytes } from '../../../src/core/address/address.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WSOL_MINT } from '../../../src/core/address/programs.ts';
import type { Instruction } from '../../../src/core/instruction.ts';
import type { LaunchParams } from '../../../src/core/intents/params.ts';
import { decodeParams, encodeParams } from '../../../src/core/intents/params-codec.ts';
import { deskLaunchInstructions } from '../../../src/core/launch/desk-instructions.ts';
import { createTokenInstructions } from '../../../src/core/mint/instructions/create-token.ts';
import { openAssociatedAccount, transferSol } from '../../../src/core/mint/instructions/token-program.ts';
import { NO_SPEC_EXTENSIONS } from '../../../src/core/mint/token-spec.ts';
import { decodeInstruction } from '../../../src/core/signing/decode-instruction.ts';
import { brokenLaunchRule, isDeskLaunch } from '../../../src/core/signing/launch-rule.ts';

const key = (byte: number): Address => addressFromBytes(new Uint8Array(32).fill(byte));
const [wallet, mint, treasury, maker, vaultA, vaultB, holding, thief, pad] = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(
  key,
) as [Address, ...Address[]] as readonly Address[] as readonly [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
];
const SUPPLY = 1_000_000n;

const params = (more: Partial<LaunchParams> = {}): LaunchParams => ({
  kind: 'launch',
  pad: 'desk',
  program: null,
  config: null,
  spec: {
    program: 'token2022',
    name: 'Pup',
    symbol: 'PUP',
    decimals: 6,
    supply: SUPPLY,
    mintTo: wallet,
    mintAuthority: false,
    freezeAuthority: false,
    updateAuthority: false,
    extensions: NO_SPEC_EXTENSIONS,
  },
  uri: 'https://x.example/a.json',
  metadataHash: null,
  firstBuy: { lamports: 500n, quotedTokens: 1_000n, minTokens: 950n, slippageBps: 500 },
  costLamports: 9_000_000n,
  feeLamports: 20_000_000n,
  tier: 'normal',
  ...more,
});
const parties = { wallet, treasury, signers: [wallet, mint] };

type Parts = Partial<Parameters<typeof deskLaunchInstructions>[0]> & {
  readonly fee?: bigint;
  readonly to?: Address;
};
function desk({ fee = 20_000_000n, to = treasury, ...more }: Parts = {}): readonly Instruction[] {
  return [
    ...createTokenInstructions({
      spec: params().spec,
      way: 'native',
      uri: params().uri,
      creator: wallet,
      mint,
      holding,
      record: null,
      mintRentLamports: 4_000_000n,
      fee: { treasury: to, lamports: fee },
    }),
    ...deskLaunchInstructions({
      creator: wallet,
      mint,
      tokenProgram: TOKEN_2022_PROGRAM,
      decimals: 6,
      holding,
      maker,
      vaultA,
      vaultB,
      curveTokens: SUPPLY - 1_000n,
      firstBuyLamports: 500n,
      ...more,
    }),
  ];
}

describe('the params of a launch', () => {
  it('survive their row, with and without a first buy', () => {
    for (const one of [
      params(),
      params({ firstBuy: null, program: pad, config: maker, metadataHash: 'a'.repeat(64) }),
    ]) {
      expect(decodeParams(JSON.parse(JSON.stringify(encodeParams(one))))).toEqual(one);
    }
  });
});

describe('a launch at the desk', () => {
  it('is signed when it is the list that its row stands for', () => {
    expect(isDeskLaunch(desk(), params(), parties)).toBe(true);
    const patient = params({ firstBuy: null });
    expect(isDeskLaunch(desk({ curveTokens: SUPPLY, firstBuyLamports: 0n }), patient, parties)).toBe(true);
  });

  it.each<[string, readonly Instruction[]]>([
    ['pays the platform more than agreed', desk({ fee: 20_000_001n })],
    ['pays the fee to somebody else', desk({ to: thief })],
    ['pays more for the first buy than agreed', desk({ firstBuyLamports: 501n })],
    ['leaves the creator less than the minimum', desk({ curveTokens: SUPPLY - 949n })],
    ['sends the lamports elsewhere than into the vault', desk().with(-2, transferSol(wallet, thief, 500n))],
    ['carries one instruction more', [...desk(), transferSol(wallet, thief, 1n)]],
    ['lacks the end of an authority', desk().filter(({ data }) => data[0] !== 6)],
    ['has its instructions in another order', [...desk().slice(1), ...desk().slice(0, 1)]],
    ['moves the supply out of another account', desk({ holding: thief })],
  ])('is refused when it %s', (_, own) => {
    expect(isDeskLaunch(own, params(), parties)).toBe(false);
  });

  it('keeps nothing of the supply back without a first buy', () => {
    const own = desk({ curveTokens: SUPPLY - 1n, firstBuyLamports: 0n });
    expect(isDeskLaunch(own, params({ firstBuy: null }), parties)).toBe(false);
  });
});

describe('a launch at a program', () => {
  const call: Instruction = { programId: pad, accounts: [], data: Uint8Array.of(1) };
  const open = openAssociatedAccount(TOKEN_PROGRAM, { payer: wallet, account: holding, owner: wallet, mint });
  const rule = (
    own: readonly Instruction[],
    more: { signers?: readonly Address[]; venuePrograms?: readonly Address[] } = {},
  ) =>
    brokenLaunchRule(own.map(decodeInstruction), params({ program: pad }), {
      ...parties,
      venuePrograms: [pad],
      ...more,
    });

  it('is signed with its fee, its account and its one program', () => {
    expect(rule([transferSol(wallet, treasury, 20_000_000n), call, open])).toBeNull();
  });

  it.each<[string, readonly Instruction[], string]>([
    ['another program', [{ ...call, programId: thief }], 'program'],
    ['a payment to somebody else', [transferSol(wallet, thief, 1n)], 'sol-destination'],
    [
      'two fees',
      [transferSol(wallet, treasury, 20_000_000n), transferSol(wallet, treasury, 1n)],
      'sol-amount',
    ],
    [
      "somebody else's account",
      [openAssociatedAccount(TOKEN_PROGRAM, { payer: wallet, account: holding, owner: thief, mint })],
      'account-opening',
    ],
    [
      'an account of another token',
      [
        openAssociatedAccount(TOKEN_PROGRAM, {
          payer: wallet,
          account: holding,
          owner: wallet,
          mint: WSOL_MINT,
        }),
      ],
      'account-opening',
    ],
    [
      'an account that is closed to somebody',
      [
        {
          programId: TOKEN_PROGRAM,
          accounts: [holding, thief, wallet].map((address) => ({ address, signer: false, writable: true })),
          data: Uint8Array.of(9),
        },
      ],
      'account-closing',
    ],
    [
      'an authority handed over',
      [
        {
          programId: TOKEN_PROGRAM,
          accounts: [
            { address: holding, signer: false, writable: true },
            { address: wallet, signer: true, writable: false },
          ],
          data: Uint8Array.of(6, 2, 0),
        },
      ],
      'instruction',
    ],
  ])('is refused with %s', (_, own, broken) => {
    expect(rule([call, ...own])).toBe(broken);
  });

  it('is refused with a third signer, without its mint, and where its program is none of ours', () => {
    expect(rule([call], { signers: [wallet, mint, thief] })).toBe('signers');
    expect(rule([call], { signers: [wallet] })).toBe('signers');
    expect(rule([call], { venuePrograms: [] })).toBe('program');
  });
});
