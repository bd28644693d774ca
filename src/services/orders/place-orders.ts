import { WSOL_MINT } from '../../core/address/programs.ts';
import { MAX_U64 } from '../../core/amounts/lamports.ts';
import { AppError } from '../../core/errors/app-error.ts';
import { assertNotFrozen } from '../../core/guard/freeze.ts';
import type { OrderGroup } from '../../core/orders/order.ts';
import {
  judgeLegs,
  judgePlacement,
  PLACEMENT,
  type PlacementRefusal,
  type PlacementWarning,
  placementWarnings,
} from '../../core/orders/placement.ts';
import { rateIn, type SolUsd } from '../../core/orders/trigger.ts';
import type { Stores } from '../../core/ports/stores.ts';
import type { Token } from '../../core/tokens/token.ts';
import type { Wallet } from '../../core/wallets/wallet.ts';
import type { BuyParams } from '../../intents/buy/params.ts';
import type { SellParams } from '../../intents/sell/params.ts';
import { assertMaySpend } from '../guard/guard-spending.ts';
import { assertNotPaused } from '../switches/assert-not-paused.ts';
import { loadToken } from '../trading/load-token.ts';
import { ownWallet } from '../wallets/own-wallet.ts';
import { type Entry, entryOf, judgeBracket, judgeSales, legOf, legsDraft, parentKeyOf } from './bracket.ts';
import { type DraftGroup, newGroup, type OrderDraft, toleranceOf } from './draft.ts';
import { type ExecutablePrice, executablePrice } from './executable-price.ts';
import { type OrderDeps, solUsdNow } from './order-deps.ts';

/** A draft beside the market of now. `now` null = nothing trades it. */
export type DraftView = {
  readonly token: Token;
  readonly solUsd: SolUsd | null;
  readonly looks: readonly DraftLook[];
  /** Of the sales that wait for it; none where none do. */
  readonly legs: readonly DraftLook[];
  readonly refusal: PlacementRefusal | null;
};

export type DraftLook = {
  readonly draft: OrderDraft;
  /** What it would give when it fires. */
  readonly units: bigint;
  readonly now: ExecutablePrice | null;
  readonly warnings: readonly PlacementWarning[];
};

/**
 * What a draft means now and the first reason against it, for its screen. Changes nothing. Throws SAME_TOKEN, TOKEN_NOT_FOUND,
 * WALLET_NOT_FOUND, CHAIN_UNREACHABLE, VENUES_UNREACHABLE.
 */
export async function viewDraft(
  deps: OrderDeps,
  draft: DraftGroup,
  /** Of its own orders, those that are counted as open already. */
  counted = 0,
): Promise<DraftView> {
  const wallet = await ownWallet(deps.db.wallets, draft);
  const token = await loadToken(deps.trade.chain, draft.mint);
  const [solUsd, open] = await Promise.all([
    solUsdNow(deps),
    deps.db.orders.countOpen(draft.userId, draft.mint),
  ]);
  const { legs } = draft;
  const asked = { draft, wallet, token, solUsd, open, entry: null };
  const looked = await Promise.all(
    draft.drafts.map((one, index) => look(deps, { ...asked, one, index: index - counted })),
  );
  const entry = legs === undefined ? null : entryOf(draft, solUsd, deps.clock.now());
  const ofLegs =
    legs === undefined || entry === null
      ? []
      : await lookAtLegs(deps, {
          ...asked,
          entry,
          draft: { ...draft, ...legs },
          before: draft.drafts.length,
        });
  const isAlone = draft.kind === 'SINGLE' && draft.drafts.length === 1;
  const refusal =
    (isAlone ? judgeBracket(draft) : judgeLegs(draft.drafts.map(legOf))) ??
    firstRefusal([...looked, ...ofLegs]);
  return { token, solUsd, looks: looked, legs: ofLegs, refusal };
}

/** Legs are judged from where they begin: by the price of the entry, not by that of now. */
function lookAtLegs(
  deps: OrderDeps,
  {
    before,
    ...asked
  }: Omit<Asked, 'one' | 'index' | 'entry'> & { readonly entry: Entry; readonly before: number },
): Promise<readonly Looked[]> {
  return Promise.all(
    asked.draft.drafts.map((one, index) => look(deps, { ...asked, one, index: index + before })),
  );
}

/**
 * The sales that are to wait for a purchase of now, beside the market. Changes nothing. `refusal`: the first reason against them.
 */
export async function viewLegs(
  deps: OrderDeps,
  draft: DraftGroup,
  entry: Entry,
  counted = 0,
): Promise<DraftView> {
  const wallet = await ownWallet(deps.db.wallets, draft);
  const token = await loadToken(deps.trade.chain, draft.mint);
  const [solUsd, open] = await Promise.all([
    solUsdNow(deps),
    deps.db.orders.countOpen(draft.userId, draft.mint),
  ]);
  const looks = await lookAtLegs(deps, { draft, wallet, token, solUsd, open, entry, before: -counted });
  return { token, solUsd, legs: [], looks, refusal: judgeSales(draft.drafts) ?? firstRefusal(looks) };
}

function firstRefusal(looks: readonly Looked[]): PlacementRefusal | null {
  return looks.find(({ refusal }) => refusal !== null)?.refusal ?? null;
}

type Asked = {
  readonly draft: DraftGroup;
  readonly one: OrderDraft;
  readonly index: number;
  readonly wallet: Wallet;
  readonly token: Token;
  readonly solUsd: SolUsd | null;
  readonly open: { readonly onToken: number; readonly ofPerson: number };
  /** Of a leg: what it waits for. */
  readonly entry: Entry | null;
};

type Looked = DraftLook & { readonly refusal: PlacementRefusal | null };

async function look(deps: OrderDeps, asked: Asked): Promise<Looked> {
  const { draft, one, index, wallet, token, solUsd, open, entry } = asked;
  const { side, type, unit } = one;
  const units = unitsOf(entry === null ? draft : { units: entry.units }, one);
  const placedAt = deps.clock.now();
  const fits = units > 0n && units <= MAX_U64;
  const now = fits
    ? await executablePrice(deps.trade, { side, mint: draft.mint, amount: units, wallet: wallet.address })
    : null;
  const begins = entry?.price ?? now?.rate ?? null;
  const rate = now === null || begins === null ? null : rateIn(unit, side, begins, solUsd, placedAt);
  const request = {
    side,
    type,
    isMintSol: draft.mint === WSOL_MINT,
    decimals: side === 'buy' ? token.decimals : 9,
    toleranceBps: toleranceOf(one),
    amount: units,
    worthLamports: side === 'buy' ? units : (now?.got ?? 0n),
    supply: token.supply,
    trigger: one.trigger,
    floor: typeof one.floor === 'string' ? null : one.floor,
    now: now === null || rate === null ? null : { ...now, rate, depth: sideOfDepth(now, side, units) },
    trailingBps: one.trailing?.bps ?? null,
    schedule: one.schedule,
    placedAt,
    expiresAt: draft.expiresAt,
    open: { onToken: open.onToken + index, ofPerson: open.ofPerson + index },
  };
  const noMarket: PlacementRefusal | null =
    fits && (now === null || rate === null) ? { kind: 'no-market' } : null;
  const refusal =
    judgePlacement(noMarket === null ? request : { ...request, worthLamports: MAX_U64 }) ?? noMarket;
  return { draft: one, units, now, warnings: placementWarnings(request), refusal };
}

/** Half of both sides, in what the order gives. */
function sideOfDepth(now: ExecutablePrice, side: OrderDraft['side'], units: bigint): bigint {
  const half = now.depthLamports / 2n;
  return side === 'buy' || now.got === 0n ? half : (half * units) / now.got;
}

/** What an order would give of its group's units. */
function unitsOf({ units }: Pick<DraftGroup, 'units'>, { amount }: OrderDraft): bigint {
  if (amount.kind === 'fixed') return amount.units;
  const all = units ?? 0n;
  return amount.kind === 'rest' ? all : (all * BigInt(amount.bps)) / 10_000n;
}

/** What is placed: a draft as it was shown. */
export type PlaceOrdersInput = Omit<DraftGroup, 'units'> & {
  readonly units: bigint | null;
  /** What is held now, where the group is a position's: its legs are judged on that. */
  readonly held?: bigint;
  /** The one-use button, used up in the same commit. */
  readonly buttonId?: string;
};

/**
 * O1: places a group once, however often it is said: a repeated key returns what stands. Nothing is locked and nothing is
 * signed. Legs are placed in the same commit, and wait. Throws ORDER_REFUSED with the reason, TRADE_PIN as a trade of that size would, BUTTON_STALE, ACCOUNT_FROZEN,
 * PAUSED, and what `viewDraft` throws; then nothing is stored.
 */
export async function placeOrders(deps: OrderDeps, input: PlaceOrdersInput): Promise<OrderGroup> {
  const known = await deps.db.orders.findByPlaceKey(input.placeKey);
  if (known !== null) return ofSamePerson(known, input.userId);
  await assertNotPaused(deps.db.flags, ['orders', 'trading']);
  const view = await viewDraft(deps, { ...input, units: input.units ?? input.held ?? 0n });
  if (view.refusal !== null) throw new AppError('ORDER_REFUSED', view.refusal);
  const judges = await Promise.all(
    view.looks.map((one) => assertMaySpend(deps, { ...input, params: paramsLike(input, one) })),
  );
  const depthLamports = view.looks[0]?.now?.depthLamports ?? null;
  const made = { id: () => deps.ids.ulid(), now: deps.clock.now(), depthLamports };
  const group = newGroup(input, made);
  const legs =
    input.legs === undefined ? null : newGroup(legsDraft(input, input.legs, parentKeyOf(group)), made);
  const placed = await deps.db.transact(async (stores) => {
    const again = await stores.orders.findByPlaceKey(input.placeKey);
    if (again !== null) return ofSamePerson(again, input.userId);
    // Under the person's lock: numbers, counts and the freeze are judged one placing after the other.
    assertNotFrozen(await stores.guards.lock(input.userId), deps.clock.now());
    if (input.buttonId !== undefined) await useButton(deps, stores, input.buttonId, input.userId);
    await ownWallet(stores.wallets, input);
    for (const judge of judges) await judge(stores);
    const waiting = legs === null ? [] : legs.orders;
    const open = await stores.orders.countOpen(input.userId, input.mint);
    const tooMany = judgeCount(open, group.orders.length + waiting.length);
    if (tooMany !== null) throw new AppError('ORDER_REFUSED', tooMany);
    const inserted = await stores.orders.insert(group);
    if (inserted === null || (legs !== null && (await stores.orders.insert(legs)) === null))
      throw new AppError('BUTTON_STALE', {});
    return inserted;
  });
  deps.ordersChanged();
  return placed;
}

async function useButton(
  { clock }: Pick<OrderDeps, 'clock'>,
  { buttons }: Pick<Stores, 'buttons'>,
  buttonId: string,
  userId: string,
): Promise<void> {
  if ((await buttons.consume(buttonId, userId, clock.now())) === null) throw new AppError('BUTTON_STALE', {});
}

export function judgeCount(
  open: { readonly onToken: number; readonly ofPerson: number },
  more: number,
): PlacementRefusal | null {
  const { perPerson, perToken } = PLACEMENT;
  if (open.ofPerson + more > perPerson) return { kind: 'too-many-orders', max: perPerson, per: 'person' };
  return open.onToken + more > perToken ? { kind: 'too-many-orders', max: perToken, per: 'token' } : null;
}

/** The trade that an order stands for, as the gate of what a chat spends knows trades. */
export function paramsLike(
  input: Pick<DraftGroup, 'mint' | 'tier'>,
  { draft, units, now }: DraftLook,
): BuyParams | SellParams {
  const terms = {
    amountIn: units,
    quotedOut: now?.got ?? 0n,
    minOut: 0n,
    platformFeeLamports: 0n,
    priceImpactBps: now?.impactBps ?? 0,
    slippageBps: 0,
    route: [],
  };
  const { mint, tier } = input;
  return draft.side === 'buy'
    ? { kind: 'buy', mint, lamportsIn: units, terms, tier }
    : { kind: 'sell', mint, amountIn: units, terms, tier };
}

function ofSamePerson(group: OrderGroup, userId: string): OrderGroup {
  if (group.userId !== userId) throw new AppError('ORDER_NOT_FOUND', {});
  return group;
}
