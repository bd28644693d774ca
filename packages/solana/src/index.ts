export {
  associatedAccountBytes,
  HOLDING_2022_BYTES,
  MINT_BYTES,
  TOKEN_ACCOUNT_BYTES,
} from './account-size.ts';
export {
  type Address,
  addressBytes,
  addressFromBytes,
  fromBase58,
  isAddress,
  shortAddress,
  toBase58,
} from './address.ts';
export type { ChainAccount } from './chain-account.ts';
export { encodeBase58 } from './encode-base58.ts';
export type { AccountMeta, Instruction } from './instruction.ts';
export {
  LAMPORTS_PER_SIGNATURE,
  LAMPORTS_PER_SOL,
  type Lamports,
  lamports,
  MAX_U64,
  MOST_LAMPORTS,
  SOL_DECIMALS,
} from './lamports.ts';
export {
  type AccountState,
  extensionNames,
  METAPLEX_FEE_BYTES,
  METAPLEX_FEE_LAMPORTS,
  METAPLEX_RECORD_BYTES,
  type MetadataWay,
  type MintSize,
  type MintSpec,
  mintSize,
  NO_SPEC_EXTENSIONS,
  type SpecExtensions,
  type SpecTransferFee,
} from './mint-size.ts';
export { isOnCurve } from './on-curve.ts';
export {
  ASSOCIATED_TOKEN_PROGRAM,
  BURN_ADDRESSES,
  COMPUTE_BUDGET_PROGRAM,
  DONT_FRONT,
  DONT_FRONT_PREFIX,
  known,
  LIGHTHOUSE_PROGRAM,
  LOOKUP_TABLE_PROGRAM,
  MEMO_PROGRAM,
  MEMO_V1_PROGRAM,
  METADATA_PROGRAM,
  OPENBOOK_V2_PROGRAM,
  ROUTER_EVENT_AUTHORITY,
  ROUTER_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WSOL_MINT,
} from './programs.ts';
export { divCeil, maxBigint, minBigint, mulDivCeil, mulDivFloor } from './rounding.ts';
export {
  isFrozen,
  isWrappedLamports,
  readTokenAccount,
  type TokenAccount,
  unitsHeld,
} from './token-account.ts';
export {
  NO_TOKEN_POWERS,
  type TokenExtensions,
  type TransferFee,
  type TransferFeeRate,
} from './token-extensions.ts';
export { transferFee } from './transfer-fee.ts';
