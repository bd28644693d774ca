import { setTimeout as pause } from 'node:timers/promises';
import { type Address, isAddress } from '@tradepost/solana';
import { isRecord } from '../../core/records.ts';
import type { ListedHolders, TokenHolders } from '../ports/token-holders.ts';
import { createEndpoint } from './endpoint.ts';
import { createEndpointPool } from './endpoint-pool.ts';
import { publicKey, toAddress } from './instruction-codec.ts';
import { isMethodRefusal } from './method-refusal.ts';
import { countAccounts } from './rpc-meter.ts';

/** Mint at 0, owner at 32, amount at 64: the same in both token programs, with any extensions behind. */
const OWNER = 32;
const OWNER_AND_AMOUNT = 40;
const AMOUNT = 32;
/** Accounts of one page of a list: the most that a node gives. */
const PAGE = 1_000;
const REFUSED_MS = 3_600_000;

/** Asks the nodes; `counts` false = holders are never counted. */
export function createTokenHolders(options: {
  readonly urls: readonly string[];
  readonly counts: boolean;
  readonly timeoutMs?: number;
  readonly now?: () => number;
}): TokenHolders {
  const pool = createEndpointPool(
    options.urls.map((url) => createEndpoint(url, options.timeoutMs ?? 15_000)),
    { now: () => performance.now(), sleep: (ms) => pause(ms) },
  );
  const now = options.now ?? (() => performance.now());
  const listIfServed = whileServed(now);
  const largestIfServed = whileServed(now);
  return {
    count: async ({ mint, tokenProgram }) => {
      if (!options.counts) return null;
      const found = await pool.read(({ connection }) =>
        connection.getProgramAccounts(publicKey(tokenProgram), {
          commitment: 'confirmed',
          dataSlice: { offset: OWNER, length: OWNER_AND_AMOUNT },
          filters: [{ memcmp: { offset: 0, bytes: mint } }],
        }),
      );
      countAccounts(found.length);
      const owners = new Set<string>();
      for (const { account } of found) {
        const { data } = account;
        // Shorter data is no token account, even if it begins with the mint.
        if (data.length === OWNER_AND_AMOUNT && data.readBigUInt64LE(AMOUNT) > 0n)
          owners.add(data.toString('hex', 0, AMOUNT));
      }
      return owners.size;
    },
    list: (mint) =>
      listIfServed(() =>
        pool.read(async ({ call }) =>
          readList(
            mint,
            await call('getTokenAccounts', {
              mint,
              page: 1,
              limit: PAGE,
              options: { showZeroBalance: false },
            }),
          ),
        ),
      ),
    largest: (mint) =>
      largestIfServed(async () => {
        const { value } = await pool.read(({ connection }) =>
          connection.getTokenLargestAccounts(publicKey(mint), 'confirmed'),
        );
        return value.map(({ address, amount }) => ({ account: toAddress(address), amount: BigInt(amount) }));
      }),
  };
}

/** Asks a method, null where every node refuses it for good; then it is not asked again for an hour. Other errors are thrown. */
function whileServed(now: () => number): <T>(ask: () => Promise<T>) => Promise<T | null> {
  let askAgainAt = Number.NEGATIVE_INFINITY;
  return async (ask) => {
    if (now() < askAgainAt) return null;
    try {
      return await ask();
    } catch (error) {
      if (!isMethodRefusal(error)) throw error;
      askAgainAt = now() + REFUSED_MS;
      return null;
    }
  };
}

/** Of `getTokenAccounts`. Throws where it is no such list, or names another mint. */
export function readList(mint: Address, answer: unknown): ListedHolders {
  const listed = isRecord(answer) ? answer['token_accounts'] : null;
  if (!Array.isArray(listed) || listed.length > PAGE) throw strange();
  const accounts = listed.map((one: unknown) => {
    if (!isRecord(one) || one['mint'] !== mint) throw strange();
    const { address: account, owner, amount } = one;
    if (typeof account !== 'string' || !isAddress(account)) throw strange();
    if (typeof owner !== 'string' || !isAddress(owner)) throw strange();
    if (typeof amount !== 'number' || !Number.isInteger(amount) || amount < 0) throw strange();
    // A number above 2⁵³ lost its last digits on the way: good for a share, and for no sum of money.
    return { account, owner, amount: BigInt(amount) };
  });
  return { accounts: accounts.filter(({ amount }) => amount > 0n), isAll: listed.length < PAGE };
}

const strange = (): Error => new Error('the list of accounts has another shape than the interface says');
