import {
  type Address,
  type Instruction,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WSOL_MINT,
} from '@tradepost/solana';
import { PUMP_PROGRAM } from '@tradepost/venues';
import { describe, expect, it } from 'vitest';
import { RAYDIUM_CPMM_PROGRAM } from '../../../packages/venues/src/raydium-cpmm/layout.ts';
import { buildMint } from '../../../packages/venues/test/shared/build.ts';
import type { BuyParams } from '../../../src/engine/intents/kinds/buy/params.ts';
import type { SellParams } from '../../../src/engine/intents/kinds/sell/params.ts';
import type { HeldAccounts } from '../../../src/engine/signing/rules/account-book.ts';
import type { PolicyContext } from '../../../src/engine/signing/rules/kind-policy.ts';
import { assertPolicy } from '../../../src/engine/signing/rules/policy.ts';
import type { PolicyRule } from '../../../src/engine/signing/rules/policy-rule.ts';
import { createMessageCompiler } from '../../../src/platform/chain/compiler.ts';
import { createPrograms } from '../../../src/platform/chain/programs.ts';
import { addressOf, buildIntent, INTENT_ID, MINT, PARAMS, TREASURY, WALLET } from '../intents/build.ts';
import { look } from './look.ts';
import { tableOf } from './table-of.ts';
import { curveCall, lamportsCall, sellForLamports, venueCall } from './venue-call.ts';

const programs = createPrograms();
const tokenProgram = TOKEN_PROGRAM;
const STRANGER = addressOf(66);
const MAKER = addressOf(77);
const VAULT = addressOf(78);
const AGGREGATOR = addressOf(80);
const OTHER = addressOf(81);
const INTERMEDIATE = addressOf(82);
const RENT = 2_039_280n;

const { lamportsIn, terms } = PARAMS.buy;
const FEE = terms.platformFeeLamports;
const SPENT = lamportsIn - FEE;
const LEAST = terms.minOut;
const SOLD = PARAMS.sell.amountIn;
/** The least of a sale, fee included. */
const PROCEEDS = PARAMS.sell.terms.minOut + FEE;

const ata = (mint: Address, owner = WALLET, program = tokenProgram) =>
  programs.associatedTokenAddress(owner, mint, program);
const open = (mint: Address, owner = WALLET, program = tokenProgram) =>
  programs.createAssociatedTokenAccount({ payer: WALLET, owner, mint, tokenProgram: program });
const wrap = (lamports: bigint, seed = 'S', rentLamports = RENT) =>
  programs.openWrappedSol({ owner: WALLET, seed, lamports, rentLamports });
const close = (account: Address): Instruction =>
  programs.closeTokenAccount({ account, owner: WALLET, tokenProgram });
const move = (
  amount: bigint,
  mint: Address,
  source: Address,
  destination: Address,
  owner = WALLET,
): Instruction =>
  programs.transferToken({ source, mint, destination, owner, amount, decimals: 6, tokenProgram });
const check = (amount: bigint, mint: Address, account = ata(mint)) => move(amount, mint, account, account);
const pay = (lamports: bigint, to = TREASURY) => programs.transferSol({ from: WALLET, to, lamports });
const venue = (part: Partial<Parameters<typeof venueCall>[0]> = {}): Instruction =>
  venueCall({
    owner: WALLET,
    source: wrap(SPENT).account,
    destination: ata(MINT),
    amountIn: SPENT,
    minOut: LEAST,
    ...part,
  });
const swapOut = (part: Partial<Parameters<typeof venueCall>[0]> = {}): Instruction =>
  venue({
    source: ata(MINT),
    destination: wrap(0n).account,
    amountIn: SOLD,
    minOut: PROCEEDS,
    ...part,
  });
/** Somebody's router: bytes that say nothing, over these accounts. */
const route = (...accounts: readonly Address[]): Instruction => ({
  programId: AGGREGATOR,
  accounts: [
    { address: WALLET, signer: true, writable: true },
    ...accounts.map((address) => ({ address, signer: false, writable: true })),
  ],
  data: new Uint8Array([1]),
});
const withAccount = (call: Instruction, index: number, address: Address): Instruction => ({
  ...call,
  accounts: call.accounts.map((meta, at) => (at === index ? { ...meta, address } : meta)),
});

const wsol = wrap(SPENT);
/** A purchase around `parts`: the token's account, the fee, SOL wrapped and unwrapped again. */
const buying = (...parts: readonly Instruction[]) => [
  open(MINT),
  pay(FEE),
  ...wsol.instructions,
  ...parts,
  close(wsol.account),
];
const unwrapped = wrap(0n);
const selling = (...parts: readonly Instruction[]) => [
  ...unwrapped.instructions,
  ...parts,
  close(unwrapped.account),
  pay(FEE),
];
const unwrap = (amount: bigint): readonly Instruction[] => {
  const small = wrap(0n, 'T');
  return [...small.instructions, move(amount, WSOL_MINT, wsol.account, small.account), close(small.account)];
};

const leg = { venue: 'X', pool: addressOf(90), percent: 100 };
const over = <P extends BuyParams | SellParams>(params: P, ...intermediates: readonly Address[]): P => ({
  ...params,
  terms: {
    ...params.terms,
    route: intermediates.flatMap((intermediate) => [
      { ...leg, from: null, to: intermediate },
      { ...leg, from: intermediate, to: null },
    ]),
  },
});

const held = (...accounts: readonly (readonly [Address, Address, bigint])[]): HeldAccounts =>
  new Map(accounts.map(([account, mint, amount]) => [account, { mint, amount }]));

/** Without a look at these accounts. */
const unseen = (all: HeldAccounts, ...accounts: readonly Address[]): HeldAccounts =>
  new Map([...all].filter(([account]) => !accounts.includes(account)));

function judge(
  params: BuyParams | SellParams,
  own: readonly Instruction[],
  more: Partial<PolicyContext> = {},
  overlooked: readonly Address[] = [],
): PolicyRule | 'signed' {
  const instructions = [programs.memo(INTENT_ID), ...own];
  const lookupTables = tableOf(instructions, WALLET);
  const { bytes } = createMessageCompiler().compile({
    payer: WALLET,
    blockhash: addressOf(99),
    instructions,
    lookupTables,
  });
  try {
    assertPolicy(bytes, {
      intent: buildIntent({ params }),
      wallet: WALLET,
      treasury: TREASURY,
      venuePrograms: [RAYDIUM_CPMM_PROGRAM, PUMP_PROGRAM],
      aggregatorPrograms: [AGGREGATOR],
      associated: (...parts) => programs.associatedTokenAddress(...parts),
      lookupTables,
      ...more,
      tokenAccountRent: 2_039_280n,
      held: unseen(look(bytes, WALLET, lookupTables, more.held), ...overlooked),
    });
    return 'signed';
  } catch (error) {
    return (error as { details: { rule: PolicyRule } }).details.rule;
  }
}

const buy = (own: readonly Instruction[], more: Partial<PolicyContext> = {}) => judge(PARAMS.buy, own, more);
const sell = (own: readonly Instruction[], more: Partial<PolicyContext> = {}) =>
  judge(PARAMS.sell, own, more);

describe('a launch curve in its second form', () => {
  const sol = buildMint(WSOL_MINT, { decimals: 9 });
  const call = curveCall('buy', sol, {
    owner: WALLET,
    coins: ata(MINT),
    quotes: ata(WSOL_MINT),
    amountIn: SPENT,
    minOut: LEAST,
  });
  const judged = (place: number, account: Address, more: Partial<PolicyContext> = {}) =>
    buy(buying(...unwrap(SPENT), withAccount(call, place, account)), more);

  it('is refused with somebody else as trader, and where it pays somebody else', () => {
    expect(judged(13, STRANGER)).toBe('instruction');
    expect(judged(14, ata(MINT, STRANGER))).toBe('token-destination');
  });

  it.each([7, 9, 12, 17, 21])('is refused with an account of the wallet at place %i', (place) => {
    expect(judged(place, ata(MINT))).toBe('instruction');
    expect(judged(place, wsol.account)).toBe('instruction');
    expect(judged(place, WALLET)).toBe('instruction');
  });

  it('names no account of the wallet but its plain one of wrapped SOL where that is asked for and not used', () => {
    const seen = { held: held([ata(WSOL_MINT), WSOL_MINT, 5n], [OTHER, INTERMEDIATE, 5n]) };
    expect(judged(15, ata(WSOL_MINT), seen)).toBe('signed');
    expect(judged(15, ata(MINT), seen)).toBe('instruction');
    expect(judged(15, WALLET, seen)).toBe('instruction');
    expect(judged(15, wsol.account, seen)).toBe('instruction');
  });

  it('spends an account of its quote where the quote is no SOL', () => {
    // The place that names the quote says which of the two it is: lamports are not spent then.
    expect(judged(2, INTERMEDIATE)).toBe('token-source');
  });
});

describe('trades that are what was agreed', () => {
  it('are signed: a venue’s call, a split, a venue that takes lamports, a maker’s transfers, an aggregator', () => {
    expect(buy(buying(venue()))).toBe('signed');
    expect(
      buy(buying(venue({ amountIn: SPENT - 9n, minOut: LEAST - 1n }), venue({ amountIn: 9n, minOut: 1n }))),
    ).toBe('signed');
    const lamports = { owner: WALLET, destination: ata(MINT), amountIn: SPENT, minOut: LEAST };
    expect(buy(buying(...unwrap(SPENT), lamportsCall(lamports)))).toBe('signed');
    const given = move(LEAST, MINT, VAULT, ata(MINT), MAKER);
    expect(buy(buying(move(SPENT, WSOL_MINT, wsol.account, VAULT), given))).toBe('signed');
    expect(buy(buying(route(wsol.account, ata(MINT)), check(LEAST, MINT)))).toBe('signed');
    expect(sell(selling(swapOut()))).toBe('signed');
    expect(
      sell([
        sellForLamports({ owner: WALLET, source: ata(MINT), amountIn: SOLD, minOut: PROCEEDS }),
        pay(FEE),
      ]),
    ).toBe('signed');
  });

  it('are signed over a launch curve in its second form, for SOL and for another quote', () => {
    const sol = buildMint(WSOL_MINT, { decimals: 9 });
    const coins = ata(MINT);
    const bought = { owner: WALLET, coins, amountIn: SPENT, minOut: LEAST };
    const sold = { owner: WALLET, coins, amountIn: SOLD, minOut: PROCEEDS };
    const quotes = ata(WSOL_MINT);
    expect(buy(buying(...unwrap(SPENT), curveCall('buy', sol, { ...bought, quotes })))).toBe('signed');
    expect(sell([curveCall('sell', sol, { ...sold, quotes }), pay(FEE)])).toBe('signed');
    const dollars = ata(INTERMEDIATE);
    const call = curveCall('buy', buildMint(INTERMEDIATE), { ...bought, amountIn: 70n, quotes: dollars });
    const way = [open(INTERMEDIATE), venue({ destination: dollars, minOut: 70n }), call];
    expect(judge(over(PARAMS.buy, INTERMEDIATE), buying(...way))).toBe('signed');
    expect(buy(buying(...way))).not.toBe('signed');
  });

  it('are signed with the token in an account of either token program, or in another one that a transfer names', () => {
    const source = ata(MINT, WALLET, TOKEN_2022_PROGRAM);
    expect(sell(selling(swapOut({ source })))).toBe('signed');
    expect(sell(selling(swapOut({ source: OTHER })))).toBe('token-source');
    expect(
      sell(selling(check(SOLD, MINT, OTHER), swapOut({ source: OTHER })), {
        held: held([OTHER, MINT, SOLD]),
      }),
    ).toBe('signed');
    // It names another token.
    expect(sell(selling(check(SOLD, WSOL_MINT, OTHER), swapOut({ source: OTHER })))).toBe('token-source');
  });

  it('are signed through an aggregator when what was held stays beside the minimum', () => {
    const before = held([ata(MINT), MINT, 70n]);
    const call = route(wsol.account, ata(MINT));
    expect(buy(buying(call, check(LEAST + 70n, MINT)), { held: before })).toBe('signed');
    const mine = { held: held([ata(MINT), MINT, SOLD + 10n]) };
    const sold = route(ata(MINT), unwrapped.account);
    const brought = check(PROCEEDS, WSOL_MINT, unwrapped.account);
    expect(sell(selling(sold, check(10n, MINT), brought), mine)).toBe('signed');
    // All of it is sold: nothing has to be left.
    expect(sell(selling(sold, brought), { held: held([ata(MINT), MINT, SOLD]) })).toBe('signed');
  });

  it('are signed over an intermediate token when no more of it goes than surely comes', () => {
    const hop = (out: bigint) => [
      open(INTERMEDIATE),
      venue({ destination: ata(INTERMEDIATE), minOut: 60n }),
      venue({ source: ata(INTERMEDIATE), amountIn: out }),
    ];
    expect(judge(over(PARAMS.buy, INTERMEDIATE), buying(...hop(60n)))).toBe('signed');
    expect(judge(over(PARAMS.buy, INTERMEDIATE), buying(...hop(61n)))).toBe('token-amount');
    expect(judge(PARAMS.buy, buying(...hop(60n)))).toBe('account-opening');
    expect(judge(PARAMS.buy, buying(...hop(60n).slice(1)))).toBe('token-destination');
  });
});

/** Built by whoever means harm, or by a builder that is wrong. Each would pass every rule that looks at one instruction alone. */
const HOSTILE_BUYS: readonly (readonly [string, readonly Instruction[], PolicyRule])[] = [
  [
    'all wrapped SOL to a stranger, nothing back',
    buying(move(SPENT, WSOL_MINT, wsol.account, STRANGER)),
    'token-amount',
  ],
  ['nothing at all but the fee', buying(), 'token-amount'],
  [
    'a venue’s call, and the same amount from the wallet’s own wrapped SOL to a stranger',
    buying(venue(), move(SPENT, WSOL_MINT, ata(WSOL_MINT), STRANGER)),
    'token-destination',
  ],
  [
    'the same amount of the wallet’s own wrapped SOL joined to what was wrapped',
    buying(move(SPENT, WSOL_MINT, ata(WSOL_MINT), wsol.account), venue({ amountIn: SPENT * 2n })),
    'token-amount',
  ],
  ['two calls that spend the amount each', buying(venue(), venue({ minOut: LEAST })), 'token-amount'],
  [
    'a venue’s call from the wallet’s own wrapped SOL',
    buying(venue(), venue({ source: ata(WSOL_MINT) })),
    'token-source',
  ],
  [
    'the amount spent wrapped, and once more in lamports',
    buying(venue(), lamportsCall({ owner: WALLET, destination: ata(MINT), amountIn: SPENT, minOut: LEAST })),
    'token-amount',
  ],
  [
    'the amount unwrapped and not spent, and a payment to a stranger of what was wrapped',
    buying(venue(), move(1n, WSOL_MINT, wsol.account, STRANGER)),
    'token-amount',
  ],
  ['a minimum of nothing', buying(venue({ minOut: 0n })), 'swap-check'],
  ['a minimum below the agreed one', buying(venue({ minOut: LEAST - 1n })), 'swap-check'],
  ['its output to a stranger', buying(venue({ destination: ata(MINT, STRANGER) })), 'token-destination'],
  [
    'its output to an account of the wallet’s that nothing proves',
    buying(venue({ destination: OTHER })),
    'token-destination',
  ],
  ['its output back into wrapped SOL', buying(venue({ destination: wsol.account })), 'token-destination'],
  ['paid by another token of the wallet’s', buying(venue({ source: ata(OTHER) })), 'token-source'],
  ['paid by the token that is bought', buying(venue({ source: ata(MINT) })), 'token-source'],
  ['for another owner', buying(venue({ owner: STRANGER })), 'instruction'],
  [
    'the wallet’s account where a pool’s own belongs',
    buying(withAccount(venue(), 6, ata(MINT))),
    'instruction',
  ],
  ['the wallet itself where a pool’s own belongs', buying(withAccount(venue(), 6, WALLET)), 'instruction'],
  [
    'another instruction of the venue’s program',
    buying({ ...venue(), data: venue().data.with(0, 1) }),
    'instruction',
  ],
  [
    'a swap with bytes behind it',
    buying({ ...venue(), data: new Uint8Array([...venue().data, 0]) }),
    'instruction',
  ],
  [
    'a swap with an account missing',
    buying({ ...venue(), accounts: venue().accounts.slice(0, 12) }),
    'instruction',
  ],
  [
    'a maker’s payment that is the wallet’s own tokens',
    buying(move(SPENT, WSOL_MINT, wsol.account, VAULT), move(LEAST, MINT, OTHER, ata(MINT))),
    'token-destination',
  ],
  [
    'the wrapped account closed to a stranger',
    [...buying(venue()).slice(0, -1), withAccount(close(wsol.account), 1, STRANGER)],
    'account-closing',
  ],
  ['the wrapped account never closed', buying(venue()).slice(0, -1), 'account-closing'],
  [
    'the wrapped account closed before it is spent from',
    [...buying().slice(0, -1), close(wsol.account), venue()],
    'token-source',
  ],
  [
    'an account that is made and not opened',
    [...buying(venue()), ...wrap(0n, 'T').instructions.slice(0, 1)],
    'account-opening',
  ],
  [
    'an account that is opened and was not made',
    [...buying(venue()), ...wrap(0n, 'T').instructions.slice(1)],
    'account-opening',
  ],
  [
    'three accounts for wrapping',
    buying(
      venue(),
      ...['T', 'U'].flatMap((seed) => [...wrap(0n, seed).instructions, close(wrap(0n, seed).account)]),
    ),
    'account-opening',
  ],
  [
    'an account of wrapped SOL that is the wallet’s own',
    [open(WSOL_MINT), ...buying(venue())],
    'account-opening',
  ],
  ['a call of the program of nobody known', buying(venue(), { ...route(), programId: OTHER }), 'program'],
  ['an aggregator’s call with no check behind it', buying(route(wsol.account, ata(MINT))), 'swap-check'],
  [
    'an aggregator’s call with the check of another account',
    buying(route(wsol.account, ata(MINT)), check(LEAST, MINT, OTHER)),
    'swap-check',
  ],
  [
    'an aggregator’s call over an account of another token',
    buying(route(wsol.account, ata(MINT), OTHER), check(LEAST, MINT)),
    'swap-check',
  ],
];

describe('a purchase is refused', () => {
  it.each(HOSTILE_BUYS.slice(0, -1))('with %s', (_what, own, rule) => {
    expect(buy(own)).toBe(rule);
  });

  it.each([TOKEN_PROGRAM, TOKEN_2022_PROGRAM])(
    'with an account under a token program that is none, beside %s',
    (good) => {
      expect(
        buy([open(MINT, WALLET, good), ...buying(venue({ destination: ata(MINT, WALLET, good) })).slice(1)]),
      ).toBe('signed');
      const foreign = [
        open(MINT, WALLET, OTHER),
        ...buying(venue({ destination: ata(MINT, WALLET, OTHER) })).slice(1),
      ];
      expect(buy(foreign)).toBe('instruction');
    },
  );

  it('when what was held before satisfies an aggregator’s check', () => {
    const call = route(wsol.account, ata(MINT));
    expect(buy(buying(call, check(LEAST, MINT)), { held: held([ata(MINT), MINT, LEAST]) })).toBe(
      'swap-check',
    );
    expect(buy(buying(call, check(LEAST, MINT)), { held: held([ata(MINT), MINT, 1n]) })).toBe('swap-check');
    expect(buy(buying(check(LEAST, MINT), call))).toBe('swap-check');
    expect(buy(buying(check(LEAST, MINT), route(wsol.account)))).toBe('swap-check');
  });

  it('when an aggregator’s call names another of the wallet’s accounts', () => {
    const call = route(wsol.account, ata(MINT), OTHER);
    const behind = buying(call, check(LEAST, MINT));
    expect(buy(behind)).toBe('signed');
    expect(buy(behind, { held: held([OTHER, addressOf(83), 5n]) })).toBe('instruction');
    expect(buy(behind, { held: held([OTHER, WSOL_MINT, 5n]) })).toBe('instruction');
  });

  it('when an aggregator’s check is on the gain and twice the amount was wrapped for it', () => {
    const much = wrap(SPENT * 2n);
    const own = [
      open(MINT),
      ...much.instructions,
      route(much.account, ata(MINT)),
      check(LEAST, MINT),
      close(much.account),
    ];
    expect(buy(own)).toBe('token-amount');
  });

  it('when a balance that a stranger lets the wallet spend from stands for a gain', () => {
    const own = buying(route(wsol.account, ata(MINT)), check(LEAST, MINT, OTHER));
    expect(buy(own, { held: held() })).toBe('swap-check');
  });
});

const HOSTILE_SALES: readonly (readonly [string, readonly Instruction[], PolicyRule])[] = [
  ['all tokens to a stranger', selling(move(SOLD, MINT, ata(MINT), STRANGER)), 'token-amount'],
  ['more than agreed', selling(swapOut({ amountIn: SOLD + 1n })), 'token-amount'],
  [
    'the agreed amount at a venue, and a token more to a stranger',
    selling(swapOut(), move(1n, MINT, ata(MINT), STRANGER)),
    'token-amount',
  ],
  ['less than the minimum', selling(swapOut({ minOut: PROCEEDS - 1n })), 'swap-check'],
  ['a minimum that forgets the fee', selling(swapOut({ minOut: PARAMS.sell.terms.minOut })), 'swap-check'],
  ['its output to a stranger', selling(swapOut({ destination: STRANGER })), 'token-destination'],
  [
    'its output into wrapped SOL that is not unwrapped',
    selling(swapOut({ destination: ata(WSOL_MINT) })),
    'token-destination',
  ],
  ['another token of the wallet’s', selling(swapOut({ source: ata(OTHER) })), 'token-source'],
  ['another wallet’s tokens', selling(swapOut({ source: ata(MINT, STRANGER) })), 'token-source'],
  [
    'an aggregator’s call that leaves less than was to stay',
    selling(
      route(ata(MINT), unwrapped.account),
      check(9n, MINT),
      check(PROCEEDS, WSOL_MINT, unwrapped.account),
    ),
    'token-amount',
  ],
  [
    'an aggregator’s call, and nothing said of what stays',
    selling(route(ata(MINT), unwrapped.account), check(PROCEEDS, WSOL_MINT, unwrapped.account)),
    'token-amount',
  ],
];

describe('a sale is refused', () => {
  it.each(HOSTILE_SALES)('with %s', (_what, own, rule) => {
    expect(sell(own, { held: held([ata(MINT), MINT, SOLD + 10n]) })).toBe(rule);
  });

  it('when lamports that it brought along itself satisfy the check', () => {
    const padded = wrap(PROCEEDS - 3_000_000n + 1n, 'S', RENT + 2_900_000n);
    const own = [
      ...padded.instructions,
      route(ata(MINT), padded.account),
      check(PROCEEDS, WSOL_MINT, padded.account),
      close(padded.account),
      pay(FEE),
    ];
    expect(sell(own, { held: held([ata(MINT), MINT, SOLD]) })).toBe('swap-check');
  });
});

describe('what stands around a trade is refused', () => {
  const [made, initialized] = wsol.instructions as readonly [Instruction, Instruction];
  const given = move(LEAST, MINT, VAULT, ata(MINT), MAKER);
  const spent = move(SPENT, WSOL_MINT, wsol.account, VAULT);
  const extra = (one: Instruction): Instruction => ({
    ...one,
    accounts: [...one.accounts, { address: OTHER, signer: false, writable: false }],
  });
  const rest = [venue(), close(wsol.account)];

  it.each<[string, readonly Instruction[], PolicyRule]>([
    [
      'an account for wrapping that somebody else derives',
      // The base stands in the data, from byte 4 on.
      [{ ...made, data: made.data.with(4, (made.data[4] ?? 0) ^ 1) }, initialized],
      'account-opening',
    ],
    [
      'an account for wrapping that becomes a stranger’s',
      [made, { ...initialized, data: initialized.data.with(1, (initialized.data[1] ?? 0) ^ 1) }],
      'account-opening',
    ],
    [
      'an account for wrapping of another token',
      [made, withAccount(initialized, 1, MINT)],
      'account-opening',
    ],
  ])('%s', (_what, opening, rule) => {
    expect(buy([open(MINT), pay(FEE), ...opening, ...rest])).toBe(rule);
  });

  it('spending from what was unwrapped and closed', () => {
    const own = [open(MINT), pay(FEE), ...wsol.instructions, ...unwrap(1n), close(wsol.account), venue()];
    expect(buy(own)).toBe('token-source');
  });

  it('a hop that leads back to the token that is sold', () => {
    const own = buying(
      open(INTERMEDIATE),
      venue({ destination: ata(INTERMEDIATE) }),
      venue({ source: ata(INTERMEDIATE), destination: wsol.account, amountIn: 1n }),
    );
    expect(judge(over(PARAMS.buy, INTERMEDIATE), own)).toBe('token-destination');
  });

  it('a maker’s payment of another token, into it, and out of the wallet’s own account', () => {
    expect(buy(buying(spent, given))).toBe('signed');
    expect(buy(buying(spent, move(LEAST, OTHER, VAULT, ata(MINT), MAKER)))).toBe('token-destination');
    const own = held([OTHER, MINT, LEAST]);
    expect(
      buy(buying(spent, check(LEAST, MINT, OTHER), move(LEAST, MINT, OTHER, ata(MINT), MAKER)), {
        held: own,
      }),
    ).toBe('token-source');
  });

  it('a transfer with accounts behind it, for whatever a token’s hook would do', () => {
    expect(buy(buying(extra(spent), given))).toBe('instruction');
    expect(buy(buying(spent, given, extra(check(1n, MINT))))).toBe('instruction');
  });

  it('the wallet’s own tokens as what was brought, but not those that a maker let it take', () => {
    const taken = buying(spent, move(LEAST, MINT, VAULT, ata(MINT)), check(1n, MINT));
    expect(buy(taken)).toBe('signed');
    expect(buy(taken, { held: held([VAULT, MINT, LEAST]) })).toBe('token-destination');
  });

  it('the token that is sold or bought as one in the middle, which could be opened and closed', () => {
    expect(judge(over(PARAMS.buy, MINT), buying(venue()))).toBe('signed');
    expect(judge(over(PARAMS.buy, MINT), [...buying(venue()), close(ata(MINT))])).toBe('account-closing');
    expect(judge(over(PARAMS.sell, MINT), [open(MINT), ...selling(swapOut())])).toBe('account-opening');
    const wrapping = [open(WSOL_MINT), ...buying(venue())];
    expect(judge(over(PARAMS.buy, WSOL_MINT), wrapping)).toBe('account-opening');
    expect(sell([open(WSOL_MINT), ...selling(swapOut())])).toBe('account-opening');
  });

  it('a call from one account of the middle into another of the same token', () => {
    const second = ata(INTERMEDIATE, WALLET, TOKEN_2022_PROGRAM);
    const own = buying(
      open(INTERMEDIATE),
      open(INTERMEDIATE, WALLET, TOKEN_2022_PROGRAM),
      venue({ destination: ata(INTERMEDIATE), minOut: 60n }),
      venue({ source: ata(INTERMEDIATE), destination: second, amountIn: 60n, minOut: 60n }),
      venue({ source: second, amountIn: 60n }),
    );
    expect(judge(over(PARAMS.buy, INTERMEDIATE), own)).toBe('token-destination');
  });

  it('a close that somebody else signs', () => {
    const own = buying(venue());
    expect(buy([...own.slice(0, -1), withAccount(close(wsol.account), 2, STRANGER)])).toBe('account-closing');
  });

  it('tokens sent into the account that wraps, as if they stayed', () => {
    const sent = move(1n, MINT, ata(MINT), unwrapped.account);
    expect(sell(selling(sent, swapOut()))).toBe('token-amount');
    expect(sell(selling(swapOut(), sent))).toBe('token-amount');
  });

  it('what was moved between two wrapping accounts and found in the second, counted twice', () => {
    const small = wrap(0n, 'T');
    const twice = (amount: bigint) =>
      selling(
        swapOut({ minOut: amount }),
        ...small.instructions,
        move(amount, WSOL_MINT, unwrapped.account, small.account),
        check(amount, WSOL_MINT, small.account),
        close(small.account),
      );
    expect(sell(twice(PROCEEDS))).toBe('signed');
    expect(sell(twice(PROCEEDS - 1n))).toBe('swap-check');
  });

  it('lamports wrapped for a sale beyond the rent', () => {
    const funded = (rentLamports: bigint) => {
      const { account, instructions } = wrap(0n, 'S', rentLamports);
      return [...instructions, swapOut({ destination: account }), close(account), pay(FEE)];
    };
    expect(sell(funded(5_000_000n))).toBe('signed');
    expect(sell(funded(5_000_001n))).toBe('account-opening');
  });

  it('an aggregator’s call over an account that the look left out, but for the one that wraps', () => {
    const own = buying(route(wsol.account, ata(MINT), OTHER), check(LEAST, MINT));
    expect(judge(PARAMS.buy, own, {}, [wsol.account])).toBe('signed');
    expect(judge(PARAMS.buy, own, {}, [OTHER])).toBe('swap-check');
    expect(judge(PARAMS.buy, own, {}, [ata(MINT)])).toBe('swap-check');
    // It is not named, but it is what the check behind would be about.
    const apart = buying(route(wsol.account), check(LEAST, MINT));
    expect(judge(PARAMS.buy, apart, {}, [])).toBe('signed');
    expect(judge(PARAMS.buy, apart, {}, [ata(MINT)])).toBe('swap-check');
  });

  it('a judge that nobody let look', () => {
    const own = [programs.memo(INTENT_ID), ...buying(route(wsol.account, ata(MINT)), check(LEAST, MINT))];
    const { bytes } = createMessageCompiler().compile({
      payer: WALLET,
      blockhash: addressOf(99),
      instructions: own,
    });
    const context = {
      wallet: WALLET,
      treasury: TREASURY,
      venuePrograms: [],
      aggregatorPrograms: [AGGREGATOR],
    };
    const intent = buildIntent({ params: PARAMS.buy });
    const rule = expect.objectContaining({ details: { rule: 'swap-check' } });
    expect(() => assertPolicy(bytes, { ...context, intent })).toThrow(rule);
    expect(() => assertPolicy(bytes, { ...context, intent, held: new Map() })).toThrow(rule);
  });
});

describe('a sale that closes the account which it empties', () => {
  const closing = (account: Address, destination = WALLET): Instruction =>
    withAccount(close(account), 1, destination);

  it('is signed for the account of what is sold, to the wallet', () => {
    expect(sell([...selling(swapOut()), closing(ata(MINT))])).toBe('signed');
  });

  it('gives the deposit to nobody else and closes nothing else', () => {
    expect(sell([...selling(swapOut()), closing(ata(MINT), STRANGER)])).toBe('account-closing');
    expect(sell([...selling(swapOut()), closing(ata(MINT), TREASURY)])).toBe('account-closing');
    expect(sell([...selling(swapOut()), closing(ata(OTHER))])).toBe('account-closing');
    // The wallet's own wrapped SOL would be closed with all that is in it.
    expect(sell([...selling(swapOut()), closing(ata(WSOL_MINT))])).toBe('account-closing');
    expect(judge(over(PARAMS.sell, INTERMEDIATE), [...selling(swapOut()), closing(ata(INTERMEDIATE))])).toBe(
      'account-closing',
    );
  });

  it('is no part of a purchase', () => {
    expect(buy([...buying(venue()), closing(ata(OTHER))])).toBe('account-closing');
    expect(buy([...buying(venue()), closing(ata(MINT))])).toBe('account-closing');
  });
});
