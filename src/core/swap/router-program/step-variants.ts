import { type Address, address } from '../../address/address.ts';
import type { Instruction } from '../../instruction.ts';

/**
 * One kind of step that the router program knows: which venue's swap instruction it stands for, and how that instruction's
 * accounts and data become the step's. The program ties each tag to one venue program and calls it with the accounts behind
 * that program's id, in the order of the venue's own instruction.
 */
export type StepVariant = {
  readonly name: string;
  /** The venue's program, and what its swap instruction starts with. */
  readonly program: Address;
  readonly discriminator: readonly number[];
  readonly dataBytes: number;
  readonly tag: number;
  /** Accounts that the venue's instruction always has. */
  readonly accounts: number;
  /** How many more may follow (bins that the order may reach); then the router's own id ends the list. */
  readonly moreAccounts: number;
  /** The trader stands between those and these once more, as payer of what the step opens; the venue is not given him twice. */
  readonly payer?: true;
  /** Place that the router passes on as writable, although the venue only reads it. */
  readonly writableAt?: number;
  /** Bytes between tag and percent for this swap instruction; null when it asks for what a step cannot say. */
  readonly fieldsOf: (data: Uint8Array) => readonly number[] | null;
  /** Bytes that a step of this kind has there, and whether they are such bytes. */
  readonly fieldBytes: number;
  readonly isField: (fields: readonly number[]) => boolean;
  /** Places of the trader and of the trader's two accounts among the venue's accounts. */
  readonly owner: number;
  readonly ends: (fields: readonly number[]) => { readonly source: number; readonly destination: number };
};

const NO_FIELDS = { fieldsOf: () => [], fieldBytes: 0, isField: () => true } as const;
const isDirection = (byte: number | undefined): byte is 0 | 1 => byte === 0 || byte === 1;

/**
 * Only what was executed on real builds of the router (docs/venues.md). A venue whose instruction is not here takes part in
 * direct instructions alone. Tags: the program's own `Swap` enum; it retires some over the years and then fails, so each
 * transaction is simulated and another form stands behind it.
 */
export const STEP_VARIANTS: readonly StepVariant[] = [
  {
    name: 'Raydium AMM v4, long form',
    program: address('675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8'),
    discriminator: [9],
    dataBytes: 17,
    tag: 7,
    accounts: 17,
    moreAccounts: 0,
    ...NO_FIELDS,
    owner: 16,
    ends: () => ({ source: 14, destination: 15 }),
  },
  {
    name: 'Orca Whirlpool, first token program',
    program: address('whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc'),
    // sha256("global:swap"), as in every Anchor program.
    discriminator: [248, 198, 158, 145, 225, 117, 135, 200],
    dataBytes: 42,
    tag: 17,
    accounts: 11,
    moreAccounts: 0,
    // The last two bytes: the amount is the input's, and the direction, which alone the step repeats.
    fieldsOf: (data) => (data[40] === 1 && isDirection(data[41]) ? [data[41]] : null),
    fieldBytes: 1,
    isField: ([direction]) => isDirection(direction),
    owner: 1,
    ends: ([aToB]) => (aToB === 1 ? { source: 3, destination: 5 } : { source: 5, destination: 3 }),
  },
  {
    name: 'Raydium CPMM',
    program: address('CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C'),
    // sha256("global:swap_base_input")
    discriminator: [143, 190, 90, 218, 196, 30, 51, 222],
    dataBytes: 24,
    tag: 46,
    accounts: 13,
    moreAccounts: 0,
    ...NO_FIELDS,
    owner: 0,
    ends: () => ({ source: 4, destination: 5 }),
  },
  {
    name: 'Orca Whirlpool swap_v2',
    program: address('whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc'),
    // sha256("global:swap_v2")
    discriminator: [43, 4, 237, 11, 26, 201, 30, 98],
    dataBytes: 43,
    tag: 47,
    accounts: 15,
    moreAccounts: 0,
    // As above; then whether accounts of transfer hooks follow, which our pools never have.
    fieldsOf: (data) => (data[40] === 1 && isDirection(data[41]) && data[42] === 0 ? [data[41], 0] : null),
    fieldBytes: 2,
    isField: ([direction, hooks]) => isDirection(direction) && hooks === 0,
    owner: 3,
    ends: ([aToB]) => (aToB === 1 ? { source: 7, destination: 9 } : { source: 9, destination: 7 }),
  },
  {
    name: 'Raydium CLMM swap_v2',
    program: address('CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK'),
    discriminator: [43, 4, 237, 11, 26, 201, 30, 98],
    dataBytes: 41,
    tag: 40,
    accounts: 13,
    // The bitmap's extension, and the arrays of ticks that the order may reach.
    moreAccounts: 4,
    // The price limit, left out, and that the amount is the input's: a step says neither and means both.
    fieldsOf: (data) => (data.subarray(24, 40).every((byte) => byte === 0) && data[40] === 1 ? [] : null),
    fieldBytes: 0,
    isField: () => true,
    owner: 0,
    ends: () => ({ source: 3, destination: 4 }),
  },
  {
    name: 'Meteora DBC',
    program: address('dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN'),
    discriminator: [248, 198, 158, 145, 225, 117, 135, 200],
    dataBytes: 24,
    tag: 78,
    accounts: 15,
    moreAccounts: 0,
    ...NO_FIELDS,
    owner: 9,
    ends: () => ({ source: 3, destination: 4 }),
  },
  {
    name: 'Meteora DLMM swap2',
    program: address('LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo'),
    // sha256("global:swap2")
    discriminator: [65, 75, 63, 76, 235, 91, 91, 136],
    dataBytes: 28,
    tag: 75,
    accounts: 16,
    moreAccounts: 16,
    // A list of slices of hook accounts, which our pools never have: empty in both.
    fieldsOf: (data) => (data.subarray(24).every((byte) => byte === 0) ? [0, 0, 0, 0] : null),
    fieldBytes: 4,
    isField: (fields) => fields.every((byte) => byte === 0),
    owner: 10,
    ends: () => ({ source: 4, destination: 5 }),
  },
  {
    name: 'PumpSwap buy_exact_quote_in',
    program: address('pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA'),
    // sha256("global:buy_exact_quote_in")
    discriminator: [198, 46, 21, 82, 180, 217, 232, 112],
    dataBytes: 25,
    tag: 99,
    accounts: 23,
    // Where cashback is booked, the coin's second pool account, and two of who is paid.
    moreAccounts: 4,
    payer: true,
    // What counts everybody's volume.
    writableAt: 19,
    // The router leaves out whether the purchase counts towards the trader's volume. Cashback is booked all the same.
    ...NO_FIELDS,
    owner: 1,
    ends: () => ({ source: 6, destination: 5 }),
  },
  {
    name: 'PumpSwap sell',
    program: address('pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA'),
    // sha256("global:sell")
    discriminator: [51, 230, 133, 164, 1, 127, 131, 173],
    dataBytes: 24,
    tag: 100,
    accounts: 21,
    // As above, and the trader's own count of volume where cashback is booked.
    moreAccounts: 5,
    payer: true,
    ...NO_FIELDS,
    owner: 1,
    ends: () => ({ source: 5, destination: 6 }),
  },
  {
    name: 'Meteora DAMM v2',
    program: address('cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG'),
    discriminator: [248, 198, 158, 145, 225, 117, 135, 200],
    dataBytes: 24,
    tag: 77,
    accounts: 14,
    moreAccounts: 0,
    ...NO_FIELDS,
    owner: 8,
    ends: () => ({ source: 2, destination: 3 }),
  },
];

/** A venue's swap instruction as a step: its kind and the bytes behind the tag. Null when no kind stands for it. */
export function variantOf({
  programId,
  accounts,
  data,
}: Instruction): { readonly variant: StepVariant; readonly fields: readonly number[] } | null {
  const variant = STEP_VARIANTS.find(
    ({ program, discriminator, dataBytes }) =>
      program === programId &&
      data.length === dataBytes &&
      discriminator.every((byte, index) => data[index] === byte),
  );
  if (variant === undefined) return null;
  const more = accounts.length - variant.accounts;
  if (more < 0 || more > variant.moreAccounts) return null;
  const fields = variant.fieldsOf(data);
  return fields === null ? null : { variant, fields };
}
