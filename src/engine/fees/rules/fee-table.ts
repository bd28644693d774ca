import { type Bps, bps } from '../../../core/amounts/bps.ts';

/** The service's charges and shares from one moment on. */
export type Fees = {
  /** In force from this moment, epoch milliseconds, until the next version's. */
  readonly from: number;
  /** Of the SOL side of a trade. */
  readonly tradeBps: Bps;
  /** For a token made in a custodial wallet. */
  readonly createLamports: bigint;
  /** For a launch from a custodial wallet. */
  readonly launchLamports: bigint;
  /** The inviter's part of each of these, of the amount that really arrived. */
  readonly referralShareBps: Bps;
};

/** Versions in the order of their dates; never edited, only continued: receipts are checked against them years later. */
export type FeeTable = readonly [Fees, ...Fees[]];

export const FEE_TABLE: FeeTable = [
  {
    from: Date.UTC(2026, 10, 1),
    tradeBps: bps(100),
    createLamports: 20_000_000n,
    launchLamports: 20_000_000n,
    referralShareBps: bps(3_000),
  },
];

/** The version in force at a moment, epoch milliseconds. */
export type FeesAt = (at: number) => Fees;

/** Looks a table up; before its first date its first version holds, so that a clock set back finds fees too. */
export function feesOf(table: FeeTable = FEE_TABLE): FeesAt {
  return (at) => table.findLast(({ from }) => from <= at) ?? table[0];
}

/** A number that changes on given days: the first of its values holds from the start. */
export type DatedNumber = readonly [
  { readonly from: number; readonly value: number },
  ...{ readonly from: number; readonly value: number }[],
];

/**
 * The table with an operator's own numbers instead of its columns; a number that is absent keeps the table's column. A version begins
 * wherever one of the numbers changes. Throws BPS_OUT_OF_RANGE for a rate that is none.
 */
export function feeTableWith(
  own: {
    readonly tradeBps?: DatedNumber | undefined;
    readonly createLamports?: DatedNumber | undefined;
    readonly launchLamports?: DatedNumber | undefined;
    readonly referralShareBps?: DatedNumber | undefined;
  },
  table: FeeTable = FEE_TABLE,
): FeeTable {
  const numbers = [own.tradeBps, own.createLamports, own.launchLamports, own.referralShareBps];
  const dates = new Set(table.map(({ from }) => from));
  for (const number of numbers) for (const { from } of number?.slice(1) ?? []) dates.add(from);
  const standard = feesOf(table);
  const versionAt = (from: number): Fees => {
    const at = (number: DatedNumber | undefined): number | null =>
      number === undefined ? null : (number.findLast((one) => one.from <= from) ?? number[0]).value;
    const base = standard(from);
    const [trade, create, launch, share] = numbers.map(at);
    return {
      from,
      tradeBps: bps(trade ?? base.tradeBps, 'tradeBps'),
      createLamports: BigInt(create ?? base.createLamports),
      launchLamports: BigInt(launch ?? base.launchLamports),
      referralShareBps: bps(share ?? base.referralShareBps, 'referralShareBps'),
    };
  };
  const [first = table[0].from, ...later] = [...dates].toSorted((a, b) => a - b);
  return [versionAt(first), ...later.map(versionAt)];
}

/**
 * `100`, or `100, 2027-01-01=90`: a number and the UTC days from which others hold, days in order, each number from `min` to
 * `max`. Null when the text is nothing like it.
 */
export function readDatedNumber(
  text: string,
  range: { readonly min: number; readonly max: number },
): DatedNumber | null {
  const [first = '', ...later] = text.split(',').map((part) => part.trim());
  const inRange = (digits: string | undefined): number | null => {
    if (digits === undefined || !/^\d{1,15}$/.test(digits)) return null;
    const value = Number(digits);
    return value >= range.min && value <= range.max ? value : null;
  };
  const start = inRange(first);
  if (start === null) return null;
  const read: [DatedNumber[0], ...DatedNumber[0][]] = [{ from: Number.NEGATIVE_INFINITY, value: start }];
  for (const part of later) {
    const [day = '', digits] = part.split('=');
    const from = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
    const value = inRange(digits);
    // A day like 31 February is read as one in March; its own name gives it away.
    const isDay = !Number.isNaN(from) && new Date(from).toISOString().startsWith(day);
    if (value === null || !isDay || from <= (read.at(-1)?.from ?? from)) return null;
    read.push({ from, value });
  }
  return read;
}
