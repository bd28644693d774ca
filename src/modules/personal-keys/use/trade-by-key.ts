import { AppError } from '../../../core/errors/app-error.ts';
import { windowStart } from '../../../core/time/age.ts';
import type { Intent } from '../../../engine/intents/rules/intent.ts';
import type { createIntent } from '../../../engine/transactions/use/create-intent.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import type { Vault } from '../../../platform/ports/vault.ts';
import type { createSpendingIntent } from '../../guard/use/guard-spending.ts';
import { type ConfirmTradeDeps, confirmTrade } from '../../trading/use/confirm-trade.ts';
import {
  type ConfirmableTrade,
  confirmable,
  type TradeQuote,
  type TradeRequest,
  tradeParams,
} from '../../trading/use/trade-quote.ts';
import { ownWallet } from '../../wallets/use/own-wallet.ts';
import {
  countedOf,
  isTradeOf,
  type KeyedTrade,
  keyedKey,
  type SignedText,
  termMisfit,
} from '../rules/keyed-trade.ts';
import { KEY_LIMITS, type PersonalKey } from '../rules/personal-key.ts';

type SpendingInput = Parameters<typeof createSpendingIntent>[1];

export type KeyTradeDeps = Omit<ConfirmTradeDeps, 'createIntent' | 'db'> & {
  readonly db: ConfirmTradeDeps['db'] & Pick<Stores, 'users' | 'personalKeys'>;
  readonly ids: Ids;
  readonly vault: Pick<Vault, 'confirmKeyed'>;
  /** `quoteAsAsked`, bound to its own dependencies. */
  readonly quote: (request: TradeRequest) => Promise<TradeQuote>;
  /** See `assertProgramMaySpend`. */
  readonly assertMaySpend: (
    request: Pick<SpendingInput, 'userId' | 'walletId' | 'address' | 'params'>,
  ) => Promise<void>;
  readonly createSpendingIntent: (input: SpendingInput) => ReturnType<typeof createIntent>;
};

/** The trade of a request. `token`, `order-cap`, `day-cap`: the bound of the key that it passes. `conflict`: its key is another trade's. */
export type KeyTrade =
  | { readonly kind: 'trade'; readonly intent: Intent; readonly created: boolean }
  | { readonly kind: 'token' | 'order-cap' | 'day-cap' | 'conflict' | 'blocked' };

/**
 * Buys or sells from the key's wallet, once for each idempotency key: asked again, it gives the trade that exists, however the market moved.
 * The person's slippage counts, and no less than the request's least arrives. What would ask the person for the PIN is refused, and
 * `blocked` is a purchase that the chat asks a word for. Throws TRADE_PIN, SPENDING_LIMIT, PRICE_MOVED, the errors of `quoteTrade`,
 * `confirmTrade` and `Vault.confirmKeyed`; then nothing is stored.
 */
export async function tradeByKey(
  deps: KeyTradeDeps,
  key: PersonalKey,
  asked: { readonly trade: KeyedTrade; readonly signed: SignedText },
): Promise<KeyTrade> {
  const { trade, signed } = asked;
  const idemKey = keyedKey(key.id, trade.idempotencyKey);
  const known = await deps.db.intents.findByKey(idemKey);
  if (known !== null) return knownTrade(known, key, trade);
  const passed = termMisfit(key.terms, trade) ?? (await passesDay(deps, key, trade));
  if (passed !== null) return { kind: passed };
  const { userId, walletId } = key;
  const { address } = await ownWallet(deps.db.wallets, { userId, walletId });
  const quote = await quoted(deps, key, trade, address);
  if (trade.side === 'buy' && quote.safety.level === 'BLOCK') return { kind: 'blocked' };
  const wanted = withLeast(confirmable(quote), trade.minReceived);
  await deps.assertMaySpend({ userId, walletId, address, params: tradeParams(wanted) });
  const made = await confirmTrade(
    { ...deps, createIntent: (input) => createConfirmed(deps, signed, input) },
    { userId, walletId, address, idemKey, trade: wanted },
  );
  return made.created ? { kind: 'trade', ...made } : knownTrade(made.intent, key, trade);
}

/** The trade that has this idempotency key. A row that was changed since is found by the signer, before it signs. */
function knownTrade(intent: Intent, { userId, walletId }: PersonalKey, trade: KeyedTrade): KeyTrade {
  const isSame = intent.userId === userId && intent.walletId === walletId && isTradeOf(intent, trade);
  return isSame ? { kind: 'trade', intent, created: false } : { kind: 'conflict' };
}

/** By the rows, for an early answer; the signer counts by its journal. */
async function passesDay(
  { db, clock }: Pick<KeyTradeDeps, 'db' | 'clock'>,
  { id, terms }: PersonalKey,
  trade: KeyedTrade,
): Promise<'day-cap' | null> {
  const lamports = countedOf(trade);
  if (lamports === 0n) return null;
  const uses = await db.personalKeys.uses(id, windowStart(KEY_LIMITS.dayMs, clock));
  const used = uses.reduce((sum, use) => sum + use.lamports, 0n);
  return used + lamports > terms.dayLamports ? 'day-cap' : null;
}

async function quoted(
  deps: Pick<KeyTradeDeps, 'db' | 'quote'>,
  { userId }: PersonalKey,
  { side, mint, amount, priority: tier }: KeyedTrade,
  wallet: TradeRequest['wallet'],
): Promise<TradeQuote> {
  const user = await deps.db.users.find(userId);
  if (user === null) throw new AppError('WALLET_NOT_FOUND', {});
  const { settings } = user;
  const common = { wallet, mint, tier };
  return deps.quote(
    side === 'buy'
      ? {
          ...common,
          side,
          slippageBps: settings.slippageBuyBps,
          autoCapBps: settings.autoSlipBuyBps,
          amount: { lamports: amount },
        }
      : {
          ...common,
          side,
          slippageBps: settings.slippageSellBps,
          autoCapBps: settings.autoSlipSellBps,
          amount: { units: amount },
        },
  );
}

/** The trade with at least this much. Throws PRICE_MOVED where the market does not give it. */
function withLeast(trade: ConfirmableTrade, least: bigint): ConfirmableTrade {
  const { terms } = trade;
  if (terms.quotedOut < least) throw new AppError('PRICE_MOVED', { minOut: least, got: terms.quotedOut });
  return terms.minOut >= least ? trade : { ...trade, terms: { ...terms, minOut: least } };
}

/** Before the transaction: no lock is held while the signer answers. */
async function createConfirmed(
  { ids, vault, createSpendingIntent: create }: Pick<KeyTradeDeps, 'ids' | 'vault' | 'createSpendingIntent'>,
  signed: SignedText,
  input: Parameters<ConfirmTradeDeps['createIntent']>[0],
): ReturnType<ConfirmTradeDeps['createIntent']> {
  const { userId, walletId, idemKey, params } = input;
  const id = ids.ulid();
  const confirmation = await vault.confirmKeyed({
    request: { id, userId, walletId, idemKey, params },
    signed,
  });
  return create({ ...input, confirmed: { id, confirmation } });
}
