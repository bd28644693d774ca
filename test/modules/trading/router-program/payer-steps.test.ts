import { type Instruction, ROUTER_PROGRAM } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import {
  PUMP_SWAP_GLOBAL_VOLUME,
  PUMP_SWAP_PROGRAM,
} from '../../../../packages/venues/src/pump-swap/layout.ts';
import { RAYDIUM_CPMM_PROGRAM } from '../../../../packages/venues/src/raydium-cpmm/layout.ts';
import { testAddress } from '../../../../packages/venues/test/shared/build.ts';
import { openAccountBook } from '../../../../src/engine/signing/rules/account-book.ts';
import { brokenRouterRule } from '../../../../src/engine/signing/rules/router-rule.ts';
import {
  decodeRouteCall,
  routeCall,
} from '../../../../src/modules/trading/rules/router-program/route-call.ts';
import {
  BOUGHT,
  DESTINATION,
  INTERMEDIATE,
  MIDDLE_ACCOUNT,
  OWNER,
  SOLD,
  SOURCE,
  STEP_POOLS,
  swapOf,
} from './real-swaps.ts';

const HEAD_ACCOUNTS = 9;
const SELL_ACCOUNTS = 21;
const BUY_ACCOUNTS = 23;
const poolOf = (name: string, mints: Parameters<(typeof STEP_POOLS)[string]>[0], by: number) => {
  const build = STEP_POOLS[name];
  if (build === undefined) throw new Error(name);
  return build(mints, by);
};
// A pool's first mint is the coin.
const sale = swapOf(poolOf('pump-swap', [SOLD, INTERMEDIATE], 1_000), SOLD.mint);
const purchase = swapOf(poolOf('pump-swap', [INTERMEDIATE, SOLD], 1_000), SOLD.mint);
const last = swapOf(poolOf('raydium-cpmm', [INTERMEDIATE, BOUGHT], 2_000), INTERMEDIATE.mint);
const callOf = (first: Instruction) =>
  routeCall({
    owner: OWNER,
    source: SOURCE,
    destination: DESTINATION,
    mintOut: BOUGHT.mint,
    amountIn: 12_345n,
    minOut: 678n,
    steps: [
      { percent: 100, input: 0, output: 1, swap: first },
      { percent: 100, input: 1, output: 2, swap: last },
    ],
  });

describe.each([
  ['a sale', sale, SELL_ACCOUNTS, 100],
  ['a purchase', purchase, BUY_ACCOUNTS, 99],
] as const)('%s at PumpSwap as a step', (_title, swap, fixed, tag) => {
  const call = callOf(swap);
  const payerAt = HEAD_ACCOUNTS + 1 + fixed;

  it('has a tag of its own', () => {
    // Behind the discriminator and the number of steps.
    expect(call.data.slice(12, 16)).toEqual(new Uint8Array([tag, 100, 0, 1]));
  });

  it('names the trader once more as payer, between the accounts that are always there and the rest', () => {
    const listed = call.accounts.slice(HEAD_ACCOUNTS, HEAD_ACCOUNTS + swap.accounts.length + 3);
    expect([listed[0]?.address, listed.at(-1)?.address]).toEqual([PUMP_SWAP_PROGRAM, ROUTER_PROGRAM]);
    const given = listed.slice(1, -1);
    expect(given[fixed]).toEqual({ address: OWNER, signer: false, writable: true });
    const handedOn = given.toSpliced(fixed, 1);
    expect(handedOn.map(({ address }) => address)).toEqual(swap.accounts.map(({ address }) => address));
    // The router passes the count of everybody's volume on as writable, which the venue only reads.
    const wider = handedOn.filter(({ writable }, index) => writable !== swap.accounts[index]?.writable);
    expect(wider.map(({ address }) => address)).toEqual(
      fixed === BUY_ACCOUNTS ? [PUMP_SWAP_GLOBAL_VOLUME] : [],
    );
  });

  it('is decoded with both ends, and the payer is none of the others', () => {
    const [step] = decodeRouteCall(call)?.steps ?? [];
    expect(step).toMatchObject({ owner: OWNER, source: SOURCE, destination: MIDDLE_ACCOUNT });
    expect(step?.others).toHaveLength(swap.accounts.length - 3);
    expect(step?.others).not.toContain(OWNER);
  });

  it('is signed where its accounts are the wallet’s', () => {
    const book = openAccountBook({ wallet: OWNER, mints: [] });
    book.name(SOURCE, SOLD.mint);
    book.prove(MIDDLE_ACCOUNT, INTERMEDIATE.mint);
    book.prove(DESTINATION, BOUGHT.mint);
    const rule = brokenRouterRule(decodeRouteCall(call), {
      terms: {
        wallet: OWNER,
        mintIn: SOLD.mint,
        mintOut: BOUGHT.mint,
        intermediates: [INTERMEDIATE.mint],
        venuePrograms: [PUMP_SWAP_PROGRAM, RAYDIUM_CPMM_PROGRAM],
      },
      book,
    });
    expect(rule).toBeNull();
  });

  it('is refused with another payer than the trader, and without one', () => {
    const stranger = { address: testAddress(904), signer: false, writable: true };
    expect(decodeRouteCall({ ...call, accounts: call.accounts.with(payerAt, stranger) })).toBeNull();
    expect(decodeRouteCall({ ...call, accounts: call.accounts.toSpliced(payerAt, 1) })).toBeNull();
  });
});
