import type { Address } from './address.ts';
import type { LocalChain } from './chain.ts';

const RENT_SYSVAR = 'SysvarRent111111111111111111111111111111111' as Address;
const SYSVAR_OWNER = 'Sysvar1111111111111111111111111111111111111' as Address;
const MOST_PER_BYTE = 1_000_000n;
/** u64 lamports of a byte, f64 years that are counted besides, u8 percent that was burned once. */
const DATA_BYTES = 17;

/** Writes the cluster's rent account, which the machine reads its rent from. Throws a RangeError for a rent that no cluster has. */
export function setRent(chain: Pick<LocalChain, 'account' | 'writeAccount'>, lamportsPerByte: bigint): void {
  if (typeof lamportsPerByte !== 'bigint' || lamportsPerByte < 1n || lamportsPerByte > MOST_PER_BYTE)
    throw new RangeError(
      `a rent is a bigint from 1 to ${MOST_PER_BYTE} lamports a byte, not ${lamportsPerByte}`,
    );
  const data = new Uint8Array(DATA_BYTES);
  const view = new DataView(data.buffer);
  view.setBigUint64(0, lamportsPerByte, true);
  view.setFloat64(8, 1, true);
  view.setUint8(16, 50);
  const lamports = chain.account(RENT_SYSVAR)?.lamports ?? 1n;
  chain.writeAccount(RENT_SYSVAR, { lamports, data, owner: SYSVAR_OWNER, executable: false });
}
