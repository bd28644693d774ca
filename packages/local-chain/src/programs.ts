import type { Address } from './address.ts';

const known = (text: string): Address => text as Address;

/** Well-known programs and the mint of wrapped SOL. Literals, checked by a test against the vendor packages. */
export const SYSTEM_PROGRAM = known('11111111111111111111111111111111');
export const TOKEN_PROGRAM = known('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
export const TOKEN_2022_PROGRAM = known('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');
export const MEMO_PROGRAM = known('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
export const COMPUTE_BUDGET_PROGRAM = known('ComputeBudget111111111111111111111111111111');
export const METADATA_PROGRAM = known('metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s');
export const WSOL_MINT = known('So11111111111111111111111111111111111111112');
