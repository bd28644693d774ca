import { type Address, type Instruction, TOKEN_PROGRAM, WSOL_MINT } from '@tradepost/solana';
import { PUMP_PROGRAM } from '@tradepost/venues';
import { describe, expect, it } from 'vitest';
import { RAYDIUM_CPMM_PROGRAM } from '../../../packages/venues/src/raydium-cpmm/layout.ts';
import type { PolicyRule } from '../../../src/engine/signing/rules/policy-rule.ts';
import { assertSwapPolicy, type SwapPolicyContext } from '../../../src/engine/signing/rules/swap-policy.ts';
import { createMessageCompiler } from '../../../src/platform/chain/compiler.ts';
import { createPrograms } from '../../../src/platform/chain/programs.ts';
import { addressOf } from '../intents/build.ts';
import { look } from './look.ts';
import { tableOf } from './table-of.ts';
import { lamportsCall, sellForLamports, venueCall } from './venue-call.ts';

const programs = createPrograms();
const [USER, RECEIVER, STRANGER, MAKER, PAYER, REFERRER] = [1, 2, 3, 4, 5, 6].map(addressOf) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
];
const [TOKEN_A, TOKEN_B] = [addressOf(10), addressOf(11)];
const tokenProgram = TOKEN_PROGRAM;
const accountOf = (owner: Address, mint: Address) =>
  programs.associatedTokenAddress(owner, mint, tokenProgram);
const open = (mint: Address, owner: Address, payer = USER) =>
  programs.createAssociatedTokenAccount({ payer, owner, mint, tokenProgram });
const move = (owner: Address, mint: Address, source: Address, destination: Address, amount: bigint) =>
  programs.transferToken({ source, mint, destination, owner, amount, decimals: 6, tokenProgram });
const pay = (to: Address, lamports: bigint, from = USER) => programs.transferSol({ from, to, lamports });
const wrap = programs.openWrappedSol({ owner: USER, seed: 'S', lamports: 1_000n, rentLamports: 2_039_280n });
const unwrap = programs.closeTokenAccount({ account: wrap.account, owner: USER, tokenProgram });
const swap = (source: Address, destination: Address, minOut = 500n, owner = USER) =>
  venueCall({ owner, source, destination, amountIn: 1_000n, minOut });

const BASE: SwapPolicyContext = {
  user: USER,
  feePayer: null,
  destination: null,
  solAsToken: false,
  mintIn: WSOL_MINT,
  mintOut: TOKEN_A,
  amount: 1_000n,
  intermediates: [],
  minOut: 500n,
  referrer: null,
  lookupTables: [],
  programs: [RAYDIUM_CPMM_PROGRAM, PUMP_PROGRAM],
  priority: { tier: 'normal', capLamports: null },
  byAggregator: false,
  associated: (...parts) => programs.associatedTokenAddress(...parts),
};

function judge(
  own: readonly Instruction[],
  more: Partial<SwapPolicyContext> = {},
  payer = more.feePayer ?? USER,
): PolicyRule | 'handed out' {
  const lookupTables = tableOf(own, payer);
  const { bytes } = createMessageCompiler().compile({
    payer,
    blockhash: addressOf(99),
    instructions: own,
    lookupTables,
  });
  try {
    const seen = { held: look(bytes, USER, lookupTables), tokenAccountRent: 2_039_280n };
    assertSwapPolicy(bytes, { ...BASE, ...more, lookupTables, ...seen });
    return 'handed out';
  } catch (error) {
    return (error as { details: { rule: PolicyRule } }).details.rule;
  }
}

describe('an output that goes to another owner', () => {
  const THERE = accountOf(RECEIVER, TOKEN_A);
  const HERE = accountOf(USER, TOKEN_A);
  const to = { destination: { account: THERE, owner: RECEIVER } };
  const buying = (opened: readonly Instruction[], destination: Address) => [
    ...opened,
    ...wrap.instructions,
    swap(wrap.account, destination),
    unwrap,
  ];
  const honest = buying([open(TOKEN_A, RECEIVER)], THERE);

  it('is handed out where all of it arrives in the account that was named', () => {
    expect(judge(honest, to)).toBe('handed out');
    expect(judge(buying([], THERE), to)).toBe('handed out');
    expect(judge(buying([], THERE), { destination: { account: THERE, owner: null } })).toBe('handed out');
    const byMaker = [
      ...wrap.instructions,
      move(USER, WSOL_MINT, wrap.account, accountOf(MAKER, WSOL_MINT), 1_000n),
      move(MAKER, TOKEN_A, accountOf(MAKER, TOKEN_A), THERE, 500n),
      unwrap,
    ];
    expect(judge(byMaker, to)).toBe('handed out');
  });

  it.each<[string, readonly Instruction[], Partial<SwapPolicyContext>, PolicyRule]>([
    ['goes there without having been asked for', honest, {}, 'account-opening'],
    [
      'goes to a stranger',
      buying([open(TOKEN_A, STRANGER)], accountOf(STRANGER, TOKEN_A)),
      to,
      'swap-destination',
    ],
    [
      'goes to a stranger’s account that exists',
      buying([], accountOf(STRANGER, TOKEN_A)),
      to,
      'token-destination',
    ],
    ['stays with the trader', buying([open(TOKEN_A, USER)], HERE), to, 'swap-destination'],
    [
      'is opened for the receiver in another place',
      buying([open(TOKEN_A, RECEIVER)], THERE),
      { destination: { account: accountOf(STRANGER, TOKEN_A), owner: RECEIVER } },
      'swap-destination',
    ],
    [
      'is opened although the caller named an account that exists',
      honest,
      { destination: { account: THERE, owner: null } },
      'swap-destination',
    ],
    ['is too little', honest, { ...to, minOut: 501n }, 'swap-check'],
    [
      'pays a referrer on top',
      honest,
      { ...to, referrer: { account: HERE, side: 'out', units: 1n } },
      'swap-destination',
    ],
    ['goes on to a stranger', [...honest, move(USER, TOKEN_A, HERE, STRANGER, 1n)], to, 'token-destination'],
    ['costs the trader’s SOL besides', [...honest, pay(RECEIVER, 1n)], to, 'sol-destination'],
    [
      'brings the rent of the wrapped account to the receiver',
      [
        ...honest.slice(0, -1),
        {
          ...unwrap,
          accounts: unwrap.accounts.map((one, at) => (at === 1 ? { ...one, address: RECEIVER } : one)),
        },
      ],
      to,
      'account-closing',
    ],
    ['comes by an aggregator', honest, { ...to, byAggregator: true }, 'swap-destination'],
  ])('is withheld when it %s', (_what, own, more, rule) => {
    expect(judge(own, more)).toBe(rule);
  });

  it('is withheld when lamports stand for what should arrive as wrapped SOL', () => {
    const place = accountOf(RECEIVER, WSOL_MINT);
    const selling = { mintIn: TOKEN_B, mintOut: WSOL_MINT, solAsToken: true };
    const into = { ...selling, destination: { account: place, owner: null } };
    const sale = swap(accountOf(USER, TOKEN_B), place);
    expect(judge([sale], into)).toBe('handed out');
    const curve = sellForLamports({
      owner: USER,
      source: accountOf(USER, TOKEN_B),
      amountIn: 1_000n,
      minOut: 500n,
    });
    expect(judge([curve], into)).toBe('swap-destination');
    expect(judge([curve], selling)).toBe('swap-wrapped');
  });
});

describe('a fee payer beside the trader', () => {
  const HERE = accountOf(USER, TOKEN_A);
  const honest = [open(TOKEN_A, USER), ...wrap.instructions, swap(wrap.account, HERE), unwrap];
  const by = { feePayer: PAYER };

  it('signs first and occurs in no instruction', () => {
    expect(judge(honest, by)).toBe('handed out');
    expect(judge(honest, by, USER)).toBe('signers');
    expect(judge(honest, {}, PAYER)).toBe('signers');
    expect(judge(honest, { feePayer: USER })).toBe('swap-payer');
  });

  it.each<[string, readonly Instruction[]]>([
    ['a transfer of its SOL', [...honest, pay(USER, 1n, PAYER)]],
    ['a transfer to it', [...honest, pay(PAYER, 1n)]],
    ['an account that it pays for', [open(TOKEN_A, USER, PAYER), ...honest.slice(1)]],
    ['tokens of its own', [...honest, move(PAYER, TOKEN_B, accountOf(PAYER, TOKEN_B), STRANGER, 1n)]],
    [
      'its name beside a venue’s call',
      honest.map((one) =>
        one.programId === RAYDIUM_CPMM_PROGRAM
          ? { ...one, accounts: [...one.accounts, { address: PAYER, signer: true, writable: true }] }
          : one,
      ),
    ],
  ])('is withheld with %s', (_what, own) => {
    expect(judge(own, by)).toBe('swap-payer');
  });

  it('leaves the trader’s own signature needed', () => {
    const withoutUser = [move(MAKER, TOKEN_A, accountOf(MAKER, TOKEN_A), HERE, 500n)];
    expect(judge(withoutUser, by)).toBe('signers');
  });
});

describe('wrapped SOL as a token', () => {
  const OWN = accountOf(USER, WSOL_MINT);
  const HERE = accountOf(USER, TOKEN_A);
  const as = { solAsToken: true };
  const honest = [open(TOKEN_A, USER), swap(OWN, HERE)];

  it('is spent from the wallet’s own account and arrives in it, where that was asked for', () => {
    expect(judge(honest, as)).toBe('handed out');
    expect(judge(honest)).toBe('token-source');
    const sale = [open(WSOL_MINT, USER), swap(accountOf(USER, TOKEN_B), OWN)];
    const selling = { mintIn: TOKEN_B, mintOut: WSOL_MINT };
    expect(judge(sale, { ...selling, ...as })).toBe('handed out');
    expect(judge(sale, selling)).toBe('account-opening');
    const paid = [
      ...sale.slice(0, 1),
      swap(accountOf(USER, TOKEN_B), OWN, 505n),
      move(USER, WSOL_MINT, OWN, REFERRER, 5n),
    ];
    expect(judge(paid, { ...selling, ...as, referrer: { account: REFERRER, side: 'out', units: 5n } })).toBe(
      'handed out',
    );
    expect(judge(paid, { ...selling, ...as })).toBe('token-destination');
  });

  it.each<[string, readonly Instruction[], PolicyRule]>([
    ['SOL wrapped beside it', [...honest, ...wrap.instructions, unwrap], 'swap-wrapped'],
    [
      'lamports spent in its place',
      [open(TOKEN_A, USER), lamportsCall({ owner: USER, destination: HERE, amountIn: 1_000n, minOut: 500n })],
      'swap-wrapped',
    ],
    ['more of it than is sold', [...honest, move(USER, WSOL_MINT, OWN, STRANGER, 1n)], 'token-amount'],
    [
      'its account closed',
      [...honest, programs.closeTokenAccount({ account: OWN, owner: USER, tokenProgram })],
      'account-closing',
    ],
    ['SOL sent away', [...honest, pay(STRANGER, 1n)], 'sol-destination'],
  ])('is withheld with %s', (_what, own, rule) => {
    expect(judge(own, as)).toBe(rule);
  });

  it('comes by no aggregator', () => {
    expect(judge(honest, { ...as, byAggregator: true })).toBe('swap-wrapped');
  });
});
