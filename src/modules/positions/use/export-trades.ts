import type { Address } from '@tradepost/solana';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import { displaySymbol } from '../../tokens/rules/display-name.ts';
import {
  type ExportToken,
  KOINLY_HEADER,
  koinlyRow,
  TRADES_HEADER,
  tradesRow,
} from '../rules/export-rows.ts';
import type { RecordedEvent } from '../store/position-store-port.ts';

export type ExportFormat = 'trades' | 'koinly';

const PAGE = 500;
/** Tokens whose names are remembered while one file is written. */
const REMEMBERED = 1_000;

/**
 * Everything that happened in a person's wallets, deleted ones included, as CSV in UTF-8, oldest first: page by page, so that the
 * memory it takes does not grow with the history.
 */
export async function* exportTrades(
  deps: { readonly db: Pick<Stores, 'positions' | 'wallets'>; readonly chain: Pick<Chain, 'token'> },
  userId: string,
  format: ExportFormat,
): AsyncGenerator<Uint8Array> {
  const wallets = await deps.db.wallets.listByUser(userId, { deleted: true });
  const addresses = new Map(wallets.map(({ id, address }) => [id, address]));
  const tokens = new Map<Address, ExportToken>();
  const text = new TextEncoder();
  yield text.encode(format === 'koinly' ? KOINLY_HEADER : TRADES_HEADER);
  for (let after: RecordedEvent | null = null; ; ) {
    const page: readonly RecordedEvent[] = await deps.db.positions.page([...addresses.keys()], {
      after,
      limit: PAGE,
    });
    const rows: string[] = [];
    for (const event of page) {
      const token = await tokenOf(deps.chain, tokens, event.mint);
      rows.push(
        format === 'koinly'
          ? koinlyRow(event, token)
          : tradesRow(event, addresses.get(event.walletId) ?? '', token),
      );
    }
    if (rows.length > 0) yield text.encode(rows.join(''));
    after = page.at(-1) ?? null;
    if (page.length < PAGE) return;
  }
}

async function tokenOf(
  chain: Pick<Chain, 'token'>,
  known: Map<Address, ExportToken>,
  mint: Address,
): Promise<ExportToken> {
  const found = known.get(mint);
  if (found !== undefined) return found;
  const token = await chain.token(mint).catch(() => null);
  const shown =
    token === null
      ? null
      : { symbol: displaySymbol(token), decimals: token.decimals, uiScale: token.uiScale ?? null };
  if (known.size >= REMEMBERED) known.clear();
  known.set(mint, shown);
  return shown;
}
