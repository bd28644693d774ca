import {
  type Address,
  type Instruction,
  OPENBOOK_V2_PROGRAM,
  TOKEN_PROGRAM,
  WSOL_MINT,
} from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { openbookV2 } from '../../../packages/venues/src/openbook-v2/index.ts';
import { RAYDIUM_CPMM_PROGRAM } from '../../../packages/venues/src/raydium-cpmm/layout.ts';
import { buildMarket } from '../../../packages/venues/test/openbook-v2/build.ts';
import { buildMint, poolOf } from '../../../packages/venues/test/shared/build.ts';
import { assertPolicy } from '../../../src/engine/signing/rules/policy.ts';
import type { PolicyRule } from '../../../src/engine/signing/rules/policy-rule.ts';
import { assertSwapPolicy } from '../../../src/engine/signing/rules/swap-policy.ts';
import { createMessageCompiler } from '../../../src/platform/chain/compiler.ts';
import { createPrograms } from '../../../src/platform/chain/programs.ts';
import { addressOf, buildIntent, INTENT_ID, MINT, PARAMS, TREASURY, WALLET } from '../intents/build.ts';
import { look } from './look.ts';
import { tableOf } from './table-of.ts';
import { venueCall } from './venue-call.ts';

const programs = createPrograms();
const ACCOUNT = programs.associatedTokenAddress(WALLET, MINT, TOKEN_PROGRAM);
const STRANGER = addressOf(66);
const OTHER_VENUE = RAYDIUM_CPMM_PROGRAM;
const { lamportsIn, terms } = PARAMS.buy;
const SPENT = lamportsIn - terms.platformFeeLamports;
const least = terms.minOut;

const open = programs.createAssociatedTokenAccount({
  payer: WALLET,
  owner: WALLET,
  mint: MINT,
  tokenProgram: TOKEN_PROGRAM,
});
const wrapped = programs.openWrappedSol({
  owner: WALLET,
  seed: 'S',
  lamports: SPENT,
  rentLamports: 2_039_280n,
});
const close = programs.closeTokenAccount({
  account: wrapped.account,
  owner: WALLET,
  tokenProgram: TOKEN_PROGRAM,
});
const pool = poolOf(
  openbookV2,
  buildMarket({
    asks: [{ price: 3n, lots: 10n ** 12n }],
    baseLotSize: 1n,
    mints: [buildMint(MINT), buildMint(WSOL_MINT, { decimals: 9 })],
  }),
);
/** What the venue builds: the order and the check behind it, when `holds` is in the account by then. */
const swap = (minOut = least, destination: Address = ACCOUNT, owner: Address = WALLET, holds = 0n) => {
  const [take, check] = pool.swap({
    owner,
    mintIn: WSOL_MINT,
    amountIn: SPENT,
    amountOut: SPENT / 3n,
    minOut,
    source: wrapped.account,
    destination,
    destinationHolds: holds,
  });
  if (take === undefined || check === undefined) throw new Error('no order');
  return { take, check };
};
const { take, check } = swap();
/** A part of the amount at a venue that enforces its own minimum. */
const call = (minOut: bigint): Instruction =>
  venueCall({ owner: WALLET, source: wrapped.account, destination: ACCOUNT, amountIn: 9n, minOut });
const changed = (at: number, value: number): Instruction => {
  const data = Uint8Array.from(take.data);
  data[at] = value;
  return { ...take, data };
};

const judges: readonly [string, (own: readonly Instruction[], venues?: readonly Address[]) => void][] = [
  [
    'a trade',
    (own, venues = [OPENBOOK_V2_PROGRAM, OTHER_VENUE]) =>
      assertPolicy(compiled([programs.memo(INTENT_ID), ...own]), {
        intent: buildIntent({ params: PARAMS.buy }),
        wallet: WALLET,
        treasury: TREASURY,
        venuePrograms: venues,
        tokenAccountRent: 2_039_280n,
        held: look(compiled([programs.memo(INTENT_ID), ...own]), WALLET, tableOf(own, WALLET)),
        lookupTables: tableOf(own, WALLET),
      }),
  ],
  [
    'an unsigned swap',
    (own, venues = [OPENBOOK_V2_PROGRAM, OTHER_VENUE]) =>
      assertSwapPolicy(compiled(own), {
        user: WALLET,
        mintIn: WSOL_MINT,
        mintOut: MINT,
        amount: SPENT,
        intermediates: [],
        minOut: least,
        referrer: null,
        lookupTables: tableOf(own, WALLET),
        programs: venues,
        priority: { tier: 'normal' as const, capLamports: null },
        feePayer: null,
        destination: null,
        solAsToken: false,
        byAggregator: false,
        tokenAccountRent: 2_039_280n,
        held: look(compiled(own), WALLET, tableOf(own, WALLET)),
      }),
  ],
];

function compiled(instructions: readonly Instruction[]): Uint8Array {
  const lookupTables = tableOf(instructions, WALLET);
  return createMessageCompiler().compile({
    payer: WALLET,
    blockhash: addressOf(99),
    instructions,
    lookupTables,
  }).bytes;
}

describe.each(judges)('the policy on an order on a book in %s', (_what, judge) => {
  const ruled = (own: readonly Instruction[], venues?: readonly Address[]): PolicyRule | 'passed' => {
    try {
      judge([open, ...wrapped.instructions, ...own, close], venues);
      return 'passed';
    } catch (error) {
      return (error as { details: { rule: PolicyRule } }).details.rule;
    }
  };

  it('passes it with the check that the venue puts behind it', () => {
    expect(ruled([take, check])).toBe('passed');
    expect(ruled([take, check, call(0n)])).toBe('passed');
    expect(ruled([call(least - 1n), take, swap(1n, ACCOUNT, WALLET, least - 1n).check])).toBe('passed');
    expect(ruled([take, swap(1n).check, call(least - 1n)])).toBe('passed');
  });

  it('refuses it where nobody looked at what it may empty', () => {
    const own = [open, ...wrapped.instructions, programs.memo(INTENT_ID), take, check, close];
    const unlooked = (): void =>
      assertPolicy(compiled(own), {
        intent: buildIntent({ params: PARAMS.buy }),
        wallet: WALLET,
        treasury: TREASURY,
        venuePrograms: [OPENBOOK_V2_PROGRAM],
        lookupTables: tableOf(own, WALLET),
      });
    expect(unlooked).toThrow(expect.objectContaining({ details: { rule: 'swap-check' } }));
  });

  it('refuses it on a cluster where the program is not traded on', () => {
    expect(ruled([take, check], [OTHER_VENUE])).toBe('program');
  });

  it.each([
    ['no check', [take]],
    ['the check before it', [check, take]],
    ['a check between two of them', [take, check, take]],
    ['a check of less than the minimum', [take, swap(least - 1n).check]],
    ['a check of another account', [take, swap(least, STRANGER).check]],
    ['its output to a stranger', [swap(least, STRANGER).take, check]],
  ] as const)('refuses it with %s', (_title, own) => {
    expect(ruled(own)).toBe('swap-check');
  });

  it.each([
    ['for another owner', swap(least, ACCOUNT, STRANGER).take],
    ['another instruction of that program', changed(0, 51)],
    ['an order that may rest', changed(33, 0)],
    ['an order of a side that does not exist', changed(8, 2)],
    ['an order cut short', { ...take, data: take.data.slice(0, 34) }],
    ['an order with accounts missing', { ...take, accounts: take.accounts.slice(0, 15) }],
  ])('refuses %s', (_title, odd) => {
    expect(ruled([odd, check])).toBe('instruction');
  });
});
