import type { AccountState } from './account-state.ts';
import { type Address, isAddress } from './address.ts';

/** An account in the format of `solana account --output json`. */
export function encodeAccountFile(address: Address, state: AccountState): string {
  const data = Buffer.from(state.data).toString('base64');
  // Written by hand because lamports and the rent epoch may exceed JavaScript's safe integers.
  return `${[
    '{',
    `  "pubkey": "${address}",`,
    '  "account": {',
    `    "lamports": ${state.lamports},`,
    `    "data": ["${data}", "base64"],`,
    `    "owner": "${state.owner}",`,
    `    "executable": ${state.executable},`,
    '    "rentEpoch": 18446744073709551615,',
    `    "space": ${state.data.length}`,
    '  }',
    '}',
  ].join('\n')}\n`;
}

/** Reads that format. Throws with the place and the expected value. */
export function decodeAccountFile(text: string): readonly [Address, AccountState] {
  // Lamports above 2^53 would lose digits as a number: keep them as text.
  const parsed: unknown = JSON.parse(text.replace(/("lamports"\s*:\s*)(\d+)/g, '$1"$2"'));
  if (!isRecord(parsed) || !isRecord(parsed['account'])) throw new Error('expected { pubkey, account }');
  const { pubkey } = parsed;
  const { lamports, data, owner, executable } = parsed['account'];
  if (typeof pubkey !== 'string' || !isAddress(pubkey)) throw new Error('"pubkey" is not an address');
  if (typeof owner !== 'string' || !isAddress(owner)) throw new Error('"account.owner" is not an address');
  if (typeof lamports !== 'string') throw new Error('"account.lamports" is not an integer');
  if (!Array.isArray(data) || typeof data[0] !== 'string' || data[1] !== 'base64') {
    throw new Error('"account.data" is not ["<base64>", "base64"]');
  }
  const bytes = new Uint8Array(Buffer.from(data[0], 'base64'));
  return [pubkey, { lamports: BigInt(lamports), data: bytes, owner, executable: executable === true }];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
