import type { VersionedTransactionResponse } from '@solana/web3.js';
import { type Address, MEMO_PROGRAM } from '@tradepost/solana';
import { address } from '../../core/address/address.ts';
import type { LandedTransaction } from '../ports/chain.ts';
import { toAddress } from './instruction-codec.ts';

/**
 * The receipt's facts out of the RPC's answer, or null while the node has not written its balances yet. Throws when it is another
 * transaction than the one that was asked for.
 */
export function landedTransaction(
  signature: string,
  response: VersionedTransactionResponse,
): LandedTransaction | null {
  const { meta, transaction } = response;
  if (!transaction.signatures.includes(signature)) throw new Error('the endpoint served another transaction');
  if (meta === null) return null;
  const keys = transaction.message.getAccountKeys(
    meta.loadedAddresses === undefined ? undefined : { accountKeysFromLookups: meta.loadedAddresses },
  );
  const addresses: Address[] = [];
  for (let index = 0; index < keys.length; index++) {
    const key = keys.get(index);
    if (key !== undefined) addresses.push(toAddress(key));
  }
  return {
    signature,
    slot: BigInt(response.slot),
    blockTime: response.blockTime ?? null,
    err: meta.err === null ? null : JSON.stringify(meta.err),
    feeLamports: BigInt(meta.fee),
    logs: meta.logMessages ?? [],
    balances: addresses.map((key, index) => ({
      address: key,
      before: BigInt(meta.preBalances[index] ?? 0),
      after: BigInt(meta.postBalances[index] ?? 0),
    })),
    tokenBalances: tokenBalances(addresses, meta),
    signatureCount: transaction.signatures.length,
    memos: transaction.message.compiledInstructions
      .filter(({ programIdIndex }) => addresses[programIdIndex] === MEMO_PROGRAM)
      .map(({ data }) => Buffer.from(data).toString('utf8')),
  };
}

/** An account that appears on one side only was created or closed by the transaction: the other side is zero. */
function tokenBalances(
  addresses: readonly Address[],
  meta: NonNullable<VersionedTransactionResponse['meta']>,
): LandedTransaction['tokenBalances'] {
  const rows = new Map<
    number,
    { owner: Address; newOwner?: Address; mint: Address; before: bigint; after: bigint }
  >();
  for (const side of ['before', 'after'] as const) {
    const balances = side === 'before' ? meta.preTokenBalances : meta.postTokenBalances;
    for (const balance of balances ?? []) {
      // Nodes leave the owner out of records older than 2022: such a row cannot be attributed.
      if (balance.owner === undefined) continue;
      const row = rows.get(balance.accountIndex) ?? {
        owner: address(balance.owner),
        mint: address(balance.mint),
        before: 0n,
        after: 0n,
      };
      row[side] = BigInt(balance.uiTokenAmount.amount);
      if (balance.owner !== row.owner) row.newOwner = address(balance.owner);
      rows.set(balance.accountIndex, row);
    }
  }
  return [...rows].flatMap(([index, row]) => {
    const account = addresses[index];
    return account === undefined ? [] : [{ account, ...row }];
  });
}
