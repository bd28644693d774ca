import { type Address, shortAddress } from '@tradepost/solana';
import { COPY_PREFIX } from '../../../modules/copying/rules/copy-trade.ts';
import type { SolPrice } from '../../../modules/market/use/sol-price.ts';
import type { FiredOrder } from '../../../modules/orders/chat/done-lines.ts';
import { NO_STANDING, standingExits } from '../../../modules/orders/use/standing-exits.ts';
import { saleResult } from '../../../modules/positions/use/sale-profit.ts';
import { tokenPayload } from '../../../modules/referrals/rules/start-payload.ts';
import type { Token } from '../../../modules/tokens/rules/token.ts';
import { BLOCKHASH_LIFE, type Chain } from '../../../platform/ports/chain.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import type { ButtonStates } from '../../../platform/telegram/ui/state.ts';
import type { Notice } from '../../notices/store-port.ts';
import type { IntentParams } from '../kinds/params.ts';
import { orderOf, recipientOf, tradeOf } from '../kinds/rules.ts';
import type { Attempt, Intent } from '../rules/intent.ts';
import { decodeIntentNotice } from '../rules/notice-payload.ts';
import type { WholeIntent } from '../store/intent-store-port.ts';
import type { CreatedFacts, ResultFacts } from './result-view.ts';
import { failedByPrice, type Standing, standingOf } from './standing.ts';

export type ResultDeps = {
  readonly db: Pick<
    Stores,
    'referrals' | 'positions' | 'wallets' | 'orders' | 'copies' | 'follows' | 'notices'
  >;
  readonly chain: Pick<Chain, 'token' | 'latestBlockhash' | 'slotMs'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly solPrice: SolPrice;
  readonly trade: { readonly slippageThatPasses: (intent: Intent) => Promise<number | null> };
  readonly states: ButtonStates;
  /** Rows behind the buttons of results by intent: a message's edits share one. Absent: each gets its own. */
  readonly issued?: Map<string, string>;
  readonly options: { readonly explorerUrl: string };
  readonly passportUrl: (mint: Address) => string | null;
};

/**
 * Everything that the progress message shows, from the rows as they were read. `notice` adds the facts that only it knows. Without one, a
 * result that is not final has them from the notice of its confirmation, so that a message that is drawn again loses none.
 */
export async function loadResult(
  deps: ResultDeps,
  { intent, attempts }: Pick<WholeIntent, 'intent' | 'attempts'>,
  userId: string,
  notice: Notice | null,
  botName: () => Promise<string>,
): Promise<ResultFacts> {
  const told = notice ?? (await confirmationOf(deps.db, intent, attempts));
  const seen = told === null ? null : decodeIntentNotice(told.payload);
  const standing = standingOf(intent, attempts, seen);
  const mint = createdMint(standing);
  const receipt = standing.kind === 'done' ? standing.receipt : null;
  const trade = tradeOf(intent.params);
  const { walletId } = intent;
  const [token, stateId, created, sale, fired, copied, exits, microUsdPerSol, possibleUntil, allowPercent] =
    await Promise.all([
      tokenOf(deps.chain, intent),
      issueState(deps, intent, userId, mint),
      mint === null ? null : createdFacts(deps, mint, userId, botName),
      saleResult(deps.db, intent, receipt),
      standing.kind === 'done' ? firedOrder(deps.db, intent) : null,
      copiedWallet(deps.db, intent),
      trade === null || standing.kind !== 'done'
        ? NO_STANDING
        : standingExits(deps.db, { userId, walletId, mint: trade.mint }),
      trade === null ? null : deps.solPrice(),
      possibleUntilOf(deps, standing),
      failedByPrice(standing) ? deps.trade.slippageThatPasses(intent) : null,
    ]);
  return {
    intent,
    standing,
    token,
    created,
    fired,
    copied,
    ...sale,
    exits,
    microUsdPerSol,
    possibleUntil,
    allowPercent,
    tookMs: told?.kind === 'confirmed' ? told.createdAt - intent.createdAt : null,
    explorerUrl: deps.options.explorerUrl,
    stateId,
  };
}

/** The notice of a confirmation whose outcome no row holds yet; null before it and once the result is final. */
async function confirmationOf(
  { notices }: Pick<Stores, 'notices'>,
  intent: Intent,
  attempts: readonly Attempt[],
): Promise<Notice | null> {
  const standing = standingOf(intent, attempts, null);
  const isVotedFor = (standing.kind === 'done' || standing.kind === 'landed-error') && !standing.final;
  return isVotedFor ? notices.confirmedOf(intent.id) : null;
}

/** When a late attempt can land no more, by the height of now and the pace of blocks; null where it is over, or the chain cannot be asked. */
async function possibleUntilOf(
  { chain, clock }: Pick<ResultDeps, 'chain' | 'clock'>,
  standing: Standing,
): Promise<number | null> {
  if (standing.kind !== 'sent' || !standing.isLate) return null;
  const newest = await chain.latestBlockhash().catch(() => null);
  if (newest === null) return null;
  const left = standing.diesAfter - (newest.lastValidBlockHeight - BLOCKHASH_LIFE);
  return left <= 0n ? null : clock.now() + Number(left) * chain.slotMs();
}

/** The order that wanted this trade, and its fire; null for a trade that a person asked for. */
async function firedOrder(
  { orders }: Pick<Stores, 'orders'>,
  { params }: Intent,
): Promise<FiredOrder | null> {
  const child = orderOf(params);
  if (child === null) return null;
  const group = await orders.find(child.id);
  const order = group?.orders.find(({ id }) => id === child.id);
  if (order === undefined) return null;
  const fires = await orders.fires(child.id, LAST_FIRES);
  return { order, fire: fires.find(({ n }) => n === child.n) ?? null };
}

/** The person's name for the wallet that this trade copies, or its short address once it is followed no more; null for any other trade. */
async function copiedWallet(
  { copies, follows }: Pick<Stores, 'copies' | 'follows'>,
  { id, idemKey }: Intent,
): Promise<string | null> {
  const trade = idemKey.startsWith(COPY_PREFIX) ? await copies.byIntent(id) : null;
  if (trade === null) return null;
  const copy = await copies.find(trade.copyId);
  const follow = copy === null ? null : await follows.find(copy.followId);
  return follow?.label ?? shortAddress(trade.leader);
}

/** The token an intent is about; null for SOL, and when the chain cannot be asked: a result is shown all the same. */
export async function tokenOf(chain: Pick<Chain, 'token'>, intent: Intent): Promise<Token | null> {
  return 'mint' in intent.params ? chain.token(intent.params.mint).catch(() => null) : null;
}

/** The mint of a creation that worked; null as long as no record of the chain names it. */
const createdMint = (standing: Standing): Address | null =>
  standing.kind === 'done' ? (standing.receipt?.createdMint ?? null) : null;

/** Links that lead to a new token: its passport, and one into this chat that brings the creator's invitees along. */
async function createdFacts(
  deps: Pick<ResultDeps, 'db' | 'passportUrl'>,
  mint: Address,
  userId: string,
  botName: () => Promise<string>,
): Promise<CreatedFacts> {
  const [account, name] = await Promise.all([deps.db.referrals.account(userId), botName()]);
  return {
    passportUrl: deps.passportUrl(mint),
    shareUrl: `https://t.me/${name}?start=${tokenPayload(mint, account?.code ?? null)}`,
  };
}

/** The fire of a result that is shown now is one of the newest. */
const LAST_FIRES = 20;

/** Results whose edits are remembered: about a minute of the busiest hour. */
const REMEMBERED = 5_000;

async function issueState(
  { states, issued }: Pick<ResultDeps, 'states' | 'issued'>,
  intent: Intent,
  userId: string,
  created: Address | null,
): Promise<string> {
  const { params } = intent;
  // A creation's buttons change with its outcome, and one of them uses its row up.
  const target = targetOf(params, created);
  const isSteady = 'side' in target || 'destination' in target;
  const known = isSteady ? issued?.get(intent.id) : undefined;
  if (known !== undefined) return known;
  const id = await states.issue({
    userId,
    feature: [
      'trade',
      'orders',
      'positions',
      'receipt',
      'withdraw',
      'address_book',
      'revoke',
      'create_token',
    ],
    payload: { intentId: intent.id, walletId: intent.walletId, ...target },
  });
  if (!isSteady || issued === undefined) return id;
  issued.set(intent.id, id);
  const [oldest] = issued.keys();
  if (issued.size > REMEMBERED && oldest !== undefined) issued.delete(oldest);
  return id;
}

/** The subject of a result's buttons. */
function targetOf(params: IntentParams, created: Address | null): object {
  const trade = tradeOf(params);
  if (trade !== null) return { mint: trade.mint, side: trade.side, amountIn: trade.amountIn };
  const destination = recipientOf(params);
  if (destination !== null) return { destination };
  if ('mint' in params) return { mint: params.mint };
  return created === null ? {} : { mint: created };
}

/** The attempt that landed, or the newest. */
export const decisiveAttempt = (attempts: readonly Attempt[]): Attempt | null =>
  attempts.find(({ status }) => status === 'FINALIZED' || status === 'CONFIRMED') ?? attempts.at(-1) ?? null;
