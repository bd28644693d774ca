/** `npm run ops -- senders sync`: keeps the tip accounts that the block engine names. A tip goes to no other account. */
import { isAddress } from '@tradepost/solana';
import { exchange } from '../../src/platform/chain/senders/post-transaction.ts';
import { MOST_TIP_ACCOUNTS, readSenderBook, writeSenderBook } from '../../src/platform/files/sender-book.ts';
import type { Io } from './command.ts';
import { reasonOf } from './doctor-find.ts';
import { UsageError } from './ops-error.ts';

const PATIENCE_MS = 15_000;

/** 0 = kept, or the same as before; 1 = it named none. Without `yes` it only prints. */
export async function sendersSync(io: Io, { yes }: { readonly yes?: boolean }): Promise<number> {
  const { senders } = io.config();
  const { jito, file } = senders;
  if (jito === null) throw new UsageError('JITO_URL is missing: expected the address of a block engine');
  const named = await namedAccounts(jito.url).catch((error: unknown) => reasonOf(error));
  if (typeof named === 'string') {
    io.print(`${new URL(jito.url).host} named no tip accounts: ${named}`);
    return 1;
  }
  const known = readSenderBook(file);
  const before = new Set(known?.jito.url === jito.url ? known.jito.tipAccounts : []);
  for (const account of named) io.print(`${before.has(account) ? '  ' : '+ '}${account}`);
  for (const account of before) if (!named.includes(account)) io.print(`- ${account}`);
  if (yes !== true) {
    io.print(
      'Not kept. Compare them with what the operator of the engine publishes, then run it with --yes.',
    );
    return 0;
  }
  writeSenderBook(file, {
    jito: { url: jito.url, syncedAt: new Date().toISOString(), tipAccounts: [...named] },
  });
  io.print(`Kept in ${file}. Start every process again, the signer as well.`);
  return 0;
}

/** Throws where the answer is not a list of addresses, each once. */
async function namedAccounts(url: string): Promise<readonly ReturnType<typeof assertAddress>[]> {
  const target = `${url.replace(/\/+$/, '')}/api/v1/getTipAccounts`;
  const answer = await exchange(target, { method: 'getTipAccounts', params: [] }, PATIENCE_MS);
  if ('failure' in answer) throw new Error(answer.failure.message);
  const { result } = answer;
  if (!Array.isArray(result) || result.length === 0 || result.length > MOST_TIP_ACCOUNTS)
    throw new Error(`expected a list of 1 to ${MOST_TIP_ACCOUNTS} addresses`);
  return [...new Set(result.map(assertAddress))];
}

function assertAddress(value: unknown) {
  if (typeof value === 'string' && isAddress(value)) return value;
  throw new Error('expected a list of addresses alone');
}
