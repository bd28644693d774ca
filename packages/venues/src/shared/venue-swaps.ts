import type { Address } from '@tradepost/solana';

/**
 * One kind of step that the router program knows: its venue's swap instruction, and how that instruction's accounts and data become the
 * step's. The program ties each tag to one venue program. It calls it with the accounts behind that program's id, in the order of the
 * venue's own instruction.
 */
export type StepVariant = {
  readonly name: string;
  /** The venue's program, and the first bytes of its swap instruction. */
  readonly program: Address;
  readonly discriminator: readonly number[];
  readonly dataBytes: number;
  readonly tag: number;
  /** Accounts that the venue's instruction always has. */
  readonly accounts: number;
  /** How many more may follow (bins that the order may reach); then the router's own id ends the list. */
  readonly moreAccounts: number;
  /** The trader comes between those and these once more, as payer of the accounts that the step opens; the venue is not given him twice. */
  readonly payer?: true;
  /** Place that the router passes on as writable, although the venue only reads it. */
  readonly writableAt?: number;
  /** Bytes between tag and percent for this swap instruction; null when it asks for something that a step cannot express. */
  readonly fieldsOf: (data: Uint8Array) => readonly number[] | null;
  /** Bytes that a step of this kind has there, and whether they are such bytes. */
  readonly fieldBytes: number;
  readonly isField: (fields: readonly number[]) => boolean;
  /** Places of the trader and of the trader's two accounts among the venue's accounts. */
  readonly owner: number;
  readonly ends: (fields: readonly number[]) => { readonly source: number; readonly destination: number };
};

/** Places of the trader's accounts. */
export type SwapEnds = {
  readonly source: number | 'lamports';
  readonly destination: number | 'lamports';
  /** The trader's account of wrapped SOL, where the program asks for it and moves lamports instead. */
  readonly idle?: number;
};

/** One swap instruction of a venue's program: which bytes are the amounts, and which places are the trader's. */
export type SwapForm = Pick<
  StepVariant,
  'program' | 'discriminator' | 'dataBytes' | 'accounts' | 'fieldsOf' | 'owner'
> & {
  readonly ends: (fields: readonly number[], accounts: readonly Address[]) => SwapEnds;
  /** The trader's further place, as payer of accounts that the program may open. */
  readonly feePayer?: number;
  /** True where amount and minimum do not follow the discriminator. */
  readonly hidesAmounts?: true;
};

/** One venue's program and every swap instruction of it that a wallet of ours may sign. */
export type VenueSwaps = {
  readonly program: Address;
  /** Those that are steps of the router program too. */
  readonly steps: readonly StepVariant[];
  /** Those that stand by themselves alone. */
  readonly alone: readonly SwapForm[];
};

/** The declaration of a venue, each form under its program. */
export function declareVenue({
  program,
  steps = [],
  alone = [],
}: {
  readonly program: Address;
  readonly steps?: readonly Omit<StepVariant, 'program'>[];
  readonly alone?: readonly Omit<SwapForm, 'program'>[];
}): VenueSwaps {
  return {
    program,
    steps: steps.map((step) => ({ ...step, program })),
    alone: alone.map((form) => ({ ...form, program })),
  };
}

/** For a swap instruction that says nothing but its amounts, and for a step of such a one. */
export const NO_FIELDS = (): readonly number[] => [];
export const NO_STEP_FIELDS = { fieldsOf: NO_FIELDS, fieldBytes: 0, isField: () => true } as const;
export const isDirection = (byte: number | undefined): byte is 0 | 1 => byte === 0 || byte === 1;
