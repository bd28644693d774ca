import {
  type Address,
  ASSOCIATED_TOKEN_PROGRAM,
  addressFromBytes,
  COMPUTE_BUDGET_PROGRAM,
  DONT_FRONT,
  type Instruction,
  MEMO_PROGRAM,
  maxBigint,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  WSOL_MINT,
} from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import {
  MAX_LOCKS,
  type MessageSize,
  messageSize,
  PACKET_BYTES,
  VERSION_1_BYTES,
  version1Size,
} from './message-size.ts';
import { routeCall } from './router-program/route-call.ts';
import { variantOf } from './router-program/step-variants.ts';
import type { SwapOrder } from './swap-order.ts';

const standIn = (n: number): Address => addressFromBytes(new Uint8Array(32).fill(n));
const OWNER = standIn(1);
const SOURCE = standIn(2);
const DESTINATION = standIn(3);
const FEE_RECEIVER = standIn(4);
const RECEIVER = standIn(5);
const PAYER = standIn(6);
const TIPPED = standIn(7);
const FIRST_MIDDLE = 8;

/**
 * The constant part around the swaps: compute budget, a token account, wrapped SOL opened and closed. The accounts are named so that those
 * which the swaps name too are counted once.
 */
const AROUND_ACCOUNTS: readonly Address[] = [
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  WSOL_MINT,
];
const AROUND_BYTES = 204;
/** An intent's id, and a transfer, each with its counts. */
const MEMO_BYTES = 29;
const FEE_BYTES = 17;
const TIP_BYTES = 16;
/** Opening (six accounts, one byte of data) and closing (three, one) an account of an intermediate token. */
const MIDDLE_BYTES = 3 + 6 + 1 + 3 + 3 + 1;

/** A leg as far as its size goes. */
export type FittingLeg = { readonly pool: Pool; readonly mintIn: Address; readonly mintOut: Address };

/**
 * Tells whether these swaps fit one transaction: bytes and account locks, in version 1 or with lookup tables where the order has them; each in its own
 * instructions, or all in one call of the router program. A pool that cannot build its instruction for this order fits
 * nowhere, and one without a step in no call of the program. `pools` are all that any leg may name.
 */
export function createRouteFits(
  order: SwapOrder,
  pools: readonly Pool[],
  form: 'separate' | 'program' = 'separate',
): (legs: readonly FittingLeg[]) => boolean {
  const known = new Map<string, readonly Instruction[] | null>();
  const judged = new Map<string, boolean>();
  let reached: ReadonlyMap<Address, bigint> | null = null;
  const intermediates: Address[] = [];
  const accountOf = (mint: Address): Address => {
    if (mint === order.mintIn) return SOURCE;
    if (mint === order.mintOut) return DESTINATION;
    if (!intermediates.includes(mint)) intermediates.push(mint);
    return standIn(FIRST_MIDDLE + intermediates.indexOf(mint));
  };
  const swapOf = (leg: FittingLeg): readonly Instruction[] | null => {
    const key = `${leg.pool.id} ${leg.mintIn}`;
    const made = known.get(key);
    if (made !== undefined) return made;
    reached ??= roughAmounts(order, pools);
    const fresh = build(leg, reached.get(leg.mintIn) ?? order.amountIn, accountOf);
    known.set(key, fresh);
    return fresh;
  };
  const judge = (legs: readonly FittingLeg[]): boolean => {
    const made = legs.map(swapOf);
    const swaps = form === 'program' ? [inOneCall(made)] : made;
    if (swaps.some((swap) => swap === null)) return false;
    const passed = [...new Set(legs.map(({ mintIn }) => mintIn))].filter((mint) => mint !== order.mintIn);
    const around = aroundSwaps(
      order,
      passed.flatMap((mint) => [mint, accountOf(mint)]),
      passed.length,
    );
    const all = [...around, ...swaps.flatMap((swap) => swap ?? [])];
    const fits = ({ bytes, accounts }: MessageSize, most: number): boolean =>
      bytes <= most && accounts <= (order.locks ?? MAX_LOCKS);
    return (
      fits(messageSize(OWNER, all), PACKET_BYTES) ||
      (order.version1 === true && fits(version1Size(OWNER, all), VERSION_1_BYTES)) ||
      (order.lookupTables !== undefined && fits(messageSize(OWNER, all, order.lookupTables), PACKET_BYTES))
    );
  };
  // A search comes back to the same few sets of pools, whose size does not depend on their order.
  return (legs) => {
    const key = legs
      .map(({ pool, mintIn }) => `${pool.id} ${mintIn}`)
      .toSorted()
      .join(' ');
    const before = judged.get(key);
    if (before !== undefined) return before;
    const fresh = judge(legs);
    judged.set(key, fresh);
    return fresh;
  };
}

/** Everything of the transaction but the swaps, as far as its size goes: one instruction with all accounts and bytes. */
function aroundSwaps(
  order: SwapOrder,
  passedAccounts: readonly Address[],
  passedMints: number,
): readonly Instruction[] {
  const {
    memo,
    fee,
    receiver = false,
    payer = false,
    tip = false,
  } = order.around ?? { memo: true, fee: true };
  const around: Instruction = {
    programId: SYSTEM_PROGRAM,
    accounts: [
      order.mintIn,
      order.mintOut,
      SOURCE,
      DESTINATION,
      ...passedAccounts,
      ...AROUND_ACCOUNTS,
      ...(fee ? [FEE_RECEIVER] : []),
      ...(receiver ? [RECEIVER] : []),
      ...(payer ? [PAYER] : []),
      ...(tip ? [TIPPED, DONT_FRONT] : []),
    ].map((address) => ({ address, signer: address === PAYER, writable: false })),
    data: new Uint8Array(
      AROUND_BYTES +
        (memo ? MEMO_BYTES : 0) +
        (fee ? FEE_BYTES : 0) +
        (tip ? TIP_BYTES : 0) +
        MIDDLE_BYTES * passedMints,
    ),
  };
  // Programs that only `around` uses stay static, so they are named as programs.
  const named = [
    ASSOCIATED_TOKEN_PROGRAM,
    COMPUTE_BUDGET_PROGRAM,
    TOKEN_PROGRAM,
    ...(memo ? [MEMO_PROGRAM] : []),
  ].map((programId): Instruction => ({ programId, accounts: [], data: new Uint8Array() }));
  return [around, ...named];
}

/** As steps of one call of the router program: its size is the same for all percents and orders of the steps. */
function inOneCall(swaps: readonly (readonly Instruction[] | null)[]): readonly Instruction[] | null {
  const steps = swaps.flatMap((made, index) => {
    const [swap, ...more] = made ?? [];
    if (swap === undefined || more.length > 0 || variantOf(swap) === null) return [];
    return [{ percent: 100, input: index, output: index + 1, swap }];
  });
  if (steps.length === 0 || steps.length < swaps.length) return null;
  const ends = { owner: OWNER, source: SOURCE, destination: DESTINATION };
  return [routeCall({ ...ends, mintOut: WSOL_MINT, amountIn: 0n, minOut: 0n, steps })];
}

/** About the units that arrive at each token when the whole order goes there: a pool may need another instruction for another size. */
function roughAmounts(order: SwapOrder, pools: readonly Pool[]): ReadonlyMap<Address, bigint> {
  const reached = new Map<Address, bigint>([[order.mintIn, order.amountIn]]);
  // Two rounds reach every token from which a last hop may start.
  for (let round = 0; round < 2; round++) {
    for (const pool of pools) {
      const [a, b] = pool.mints;
      for (const [from, to] of [[a, b] as const, [b, a] as const]) {
        const held = reached.get(from);
        if (held === undefined || to === order.mintIn) continue;
        reached.set(to, maxBigint(reached.get(to) ?? 0n, pool.quote(from, held)));
      }
    }
  }
  return reached;
}

function build(
  { pool, mintIn, mintOut }: FittingLeg,
  amountIn: bigint,
  accountOf: (mint: Address) => Address,
): readonly Instruction[] | null {
  try {
    return pool.swap({
      owner: OWNER,
      mintIn,
      amountIn,
      amountOut: 0n,
      minOut: 0n,
      source: accountOf(mintIn),
      destination: accountOf(mintOut),
      destinationHolds: 0n,
      // The size alone is asked for.
      tokenAccountRent: 0n,
      ...(mintIn === WSOL_MINT ? {} : { sourceHolds: amountIn + 1n }),
    });
  } catch {
    return null;
  }
}
