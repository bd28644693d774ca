import type { Address, Instruction } from '@tradepost/solana';
import { type SwapForm, VENUES } from '@tradepost/venues/forms';

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
  /** An account at the place of the trader's wrapped SOL, which the program asks for and does not use; absent elsewhere. */
  readonly idle?: Address;
  /** Every other account that the call names. */
  readonly others: readonly Address[];
};

/** Every swap instruction that a wallet signs by itself, as the venues declare them. */
const SWAP_FORMS: readonly SwapForm[] = VENUES.flatMap(({ steps, alone }) => [...steps, ...alone]);

/** The instruction as a swap of a known form, or null. The judge checks whose the accounts are. */
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
  const ends = form.ends(
    fields,
    accounts.map((meta) => meta.address),
  );
  const at = (place: number | 'lamports'): SwapEnd | undefined =>
    place === 'lamports' ? place : accounts[place]?.address;
  const [owner, source, destination] = [accounts[form.owner]?.address, at(ends.source), at(ends.destination)];
  if (owner === undefined || source === undefined || destination === undefined) return null;
  if (form.feePayer !== undefined && accounts[form.feePayer]?.address !== owner) return null;
  const idle = ends.idle === undefined ? undefined : accounts[ends.idle]?.address;
  const traders = [form.owner, form.feePayer, ends.source, ends.destination, ends.idle];
  const amountAt = form.discriminator.length;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return {
    owner,
    source,
    destination,
    amountIn: form.hidesAmounts === true ? null : view.getBigUint64(amountAt, true),
    minOut: form.hidesAmounts === true ? null : view.getBigUint64(amountAt + 8, true),
    ...(idle === undefined ? {} : { idle }),
    others: accounts.filter((_, index) => !traders.includes(index)).map((meta) => meta.address),
  };
}
