import type { Message } from '@solana/web3.js';
import { type Address, type ChainAccount, fromBase58, readTokenAccount, toBase58 } from '@tradepost/solana';
import { decodeTrades, type TapeInstruction, type TapeTransaction } from '@tradepost/tape';
import { type Exchange, isRefusal } from '@tradepost/venues';
import type { TransactionMetadata } from 'litesvm';
import { expect } from 'vitest';
import type { PoolFixture } from '../../../../../packages/venues/test/shared/build.ts';
import type { Localnet } from './localnet.ts';

type States = readonly (ChainAccount | null)[];

/** A landed transaction of this process's chain, with what it called and what it changed. */
export function tapeTransaction(
  message: Message,
  outcome: TransactionMetadata,
  keys: readonly Address[],
  { before, after }: { readonly before: States; readonly after: States },
  slot: bigint,
): TapeTransaction {
  const inner = outcome.innerInstructions();
  const keyAt = (index: number): Address => {
    const key = keys[index];
    if (key === undefined) throw new Error(`the message has no account ${index}`);
    return key;
  };
  const called = (program: number, accounts: readonly number[], data: Uint8Array, height: number) => ({
    program: keyAt(program),
    accounts: accounts.map(keyAt),
    data,
    height,
  });
  return {
    signature: toBase58(outcome.signature()),
    slot,
    index: 0,
    at: 1_790_000_000,
    failed: false,
    signers: keys.slice(0, message.header.numRequiredSignatures),
    feeLamports: 5_000n,
    instructions: message.instructions.flatMap(
      ({ programIdIndex, accounts, data }, at): TapeInstruction[] => [
        called(programIdIndex, accounts, fromBase58(data) ?? new Uint8Array(), 1),
        ...(inner[at] ?? []).map((one) => {
          const instruction = one.instruction();
          const named = [...instruction.accounts()];
          return called(instruction.programIdIndex(), named, instruction.data(), one.stackHeight());
        }),
      ],
    ),
    lamports: keys.map((account, at) => ({
      account,
      before: before[at]?.lamports ?? 0n,
      after: after[at]?.lamports ?? 0n,
    })),
    tokens: keys.flatMap((account, at) => {
      const [was, is] = [tokenAccount(before[at]), tokenAccount(after[at])];
      const known = is ?? was;
      if (known === null) return [];
      const { owner, mint } = known;
      return [{ account, owner, mint, before: was?.amount ?? 0n, after: is?.amount ?? 0n }];
    }),
    logs: outcome.logs(),
  };
}

function tokenAccount(account: ChainAccount | null | undefined) {
  return account === null || account === undefined ? null : readTokenAccount(account);
}

/** The tape reads the one trade of the last transaction, and it is what entered and left the pool's vaults, to the unit. */
export function expectDecoded(
  chain: Localnet,
  exchange: Exchange,
  { id, mints }: Pick<PoolFixture, 'id' | 'mints'>,
  direction: 0 | 1,
): void {
  const account = chain.get(id);
  if (account === null) throw new Error('the pool is gone');
  const found = exchange.vaults(id, account, [mints[0], mints[1]]);
  if (isRefusal(found)) throw new Error(`no vaults (${found.reason}): ${found.detail}`);
  const [baseVault, quoteVault] = found.vaults;
  const transaction = chain.landed();
  const decoded = decodeTrades(transaction, {
    id: 1,
    address: id,
    programId: exchange.programId,
    kind: found.kind,
    baseVault,
    quoteVault,
    baseMint: mints[0].mint,
    quoteMint: mints[1].mint,
    transferFees: { base: mints[0].extensions.transferFee, quote: mints[1].extensions.transferFee },
  });
  if (decoded.kind === 'fault') throw new Error(`the tape could not tell the swap: ${decoded.why}`);
  const changeOf = (vault: Address): bigint => {
    const token = transaction.tokens.find((one) => one.account === vault);
    const lamports = transaction.lamports.find((one) => one.account === vault);
    const change = found.kind === 'lamports' && vault === quoteVault ? lamports : (token ?? lamports);
    return (change?.after ?? 0n) - (change?.before ?? 0n);
  };
  const sum = (of: 'base' | 'quote'): bigint =>
    decoded.trades.reduce((total, trade) => total + trade[of], 0n);
  const side = direction === 0 ? 'sell' : 'buy';
  expect(decoded.trades.map((trade) => trade.side)).toEqual(decoded.trades.map(() => side));
  const sign = direction === 0 ? 1n : -1n;
  const told = { trades: decoded.trades.length > 0, base: sign * sum('base'), quote: -sign * sum('quote') };
  expect(told).toEqual({ trades: true, base: changeOf(baseVault), quote: changeOf(quoteVault) });
  expect(decoded.trades.every(({ trader }) => trader === chain.trader)).toBe(true);
}
