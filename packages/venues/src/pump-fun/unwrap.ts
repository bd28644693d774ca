import { createHash } from 'node:crypto';
import {
  type Address,
  addressBytes,
  addressFromBytes,
  type Instruction,
  SYSTEM_PROGRAM,
  TOKEN_ACCOUNT_BYTES,
  TOKEN_PROGRAM,
  WSOL_MINT,
} from '@tradepost/solana';
import type { PoolSwap } from '../pool.ts';
import {
  joinBytes,
  littleEndian,
  readonlyMeta,
  signerMeta,
  u64,
  writableMeta,
  writableSignerMeta,
} from '../shared/instruction-data.ts';
import { textSeed } from '../shared/program-address.ts';

const WSOL_DECIMALS = 9;

/**
 * Turns `amountIn` of the order's wrapped SOL into lamports of the owner, and nothing more of it: the amount moves into an account that is
 * opened and closed here, because closing the source itself would take the rest of the transaction's units. Its rent comes back with that.
 * The address is derived from the order's own numbers, so that a stranger cannot send it lamports beforehand, which would make its creation
 * fail. Source of truth: solana-sdk `SystemInstruction`, spl-token `TokenInstruction`. Throws a RangeError where the order does not say the
 * rent.
 */
export function unwrapSol(order: PoolSwap): readonly Instruction[] {
  const { tokenAccountRent } = order;
  if (tokenAccountRent === undefined)
    throw new RangeError('an order that unwraps SOL needs tokenAccountRent');
  const seed = textSeed(`${order.amountIn.toString(36)}-${order.minOut.toString(36)}`);
  const account = seededAddress(order.owner, seed);
  const owner = addressBytes(order.owner);
  return [
    {
      programId: SYSTEM_PROGRAM,
      accounts: [writableSignerMeta(order.owner), writableMeta(account)],
      data: joinBytes(
        littleEndian(3n, 4),
        owner,
        u64(BigInt(seed.length)),
        seed,
        u64(tokenAccountRent),
        u64(BigInt(TOKEN_ACCOUNT_BYTES)),
        addressBytes(TOKEN_PROGRAM),
      ),
    },
    // InitializeAccount3
    tokenInstruction([18, ...owner], [writableMeta(account), readonlyMeta(WSOL_MINT)]),
    // TransferChecked
    tokenInstruction(
      [12, ...u64(order.amountIn), WSOL_DECIMALS],
      [writableMeta(order.source), readonlyMeta(WSOL_MINT), writableMeta(account), signerMeta(order.owner)],
    ),
    // CloseAccount
    tokenInstruction([9], [writableMeta(account), writableMeta(order.owner), signerMeta(order.owner)]),
  ];
}

function tokenInstruction(data: readonly number[], accounts: Instruction['accounts']): Instruction {
  return { programId: TOKEN_PROGRAM, accounts, data: Uint8Array.from(data) };
}

/** The address that the system program creates from a base, a seed and an owner. */
function seededAddress(base: Address, seed: Uint8Array): Address {
  const digest = createHash('sha256')
    .update(addressBytes(base))
    .update(seed)
    .update(addressBytes(TOKEN_PROGRAM))
    .digest();
  return addressFromBytes(Uint8Array.from(digest));
}
