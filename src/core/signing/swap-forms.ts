import { type Address, address } from '../address/address.ts';
import { OPENBOOK_V2_PROGRAM } from '../address/programs.ts';
import type { Instruction } from '../instruction.ts';
import { STEP_VARIANTS, type StepVariant } from '../swap/router-program/step-variants.ts';

/** Where a side of a swap is: a token account, or the trader's own lamports for a program that takes and pays those. */
export type SwapEnd = Address | 'lamports';

/** A venue's swap as its own bytes say it: whose it is, from where to where, how much goes in and how little may come out. */
export type SwapCall = {
  readonly owner: Address;
  readonly source: SwapEnd;
  readonly destination: SwapEnd;
  /** Exactly this much leaves the source; null where the bytes count in lots whose size only the market knows. */
  readonly amountIn: bigint | null;
  /** The program fails unless the destination gains this much; null where it knows no minimum. */
  readonly minOut: bigint | null;
  /** Every other account that the call names. */
  readonly others: readonly Address[];
};

/** One swap instruction of a venue's program: which bytes are the amounts, and which places are the trader's. */
type SwapForm = Pick<
  StepVariant,
  'program' | 'discriminator' | 'dataBytes' | 'accounts' | 'fieldsOf' | 'owner'
> & {
  readonly ends: (fields: readonly number[]) => {
    readonly source: number | 'lamports';
    readonly destination: number | 'lamports';
  };
  /** Where the trader stands once more, as payer of what the program may open. */
  readonly feePayer?: number;
  /** True where amount and minimum do not stand behind the discriminator. */
  readonly hidesAmounts?: true;
};

const PUMP_PROGRAM = address('6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P');
const LAUNCHLAB_PROGRAM = address('LanMV9sAd7wArD4vJFi2qDdfnVhFxYSUg6eADduJ3uj');
const AMM_V4_PROGRAM = address('675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8');
const IMMEDIATE_OR_CANCEL = 1;
const BID = 0;
const ASK = 1;
const NO_FIELDS = (): readonly number[] => [];
/** No share of the fees for anybody. */
const noShare = (data: Uint8Array): readonly number[] | null =>
  data.subarray(24).every((byte) => byte === 0) ? [] : null;

/**
 * Every swap instruction that a wallet signs by itself: those that are steps of the router program too, and those that are
 * not. A venue whose instruction stands nowhere here trades nothing: what its bytes mean could not be judged. Source of truth:
 * the programs' IDLs.
 */
const SWAP_FORMS: readonly SwapForm[] = [
  ...STEP_VARIANTS,
  // Raydium AMM v4, short form.
  {
    program: AMM_V4_PROGRAM,
    discriminator: [16],
    dataBytes: 17,
    accounts: 8,
    fieldsOf: NO_FIELDS,
    owner: 7,
    ends: () => ({ source: 5, destination: 6 }),
  },
  // Raydium LaunchLab buy_exact_in.
  {
    program: LAUNCHLAB_PROGRAM,
    discriminator: [250, 234, 13, 123, 213, 156, 19, 236],
    dataBytes: 32,
    accounts: 18,
    fieldsOf: noShare,
    owner: 0,
    ends: () => ({ source: 6, destination: 5 }),
  },
  // Raydium LaunchLab sell_exact_in.
  {
    program: LAUNCHLAB_PROGRAM,
    discriminator: [149, 39, 222, 155, 211, 124, 152, 26],
    dataBytes: 32,
    accounts: 18,
    fieldsOf: noShare,
    owner: 0,
    ends: () => ({ source: 5, destination: 6 }),
  },
  // pump.fun buy_exact_sol_in. The last byte counts the purchase towards the trader's volume.
  {
    program: PUMP_PROGRAM,
    discriminator: [56, 252, 116, 8, 158, 223, 205, 95],
    dataBytes: 25,
    accounts: 18,
    fieldsOf: NO_FIELDS,
    owner: 6,
    ends: () => ({ source: 'lamports', destination: 5 }),
  },
  // pump.fun sell.
  {
    program: PUMP_PROGRAM,
    discriminator: [51, 230, 133, 164, 1, 127, 131, 173],
    dataBytes: 24,
    accounts: 16,
    fieldsOf: NO_FIELDS,
    owner: 6,
    ends: () => ({ source: 5, destination: 'lamports' }),
  },
  // OpenBook v2 place_take_order: the other instructions leave funds or orders in the market.
  {
    program: OPENBOOK_V2_PROGRAM,
    discriminator: [3, 44, 71, 3, 26, 199, 203, 85],
    dataBytes: 35,
    accounts: 16,
    fieldsOf: (data) =>
      (data[8] === BID || data[8] === ASK) && data[33] === IMMEDIATE_OR_CANCEL ? [data[8]] : null,
    owner: 0,
    feePayer: 1,
    // A bid pays the quote token for the base token, an ask the other way.
    ends: ([side]) => (side === BID ? { source: 10, destination: 9 } : { source: 9, destination: 10 }),
    hidesAmounts: true,
  },
];

/** What the instruction is as a swap of a known form, or null. Whose the accounts are is for the judge. */
export function readSwapCall({ programId, accounts, data }: Instruction): SwapCall | null {
  const form = SWAP_FORMS.find(
    ({ program, discriminator, dataBytes }) =>
      program === programId &&
      data.length === dataBytes &&
      discriminator.every((byte, index) => data[index] === byte),
  );
  if (form === undefined || accounts.length < form.accounts) return null;
  const fields = form.fieldsOf(data);
  if (fields === null) return null;
  const ends = form.ends(fields);
  const at = (place: number | 'lamports'): SwapEnd | undefined =>
    place === 'lamports' ? place : accounts[place]?.address;
  const [owner, source, destination] = [accounts[form.owner]?.address, at(ends.source), at(ends.destination)];
  if (owner === undefined || source === undefined || destination === undefined) return null;
  if (form.feePayer !== undefined && accounts[form.feePayer]?.address !== owner) return null;
  const traders = [form.owner, form.feePayer, ends.source, ends.destination];
  const amountAt = form.discriminator.length;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return {
    owner,
    source,
    destination,
    amountIn: form.hidesAmounts === true ? null : view.getBigUint64(amountAt, true),
    minOut: form.hidesAmounts === true ? null : view.getBigUint64(amountAt + 8, true),
    others: accounts.filter((_, index) => !traders.includes(index)).map((meta) => meta.address),
  };
}
