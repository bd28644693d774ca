import { feesOf } from '../../src/engine/fees/rules/fee-table.ts';
import { createReceiptBooks } from '../../src/engine/ledger/store/receipt-books.ts';
import { readRunFile } from '../../src/local/run-file.ts';
import { verifyReceipt } from '../../src/modules/operations/use/verify-receipt.ts';
import type { Io } from './command.ts';
import { openChain, openDatabase } from './open.ts';
import { UsageError } from './ops-error.ts';
import { addressWord } from './read-values.ts';

const WORD = { ok: 'OK', differs: 'DIFFERS', unknown: '?' } as const;

/**
 * `verify-receipt SIGNATURE [--treasury ADDRESS] [--rpc URL] [--no-database]`. Asks the database only where one is configured
 * or runs; a stranger needs an RPC and the signature. 1 when a line differs.
 */
export async function runVerifyReceipt(io: Io, signature: string, options: Options): Promise<number> {
  const asked = readOptions(signature, options);
  const { print } = io;
  const config = io.config();
  const { chain } = openChain(asked.rpc === null ? config : { ...config, rpcUrls: [asked.rpc] });
  const hasBooks =
    !asked.noDatabase &&
    asked.rpc === null &&
    (io.local || config.databaseUrl !== null || readRunFile(config.local.dir) !== null);
  const opened = hasBooks ? await openDatabase(io) : null;
  try {
    const lines = await verifyReceipt(
      {
        chain,
        fees: feesOf(config.feeTable),
        treasury: asked.treasury ?? (await opened?.db.wallets.treasury())?.address ?? null,
        books: opened === null ? null : createReceiptBooks(opened.db.query),
      },
      asked.signature,
    );
    for (const { what, verdict, detail } of lines) print(`${WORD[verdict].padEnd(8)} ${what}: ${detail}`);
    if (opened === null) print('No database was asked: these are the chain and the fee table alone.');
    const wrong = lines.filter(({ verdict }) => verdict === 'differs').length;
    print(wrong === 0 ? 'Nothing differs.' : `${wrong} of ${lines.length} lines differ.`);
    return wrong === 0 ? 0 : 1;
  } finally {
    await opened?.close();
  }
}

type Options = {
  readonly treasury: string | undefined;
  readonly rpc: string | undefined;
  readonly 'no-database': boolean;
};

function readOptions(signature: string, { treasury, rpc, 'no-database': noDatabase }: Options) {
  if (!/^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(signature))
    throw new UsageError(
      `verify-receipt: expected the signature of one transaction, as a receipt shows it, not "${signature}".`,
    );
  if (rpc !== undefined && !/^https?:\/\//.test(rpc))
    throw new UsageError(`--rpc: expected a URL, not "${rpc}".`);
  return {
    signature,
    treasury: treasury === undefined ? null : addressWord('--treasury', treasury),
    rpc: rpc ?? null,
    noDatabase,
  };
}
