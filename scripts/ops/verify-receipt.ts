import { createReceiptBooks } from '../../src/adapters/db/receipt-books.ts';
import type { Config } from '../../src/config.ts';
import { type Address, isAddress } from '../../src/core/address/address.ts';
import { feesOf } from '../../src/core/fees/fee-table.ts';
import { readRunFile } from '../../src/local/run-file.ts';
import { verifyReceipt } from '../../src/services/operations/verify-receipt.ts';
import { openChain, openDatabase } from './open.ts';

class OpsError extends Error {
  override readonly name = 'OpsError';
}

const WORD = { ok: 'OK', differs: 'DIFFERS', unknown: '?' } as const;

/**
 * `verify-receipt SIGNATURE [--treasury ADDRESS] [--rpc URL] [--no-database]`. Asks the database only where one is configured
 * or runs; a stranger needs an RPC and the signature. 1 when a line differs.
 */
export async function runVerifyReceipt(
  config: Config,
  args: readonly string[],
  print: (line: string) => void,
): Promise<number> {
  const asked = readArgs(args);
  const { chain } = openChain(asked.rpc === null ? config : { ...config, rpcUrls: [asked.rpc] });
  const hasBooks =
    !asked.noDatabase &&
    asked.rpc === null &&
    (config.databaseUrl !== null || readRunFile(config.local.dir) !== null);
  const opened = hasBooks ? await openDatabase(config) : null;
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

function readArgs(args: readonly string[]): {
  readonly signature: string;
  readonly treasury: Address | null;
  readonly rpc: string | null;
  readonly noDatabase: boolean;
} {
  const flagValue = (name: string): string | null => {
    const at = args.indexOf(`--${name}`);
    if (at < 0) return null;
    const value = args[at + 1];
    if (value === undefined || value.startsWith('--')) throw new OpsError(`--${name} needs a value`);
    return value;
  };
  const treasury = flagValue('treasury');
  const rpc = flagValue('rpc');
  const [signature, ...others] = args.filter(
    (arg, index) => !arg.startsWith('--') && !['--treasury', '--rpc'].includes(args[index - 1] ?? ''),
  );
  if (signature === undefined || others.length > 0 || !/^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(signature))
    throw new OpsError('verify-receipt needs the signature of one transaction, as a receipt shows it');
  if (treasury !== null && !isAddress(treasury))
    throw new OpsError(`--treasury: "${treasury}" is no address`);
  if (rpc !== null && !/^https?:\/\//.test(rpc)) throw new OpsError(`--rpc: expected a URL, not "${rpc}"`);
  return { signature, treasury: treasury as Address | null, rpc, noDatabase: args.includes('--no-database') };
}
