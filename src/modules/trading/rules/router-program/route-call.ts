import {
  type AccountMeta,
  type Address,
  type Instruction,
  ROUTER_EVENT_AUTHORITY,
  ROUTER_PROGRAM,
  TOKEN_PROGRAM,
} from '@tradepost/solana';
import type { StepVariant } from '@tradepost/venues/forms';
import { type StepPlan, stepPlanProblem } from './step-plan.ts';
import { STEP_VARIANTS, variantOf } from './step-variants.ts';

/** `sha256("global:route")`: whole percents per step, one minimum for the last token. */
const ROUTE = [229, 23, 203, 151, 122, 227, 173, 42];
const HEAD_ACCOUNTS = 9;
/** Steps' count behind the discriminator; amount in, minimum, slippage and fee behind the steps. */
const COUNT_BYTES = 4;
const TAIL_BYTES = 8 + 8 + 2 + 1;
const STEP_BYTES = 3;

export type RouteCallInput = {
  readonly owner: Address;
  readonly source: Address;
  readonly destination: Address;
  readonly mintOut: Address;
  readonly amountIn: bigint;
  /** Units that `destination` must gain, or the transaction fails. */
  readonly minOut: bigint;
  /** The venues' own swap instructions over the trader's accounts, with their part of the plan. */
  readonly steps: readonly (StepPlan & { readonly swap: Instruction })[];
};

/**
 * The whole route as one call of the router program: each step spends its percent of the output of the steps before. The program compares
 * the gain of the destination with `minOut`, to the unit. No fee of the program's, no slippage of its own beyond the minimum. Throws a
 * RangeError for a plan that would not spend everything in order, and for a swap without a kind of step.
 */
export function routeCall(input: RouteCallInput): Instruction {
  const { owner, source, destination, mintOut, amountIn, minOut, steps } = input;
  const problem = stepPlanProblem(steps);
  if (problem !== null) throw new RangeError(`the steps of the route do not add up: ${problem}`);
  const made = steps.map(({ swap, ...plan }) => {
    const found = variantOf(swap);
    if (found === null) throw new RangeError(`the router program has no step for ${swap.programId}`);
    return { ...plan, ...found, swap };
  });
  return {
    programId: ROUTER_PROGRAM,
    accounts: [
      ...headOf({ owner, source, destination, mintOut }),
      ...made.flatMap(({ variant, swap }) => [
        readonly(variant.program),
        ...stepMetas(variant, swap, owner),
        ...(variant.moreAccounts > 0 ? [readonly(ROUTER_PROGRAM)] : []),
      ]),
    ],
    data: new Uint8Array([
      ...ROUTE,
      ...littleEndian(BigInt(made.length), COUNT_BYTES),
      ...made.flatMap(({ variant, fields, percent, input: from, output }) => [
        variant.tag,
        ...fields,
        percent,
        from,
        output,
      ]),
      ...littleEndian(amountIn, 8),
      ...littleEndian(minOut, 8),
      // Slippage in bps below the minimum, and the program's fee: none.
      0,
      0,
      0,
    ]),
  };
}

/** The venue's accounts as the step lists them. The message marks the trader as signer once, in the head. */
function stepMetas(variant: StepVariant, swap: Instruction, owner: Address): readonly AccountMeta[] {
  const metas = swap.accounts.map(({ address, writable: isWritable }, index) =>
    isWritable || index === variant.writableAt ? writable(address) : readonly(address),
  );
  return variant.payer === true ? metas.toSpliced(variant.accounts, 0, writable(owner)) : metas;
}

export type DecodedStep = StepPlan & {
  readonly variant: StepVariant;
  readonly owner: Address;
  readonly source: Address;
  readonly destination: Address;
  /** Every other account of the venue's, in order. */
  readonly others: readonly Address[];
};

export type DecodedRouteCall = {
  readonly owner: Address;
  readonly source: Address;
  readonly destination: Address;
  readonly mintOut: Address;
  readonly amountIn: bigint;
  readonly minOut: bigint;
  readonly steps: readonly DecodedStep[];
};

/**
 * The inverse of `routeCall`, for callers that must not trust the bytes. Null unless the instruction is byte for byte one that it makes,
 * with a plan that adds up, known steps, their accounts complete and nothing behind them. The caller judges the owners of the accounts: the
 * program hardly checks its head.
 */
export function decodeRouteCall(instruction: Instruction): DecodedRouteCall | null {
  const { programId, accounts, data } = instruction;
  if (programId !== ROUTER_PROGRAM || ROUTE.some((byte, index) => data[index] !== byte)) return null;
  const plans = readPlans(data);
  const [, owner, source, destination, , mintOut] = accounts.map(({ address }) => address);
  if (plans === null || owner === undefined || source === undefined) return null;
  if (destination === undefined || mintOut === undefined || stepPlanProblem(plans.steps) !== null)
    return null;
  const head = headOf({ owner, source, destination, mintOut });
  if (head.some(({ address }, index) => accounts[index]?.address !== address)) return null;
  // A decoded message marks a signer at each of its places; no account but the owner may sign.
  if (accounts.some(({ address, signer }) => signer && address !== owner)) return null;
  const steps: DecodedStep[] = [];
  let at = HEAD_ACCOUNTS;
  for (const { variant, fields, ...plan } of plans.steps) {
    const listed = stepAccounts(accounts, at, variant);
    if (listed === null) return null;
    at += 1 + listed.length + (variant.moreAccounts > 0 ? 1 : 0);
    if (variant.payer === true && listed[variant.accounts] !== listed[variant.owner]) return null;
    const metas = variant.payer === true ? listed.toSpliced(variant.accounts, 1) : listed;
    const ends = variant.ends(fields);
    const others = metas.filter(
      (_, index) => ![variant.owner, ends.source, ends.destination].includes(index),
    );
    const [trader, from, to] = [metas[variant.owner], metas[ends.source], metas[ends.destination]];
    if (trader === undefined || from === undefined || to === undefined) return null;
    steps.push({ ...plan, variant, owner: trader, source: from, destination: to, others });
  }
  if (at !== accounts.length) return null;
  return { owner, source, destination, mintOut, amountIn: plans.amountIn, minOut: plans.minOut, steps };
}

/** The accounts between the id of the venue's program and the end of its accounts; null where they are not complete. */
function stepAccounts(
  accounts: readonly AccountMeta[],
  at: number,
  { program, accounts: fixed, moreAccounts, payer }: StepVariant,
): readonly Address[] | null {
  if (accounts[at]?.address !== program) return null;
  const first = at + 1;
  const count = fixed + (payer === true ? 1 : 0);
  let end = first + count;
  if (moreAccounts > 0) {
    while (end < accounts.length && accounts[end]?.address !== ROUTER_PROGRAM) end += 1;
    if (end >= accounts.length || end - first - count > moreAccounts) return null;
  }
  return end > accounts.length ? null : accounts.slice(first, end).map(({ address }) => address);
}

type ReadPlan = StepPlan & { readonly variant: StepVariant; readonly fields: readonly number[] };

function readPlans(
  data: Uint8Array,
): { readonly steps: readonly ReadPlan[]; readonly amountIn: bigint; readonly minOut: bigint } | null {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (data.length < ROUTE.length + COUNT_BYTES + TAIL_BYTES) return null;
  const count = view.getUint32(ROUTE.length, true);
  const steps: ReadPlan[] = [];
  let at = ROUTE.length + COUNT_BYTES;
  for (let index = 0; index < count; index += 1) {
    const variant = STEP_VARIANTS.find(({ tag }) => tag === data[at]);
    if (variant === undefined) return null;
    const fields = [...data.subarray(at + 1, at + 1 + variant.fieldBytes)];
    if (!variant.isField(fields)) return null;
    at += 1 + variant.fieldBytes;
    const [percent, input, output] = data.subarray(at, at + STEP_BYTES);
    if (percent === undefined || input === undefined || output === undefined) return null;
    steps.push({ variant, fields, percent, input, output });
    at += STEP_BYTES;
  }
  if (at + TAIL_BYTES !== data.length) return null;
  // Slippage and fee: any of them would be another's gain.
  if (data.subarray(at + 16).some((byte) => byte !== 0)) return null;
  return { steps, amountIn: view.getBigUint64(at, true), minOut: view.getBigUint64(at + 8, true) };
}

/** The program names itself where an account is left out: no second destination, no taker of a fee. */
function headOf({
  owner,
  source,
  destination,
  mintOut,
}: Pick<RouteCallInput, 'owner' | 'source' | 'destination' | 'mintOut'>): readonly AccountMeta[] {
  return [
    readonly(TOKEN_PROGRAM),
    { address: owner, signer: true, writable: false },
    writable(source),
    writable(destination),
    readonly(ROUTER_PROGRAM),
    readonly(mintOut),
    readonly(ROUTER_PROGRAM),
    readonly(ROUTER_EVENT_AUTHORITY),
    readonly(ROUTER_PROGRAM),
  ];
}

const readonly = (address: Address): AccountMeta => ({ address, signer: false, writable: false });
const writable = (address: Address): AccountMeta => ({ address, signer: false, writable: true });

function littleEndian(value: bigint, bytes: number): readonly number[] {
  if (value < 0n || value >> BigInt(bytes * 8) !== 0n) throw new RangeError(`${value} is not ${bytes} bytes`);
  return Array.from({ length: bytes }, (_, index) => Number((value >> BigInt(index * 8)) & 0xffn));
}
