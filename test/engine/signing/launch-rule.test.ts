import { createHash } from 'node:crypto';
import {
  type Address,
  addressBytes,
  addressFromBytes,
  type Instruction,
  NO_SPEC_EXTENSIONS,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WSOL_MINT,
} from '@tradepost/solana';
import { concat, text, u64 } from '@tradepost/solana/bytes';
import { describe, expect, it } from 'vitest';
import { hasCode } from '../../../src/core/errors/app-error.ts';
import type { LaunchParams } from '../../../src/engine/intents/kinds/launch/params.ts';
import { isDeskLaunch, policy } from '../../../src/engine/intents/kinds/launch/policy.ts';
import { assertPolicy } from '../../../src/engine/signing/rules/policy.ts';
import type { PolicyRule } from '../../../src/engine/signing/rules/policy-rule.ts';
import { deskLaunchInstructions } from '../../../src/modules/launch/rules/desk-instructions.ts';
import { createTokenInstructions } from '../../../src/modules/mint/rules/instructions/create-token.ts';
import {
  openAssociatedAccount,
  transferSol,
} from '../../../src/modules/mint/rules/instructions/token-program.ts';
import { createMessageCompiler } from '../../../src/platform/chain/compiler.ts';
import { createPrograms } from '../../../src/platform/chain/programs.ts';
import { throughRow } from '../../support/through-row.ts';
import { buildIntent, INTENT_ID } from '../intents/build.ts';
import { tableOf } from './table-of.ts';

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
      expect(throughRow(one)).toEqual(one);
    }
  });
});

describe('a launch at the desk', () => {
  it('is signed when it is the list that its row stands for', () => {
    expect(isDeskLaunch(desk(), params(), parties)).toBe(true);
    const patient = params({ firstBuy: null });
    expect(isDeskLaunch(desk({ curveTokens: SUPPLY, firstBuyLamports: 0n }), patient, parties)).toBe(true);
    // A service without a fee: the only transfer is the first buy's.
    expect(isDeskLaunch(desk().slice(1), params({ feeLamports: 0n }), parties)).toBe(true);
    expect(isDeskLaunch(desk().slice(1), params(), parties)).toBe(true);
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
    ['moves nothing of the supply', desk().filter(({ data }) => data[0] !== 12)],
    ['opens no vaults', desk().filter(({ accounts }) => accounts[2]?.address !== maker)],
    ['moves the supply out of another account', desk({ holding: thief })],
  ])('is refused when it %s', (_, own) => {
    expect(isDeskLaunch(own, params(), parties)).toBe(false);
  });

  it('keeps nothing of the supply back without a first buy', () => {
    const own = desk({ curveTokens: SUPPLY - 1n, firstBuyLamports: 0n });
    expect(isDeskLaunch(own, params({ firstBuy: null }), parties)).toBe(false);
  });
});

const meta = (address: Address, signer = false, writable = true) => ({ address, signer, writable });
const config = key(10);
const wrapped = key(11);
const other = key(12);

/** An account list with some places filled; every other one is somebody else's. */
const list = (length: number, roles: Readonly<Record<number, Address>>) =>
  Array.from({ length }, (_, index) => meta(roles[index] ?? other));
const call = (discriminator: readonly number[], data: Uint8Array, accounts: Instruction['accounts']) => ({
  programId: pad,
  accounts,
  data: concat(Uint8Array.from(discriminator), data),
});
const discriminator = (name: string) => [
  ...createHash('sha256').update(`global:${name}`).digest().subarray(0, 8),
];

const names = concat(text('Pup'), text('PUP'), text('https://x.example/a.json'));
const order = (lamports = 500n, minTokens = 950n) => concat(u64(lamports), u64(minTokens));

type Form = {
  readonly creates: readonly Instruction[];
  readonly buy: (data?: Uint8Array, roles?: Readonly<Record<number, Address>>) => Instruction;
  readonly wraps: boolean;
};
const FORMS: Readonly<Record<string, Form>> = {
  'meteora-dbc': {
    creates: [
      call(
        discriminator('initialize_virtual_pool_with_spl_token'),
        names,
        list(16, { 0: config, 2: wallet, 3: mint, 4: WSOL_MINT, 10: wallet }),
      ),
      call(
        discriminator('initialize_virtual_pool_with_token2022'),
        names,
        list(14, { 0: config, 2: wallet, 3: mint, 4: WSOL_MINT, 8: wallet }),
      ),
    ],
    buy: (data = order(), roles = {}) =>
      call(
        discriminator('swap'),
        data,
        list(15, { 1: config, 3: wrapped, 4: holding, 7: mint, 8: WSOL_MINT, 9: wallet, ...roles }),
      ),
    wraps: true,
  },
  'pump-fun': {
    creates: [
      call(
        discriminator('create_v2'),
        concat(names, addressBytes(wallet), new Uint8Array(11)),
        list(16, { 0: mint, 5: wallet }),
      ),
    ],
    buy: (data = order(), roles = {}) =>
      call(
        discriminator('buy_exact_sol_in'),
        concat(data, Uint8Array.of(1)),
        list(18, { 2: mint, 5: holding, 6: wallet, ...roles }),
      ),
    wraps: false,
  },
  'raydium-launchlab': {
    creates: [
      call(
        discriminator('initialize_v2'),
        concat(
          Uint8Array.of(6),
          names,
          Uint8Array.of(0),
          u64(SUPPLY),
          u64(1n),
          u64(2n),
          Uint8Array.of(1),
          new Uint8Array(25),
        ),
        list(18, { 0: wallet, 1: wallet, 2: config, 6: mint, 7: WSOL_MINT }),
      ),
    ],
    buy: (data = order(), roles = {}) =>
      call(
        discriminator('buy_exact_in'),
        concat(data, u64(0n)),
        list(18, { 0: wallet, 2: config, 5: holding, 6: wrapped, 9: mint, 10: WSOL_MINT, ...roles }),
      ),
    wraps: true,
  },
};

const changed = (one: Instruction, at: number): Instruction => ({
  ...one,
  data: one.data.with(at, (one.data[at] ?? 0) ^ 1),
});
const openHolding = openAssociatedAccount(TOKEN_PROGRAM, {
  payer: wallet,
  account: holding,
  owner: wallet,
  mint,
});
const wrap: readonly Instruction[] = [
  {
    programId: SYSTEM_PROGRAM,
    accounts: [meta(wallet, true), meta(wrapped)],
    data: concat(
      Uint8Array.of(3, 0, 0, 0),
      addressBytes(wallet),
      u64(1n),
      Uint8Array.of(65),
      u64(2_039_780n),
      u64(165n),
      addressBytes(TOKEN_PROGRAM),
    ),
  },
  {
    programId: TOKEN_PROGRAM,
    accounts: [meta(wrapped), meta(WSOL_MINT)],
    data: concat(Uint8Array.of(18), addressBytes(wallet)),
  },
];
const unwrap: Instruction = {
  programId: TOKEN_PROGRAM,
  accounts: [meta(wrapped), meta(wallet), meta(wallet, true)],
  data: Uint8Array.of(9),
};

/** The rule that a launch at a pad breaks, or null. */
function brokenLaunchRule(
  own: readonly Instruction[],
  launch: LaunchParams,
  {
    signers,
    venuePrograms,
  }: { readonly signers: readonly Address[]; readonly venuePrograms: readonly Address[] },
): unknown {
  const context = { intent: buildIntent({}), wallet, treasury, venuePrograms };
  try {
    policy.judge({ signers, instructions: own, actions: [] }, launch, context);
    return null;
  } catch (error) {
    if (hasCode(error, 'POLICY_DENIED')) return error.details.rule;
    throw error;
  }
}

describe.each(Object.entries(FORMS))('a launch at %s', (name, form) => {
  const [create] = form.creates as readonly [Instruction];
  const around = (buy: Instruction): readonly Instruction[] =>
    form.wraps ? [openHolding, ...wrap, buy, unwrap] : [openHolding, buy];
  const rule = (
    own: readonly Instruction[],
    more: { signers?: readonly Address[]; venuePrograms?: readonly Address[] } = {},
    change: Partial<LaunchParams> = {},
  ) =>
    brokenLaunchRule(own, params({ pad: name, program: pad, config, ...change }), {
      ...parties,
      venuePrograms: [pad],
      ...more,
    });
  const fee = transferSol(wallet, treasury, 20_000_000n);
  const whole = [fee, create, ...around(form.buy())];

  it('is signed with its fee, its accounts and the calls that its row stands for', () => {
    for (const one of form.creates) {
      expect(rule([fee, one, ...around(form.buy())])).toBeNull();
      expect(rule([one], {}, { firstBuy: null })).toBeNull();
    }
  });

  it.each<[string, readonly Instruction[], string]>([
    ['another program', [{ ...create, programId: thief }], 'program'],
    ['a payment to somebody else', [...whole, transferSol(wallet, thief, 1n)], 'sol-destination'],
    ['two fees', [...whole, transferSol(wallet, treasury, 1n)], 'sol-amount'],
    [
      "somebody else's account",
      [
        ...whole,
        openAssociatedAccount(TOKEN_PROGRAM, { payer: wallet, account: holding, owner: thief, mint }),
      ],
      'account-opening',
    ],
    [
      'an account of another token',
      [
        ...whole,
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
      [...whole, { ...unwrap, accounts: [meta(wrapped), meta(thief), meta(wallet, true)] }],
      'account-closing',
    ],
    [
      'an authority handed over',
      [
        ...whole,
        {
          programId: TOKEN_PROGRAM,
          accounts: [meta(holding), meta(wallet, true)],
          data: Uint8Array.of(6, 2, 0),
        },
      ],
      'instruction',
    ],
    ['no first buy although one was agreed', [fee, create], 'instruction'],
    ['no creation', [fee, ...around(form.buy())], 'instruction'],
    ['two creations', [fee, create, create], 'instruction'],
    ['a third call', [...whole, create], 'instruction'],
    [
      'a call that is neither',
      [fee, create, ...around({ ...form.buy(), data: new Uint8Array(24) })],
      'instruction',
    ],
    ['a first buy of more', [fee, create, ...around(form.buy(order(501n)))], 'instruction'],
    [
      'a first buy with a lower minimum',
      [fee, create, ...around(form.buy(order(500n, 949n)))],
      'instruction',
    ],
    [
      'data behind a call',
      [fee, create, ...around({ ...form.buy(), data: concat(form.buy().data, Uint8Array.of(0)) })],
      'instruction',
    ],
    [
      'an account beside a call',
      [fee, create, ...around({ ...form.buy(), accounts: [...form.buy().accounts, meta(thief)] })],
      'instruction',
    ],
    ['a first buy without its account', [fee, create, form.buy()], 'instruction'],
  ])('is refused with %s', (_, own, broken) => {
    expect(rule(own)).toBe(broken);
  });

  it('is refused where any of its agreed accounts, names or numbers is another', () => {
    const without = (one: Instruction, index: number): Instruction => ({
      ...one,
      accounts: one.accounts.with(index, meta(thief)),
    });
    const own = new Set([wallet, mint, holding, wrapped, config, WSOL_MINT]);
    for (const [index, account] of create.accounts.entries()) {
      if (!own.has(account.address)) continue;
      expect(rule([fee, without(create, index), ...around(form.buy())])).toBe('instruction');
    }
    for (const [index, account] of form.buy().accounts.entries()) {
      if (!own.has(account.address)) continue;
      expect(rule([fee, create, ...around(without(form.buy(), index))])).toBe('instruction');
    }
    const { spec } = params();
    for (const change of [
      { spec: { ...spec, name: 'Pub' } },
      { spec: { ...spec, symbol: 'PUB' } },
      { uri: 'https://x.example/b.json' },
      { pad: 'somewhere-else' },
    ]) {
      expect(rule(whole, {}, change)).toBe('instruction');
    }
  });

  it('is refused with a third signer, without its mint, and where its program is none of ours', () => {
    expect(rule(whole, { signers: [wallet, mint, thief] })).toBe('signers');
    expect(rule(whole, { signers: [wallet] })).toBe('signers');
    expect(rule(whole, { venuePrograms: [] })).toBe('program');
  });
});

it('a launch at LaunchLab is refused when a part of the supply is kept back, and a pump.fun coin with a mode', () => {
  for (const name of ['raydium-launchlab', 'pump-fun'] as const) {
    const [create] = FORMS[name]?.creates ?? [];
    if (create === undefined) throw new Error(name);
    const launch = params({ pad: name, program: pad, config, firstBuy: null });
    const context = { ...parties, venuePrograms: [pad] };
    expect(brokenLaunchRule([create], launch, context)).toBeNull();
    for (const back of [1, 5, 9]) {
      const data = Uint8Array.from(create.data);
      data[data.length - back] = 1;
      expect(brokenLaunchRule([{ ...create, data }], launch, context)).toBe('instruction');
    }
  }
});

it.each<[string, (parts: readonly Instruction[]) => readonly Instruction[], string]>([
  [
    'made for a stranger',
    ([made, ...rest]) => [changed(made!, made!.data.length - 1), ...rest],
    'account-opening',
  ],
  ['made twice', ([made, ...rest]) => [made!, made!, ...rest], 'account-opening'],
  ['opened and not made', ([, ...rest]) => rest, 'account-opening'],
  [
    'opened for a stranger',
    ([made, open, ...rest]) => [made!, changed(open!, 1), ...rest],
    'account-opening',
  ],
  ['never closed', (parts) => parts.slice(0, -1), 'account-closing'],
  // The lamports stand behind the seed of one byte.
  ['opened with more than the first buy', ([made, ...rest]) => [changed(made!, 49), ...rest], 'sol-amount'],
])('a launch at a pad is refused with its wrapping account %s', (_, change, broken) => {
  const form = FORMS['meteora-dbc']!;
  const rule = (parts: readonly Instruction[]) =>
    brokenLaunchRule(
      [form.creates[0]!, openHolding, ...parts],
      params({ pad: 'meteora-dbc', program: pad, config }),
      { ...parties, venuePrograms: [pad] },
    );
  const parts = [...wrap, form.buy(), unwrap];
  expect(rule(parts)).toBeNull();
  expect(rule(change(parts))).toBe(broken);
});

describe('the policy on a launch', () => {
  const judge = (own: readonly Instruction[], launch: LaunchParams): PolicyRule | 'signed' => {
    const instructions = [createPrograms().memo(INTENT_ID), ...own];
    const lookupTables = tableOf(instructions, wallet);
    const { bytes } = createMessageCompiler().compile({
      payer: wallet,
      blockhash: key(99),
      instructions,
      lookupTables,
    });
    try {
      assertPolicy(bytes, {
        intent: buildIntent({ params: launch }),
        wallet,
        treasury,
        venuePrograms: [pad],
        lookupTables,
      });
      return 'signed';
    } catch (error) {
      return (error as { details: { rule: PolicyRule } }).details.rule;
    }
  };

  it('at the desk is the rule on its list', () => {
    expect(judge(desk(), params())).toBe('signed');
    expect(judge(desk({ firstBuyLamports: 501n }), params())).toBe('instruction');
    expect(judge([], params())).toBe('instruction');
    // The same list in the name of a launch at a pad.
    expect(judge(desk(), params({ pad: 'pump-fun', program: pad, config }))).toBe('instruction');
  });

  it('at a pad is the rule on its calls', () => {
    const [create] = FORMS['pump-fun']?.creates ?? [];
    if (create === undefined) throw new Error('no form');
    const signing = { ...create, accounts: create.accounts.with(0, meta(mint, true)) };
    const launch = params({ pad: 'pump-fun', program: pad, config, firstBuy: null });
    expect(judge([signing], launch)).toBe('signed');
    expect(judge([signing, transferSol(wallet, thief, 1n)], launch)).toBe('sol-destination');
    expect(judge([create], launch)).toBe('signers');
    expect(judge([{ ...signing, programId: maker }], launch)).toBe('program');
    // In the name of a launch at the desk.
    expect(judge([signing], { ...launch, program: null })).toBe('instruction');
  });
});
