import { address } from '../../../core/address/address.ts';
import type { Chain } from '../../../platform/ports/chain.ts';

const CLOCK_SYSVAR = address('SysvarC1ock11111111111111111111111111111111');
/** Where the account keeps the time of its block, in seconds. */
const UNIX_TIMESTAMP_AT = 32;

/** The time that the chain's own clock shows, in epoch milliseconds; null where it shows none. Throws CHAIN_UNREACHABLE. */
export async function readChainTime(chain: Pick<Chain, 'accounts'>): Promise<number | null> {
  const { accounts } = await chain.accounts([CLOCK_SYSVAR]);
  const data = accounts[0]?.data;
  if (data === undefined || data.length < UNIX_TIMESTAMP_AT + 8) return null;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return Number(view.getBigInt64(UNIX_TIMESTAMP_AT, true)) * 1_000;
}
