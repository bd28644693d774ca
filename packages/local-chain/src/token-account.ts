import type { AccountState } from './account-state.ts';
import type { Address } from './address.ts';
import { keyAddress } from './address-cache.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './programs.ts';

/** Layouts shared by SPL Token and Token-2022. Source of truth: solana-program token-2022 `state.rs`, `extension/mod.rs`. */
const ACCOUNT_BYTES = 165;
const MINT_BYTES = 82;
const ACCOUNT_TYPE_AT = 165;
const ACCOUNT_TYPE_MINT = 1;
const ACCOUNT_TYPE_ACCOUNT = 2;
const TRANSFER_FEE_CONFIG = 1;

export type TokenAccount = {
  readonly mint: Address;
  readonly owner: Address;
  readonly amount: bigint;
  readonly state: 'initialized' | 'frozen';
  readonly delegate: Address | null;
  readonly delegatedAmount: bigint;
  readonly nativeReserve: bigint | null;
  readonly closeAuthority: Address | null;
};

export type Mint = {
  readonly mintAuthority: Address | null;
  readonly supply: bigint;
  readonly decimals: number;
  readonly freezeAuthority: Address | null;
};

export type TransferFeeRate = { readonly bps: number; readonly maximum: bigint };

/** A mint's schedule: `older` before `newerEpoch`, `newer` from it on. */
export type TransferFee = {
  readonly authority: Address | null;
  readonly older: TransferFeeRate;
  readonly newer: TransferFeeRate;
  readonly newerEpoch: bigint;
};

export type TlvExtension = { readonly type: number; readonly data: Uint8Array };

export function isTokenProgram(owner: Address): boolean {
  return owner === TOKEN_PROGRAM || owner === TOKEN_2022_PROGRAM;
}

/** The token account in this state, or null when it is anything else. */
export function readTokenAccount(state: AccountState | null): TokenAccount | null {
  if (state === null || !isTokenAccount(state)) return null;
  const { data } = state;
  const view = viewOf(data);
  const status = data[108];
  if (status !== 1 && status !== 2) return null;
  return {
    mint: keyAt(data, 0),
    owner: keyAt(data, 32),
    amount: view.getBigUint64(64, true),
    state: status === 2 ? 'frozen' : 'initialized',
    delegate: view.getUint32(72, true) === 1 ? keyAt(data, 76) : null,
    nativeReserve: view.getUint32(109, true) === 1 ? view.getBigUint64(113, true) : null,
    delegatedAmount: view.getBigUint64(121, true),
    closeAuthority: view.getUint32(129, true) === 1 ? keyAt(data, 133) : null,
  };
}

/** The mint in this state, or null when it is anything else. */
export function readMint(state: AccountState | null): Mint | null {
  if (state === null || !isTokenProgram(state.owner)) return null;
  const { data } = state;
  const plain = data.length === MINT_BYTES;
  const extended = state.owner === TOKEN_2022_PROGRAM && data[ACCOUNT_TYPE_AT] === ACCOUNT_TYPE_MINT;
  if ((!plain && !extended) || data[45] !== 1) return null;
  const view = viewOf(data);
  return {
    mintAuthority: view.getUint32(0, true) === 1 ? keyAt(data, 4) : null,
    supply: view.getBigUint64(36, true),
    decimals: data[44] ?? 0,
    freezeAuthority: view.getUint32(46, true) === 1 ? keyAt(data, 50) : null,
  };
}

/** The Token-2022 extensions behind the base layout, in stored order. */
export function readExtensions(data: Uint8Array): readonly TlvExtension[] {
  const out: TlvExtension[] = [];
  const view = viewOf(data);
  let at = ACCOUNT_TYPE_AT + 1;
  while (at + 4 <= data.length) {
    const type = view.getUint16(at, true);
    const length = view.getUint16(at + 2, true);
    if (type === 0 || at + 4 + length > data.length) break;
    out.push({ type, data: data.subarray(at + 4, at + 4 + length) });
    at += 4 + length;
  }
  return out;
}

/** The transfer-fee schedule of a mint, null when it charges none. */
export function readTransferFee(state: AccountState | null): TransferFee | null {
  if (state === null || state.owner !== TOKEN_2022_PROGRAM) return null;
  const extension = readExtensions(state.data).find((one) => one.type === TRANSFER_FEE_CONFIG);
  if (extension === undefined || extension.data.length < 108) return null;
  const { data } = extension;
  const view = viewOf(data);
  const rateAt = (at: number) => ({
    bps: view.getUint16(at + 16, true),
    maximum: view.getBigUint64(at + 8, true),
  });
  const isSet = data.subarray(0, 32).some((byte) => byte !== 0);
  return {
    authority: isSet ? keyAt(data, 0) : null,
    older: rateAt(72),
    newer: rateAt(90),
    newerEpoch: view.getBigUint64(90, true),
  };
}

function isTokenAccount(state: AccountState): boolean {
  if (!isTokenProgram(state.owner)) return false;
  if (state.data.length === ACCOUNT_BYTES) return true;
  return state.owner === TOKEN_2022_PROGRAM && state.data[ACCOUNT_TYPE_AT] === ACCOUNT_TYPE_ACCOUNT;
}

export function viewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}

export function keyAt(data: Uint8Array, at: number): Address {
  return keyAddress(data.subarray(at, at + 32));
}
