import type { Address } from './address.ts';

/** Well-known program and mint addresses. Literals, checked by a test against the vendor packages. */
export const known = (text: string): Address => text as Address;

export const SYSTEM_PROGRAM = known('11111111111111111111111111111111');
export const TOKEN_PROGRAM = known('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
export const TOKEN_2022_PROGRAM = known('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');
export const ASSOCIATED_TOKEN_PROGRAM = known('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
export const MEMO_PROGRAM = known('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
/** The older memo program. */
export const MEMO_V1_PROGRAM = known('Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo');
/** Asserts the effects of a transaction. Phantom and Solflare add its instructions before they sign. */
export const LIGHTHOUSE_PROGRAM = known('L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95');
export const COMPUTE_BUDGET_PROGRAM = known('ComputeBudget111111111111111111111111111111');
export const LOOKUP_TABLE_PROGRAM = known('AddressLookupTab1e1111111111111111111111111');
export const OPENBOOK_V2_PROGRAM = known('opnb2LAfJYbRMAHHvqjCwQxanZn7ReEHp1k81EohpZb');
export const METADATA_PROGRAM = known('metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s');
/** Jupiter's public aggregator program, version 6, and the account that signs its events. */
export const ROUTER_PROGRAM = known('JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4');
export const ROUTER_EVENT_AUTHORITY = known('D8cy77BBepLMngZx6ZukaTff5hCt1HrWyKk3Hnd9oitf');
/** An account that begins like this asks block builders of Jito's kind not to place anything ahead of the transaction that names it. */
export const DONT_FRONT_PREFIX = 'jitodontfront';
export const DONT_FRONT = known('jitodontfront111111111111111111111111111111');
/** Wrapped SOL; in our requests and records it means native SOL, wrapped and unwrapped inside the transaction. */
export const WSOL_MINT = known('So11111111111111111111111111111111111111112');

/** Owners without a key: units that are sent there are burnt. */
export const BURN_ADDRESSES: readonly Address[] = [known('1nc1nerator11111111111111111111111111111111')];
