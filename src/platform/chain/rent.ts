import { type ChainAccount, type Lamports, lamports } from '@tradepost/solana';
import { address } from '../../core/address/address.ts';
import { createTtlCache } from '../../core/ttl-cache.ts';

export const RENT_SYSVAR = address('SysvarRent111111111111111111111111111111111');

/**
 * Rent falls in steps, and may be set back: an account that is opened by an old figure fails, so none is kept long. It costs little: the
 * question goes along with the accounts that are read at the same time.
 */
const KEPT_MS = 10_000;
/** Bytes that each account counts beside its data. */
const OVERHEAD_BYTES = 128;
const SYSVAR_BYTES = 16;

/** The price of a byte of an account, by the cluster's rent account: whole lamports, times the years to be exempt. */
export type RentRate = { readonly lamportsPerByte: bigint; readonly years: number };

export type Rent = {
  /** Lamports that make an account of so many bytes rent-exempt, rounded down as the cluster rounds. */
  exemption(bytes: number): Promise<Lamports>;
  /** The newest rate that was read, and when; null before the first. Makes no call. */
  told(): { readonly rate: RentRate; readonly at: number } | null;
  /** Something was refused for its rent: the next question reads it again. */
  distrust(): void;
};

/**
 * The rent as the chain has it now, of one account for every size. `read` gives that account, null where the node has none; then, and
 * where it cannot be a rent, the question throws and is asked again.
 */
export function createRent(
  read: () => Promise<ChainAccount | null>,
  { now, keptMs = KEPT_MS }: { readonly now: () => number; readonly keptMs?: number | undefined },
): Rent {
  const fresh = () => createTtlCache<'rate', RentRate>({ ttlMs: keptMs, capacity: 1, now });
  let rates = fresh();
  let told: { readonly rate: RentRate; readonly at: number } | null = null;
  const load = async (): Promise<RentRate> => {
    const rate = readRent(await read());
    told = { rate, at: now() };
    return rate;
  };
  return {
    exemption: async (bytes) => exemption(await rates.get('rate', load), bytes),
    told: () => told,
    distrust: () => {
      rates = fresh();
    },
  };
}

/** Lamports that a byte of an account costs for good, rounded to a whole one: for reading, not for paying. */
export function rentPerByte({ lamportsPerByte, years }: RentRate): number {
  return Math.round(Number(lamportsPerByte) * years);
}

/** Lamports that make an account of so many bytes rent-exempt. Source of truth: solana-rent `Rent::minimum_balance`. */
export function exemption({ lamportsPerByte, years }: RentRate, bytes: number): Lamports {
  return lamports(BigInt(Math.floor(Number(BigInt(OVERHEAD_BYTES + bytes) * lamportsPerByte) * years)));
}

/**
 * The rate that the rent account holds: u64 lamports of a byte and year, f64 years (2, and 1 where the rate counts them already).
 * Throws where no account of today could be exempt by it.
 */
export function readRent(account: ChainAccount | null): RentRate {
  if (account === null || account.data.length < SYSVAR_BYTES)
    throw new Error('the endpoint does not tell the rent');
  const { buffer, byteOffset } = account.data;
  const view = new DataView(buffer, byteOffset, SYSVAR_BYTES);
  const rate = { lamportsPerByte: view.getBigUint64(0, true), years: view.getFloat64(8, true) };
  // An account that is opened with no rent fails on the chain, and no cluster ever asked for so much.
  const isRent = rate.lamportsPerByte > 0n && rate.lamportsPerByte < MOST_PER_BYTE && rate.years >= 1;
  if (!isRent || rate.years > MOST_YEARS) throw new Error('the endpoint tells no rent that can be');
  return rate;
}

const MOST_PER_BYTE = 1_000_000n;
const MOST_YEARS = 100;

/** Whether a simulation failed because an account was given less than the rent of now. */
export function failsForRent(err: string | null, logs: readonly string[]): boolean {
  if (err === null) return false;
  return (
    /InsufficientFundsForRent|NotRentExempt/.test(err) || logs.some((line) => /rent.?exempt/i.test(line))
  );
}
