import type { Address } from '@tradepost/solana';
import { address } from '../../../core/address/address.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import type { TapState } from '../../../platform/telegram/feature.ts';
import { optionalField, textField, textList } from '../../../platform/telegram/ui/payload.ts';
import { isEventType } from '../rules/event-trigger.ts';
import { ORDER_TYPES, type OrderSide, type OrderType, type PriceUnit } from '../rules/order.ts';
import { scheduleLastsMs } from '../rules/schedule.ts';
import type { HoldChoice } from '../rules/trigger.ts';
import type { DraftGroup, OrderDraft } from '../use/draft.ts';

export const ORDERS = 'orders';
export const TABS = ['limit', 'tpsl', 'dca'] as const;
export type Tab = (typeof TABS)[number];

/** One leg as its form remembers it: the text of its price, and its meaning when it was typed. */
export type Leg = {
  readonly type: OrderType;
  readonly request: string;
  readonly unit: PriceUnit;
  readonly got: string;
  readonly given: string;
  /** Hundredths of a percent of the units held; 0 = all the rest. */
  readonly shareBps: number;
  /** Of a trailing stop, whose price is where it starts, and none where it starts at once; of liquidity its fall. */
  readonly trailBps: number;
};

/** An order that is being made up, behind the buttons of its form. Texts and small numbers alone. */
export type DraftState = {
  readonly tab: Tab;
  readonly walletId: string;
  readonly mint: Address;
  /** Minted when the form was opened: however often Place is tapped, it is one placing. */
  readonly placeKey: string;
  readonly side: OrderSide;
  /** Units of the mint given. */
  readonly amount: string;
  readonly legs: readonly Leg[];
  /** Sales that wait for the units of a limit buy. */
  readonly exits: readonly Leg[];
  readonly partial: boolean;
  readonly days: number;
  readonly hold: HoldChoice;
  readonly rounds: number;
  readonly everyMinutes: number;
  /** Until the first round, from the placing on. */
  readonly firstInMinutes: number;
  /** Rounds are carried out at no worse price than this; null = at any. */
  readonly band: Pick<Leg, 'request' | 'got' | 'given'> | null;
  /** A position's stop sells the rest when its time is over. */
  readonly sellsAtEnd: boolean;
  /** How much worse than its limit a limit order may end. */
  readonly toleranceBps: number;
  /** A stop sells at any price, and not only down to its floor. */
  readonly anyPrice: boolean;
  /** The seldom used terms of exits are shown in the place of their prices. */
  readonly advanced: boolean;
  readonly accepted: readonly string[];
  readonly supply: string;
  /** Stops that this one takes the place of, once its person said so. */
  readonly replaces: readonly string[];
};

export const DAYS = [1, 7, 30] as const;
export const HOLDS: readonly HoldChoice[] = ['fast', 'normal', 'careful'];
export const TOLERANCES = [0, 100, 300, 1_000] as const;
export const ROUNDS = [2, 5, 10] as const;
/** Lamports that each round of a purchase may give. */
export const PARTS = [50_000_000n, 100_000_000n, 500_000_000n] as const;
export const FIRST_IN = [0, 60] as const;
export const EVERY = [15, 60, 240, 1_440] as const;

/** The first state of a form. `amount`: units of the mint given. */
export function newDraft({
  tab,
  amount,
  ...of
}: Pick<DraftState, 'tab' | 'walletId' | 'mint' | 'placeKey' | 'accepted'> & {
  readonly amount: bigint;
}): DraftState {
  return {
    ...of,
    tab,
    side: tab === 'tpsl' ? 'sell' : 'buy',
    amount: String(amount),
    legs: [],
    exits: [],
    band: null,
    sellsAtEnd: false,
    toleranceBps: 0,
    anyPrice: false,
    advanced: false,
    partial: true,
    days: 7,
    hold: 'normal',
    rounds: 5,
    everyMinutes: 60,
    firstInMinutes: 0,
    supply: '',
    replaces: [],
  };
}

/** As a payload: flat, so that a button of another version is recognized by its first missing field. */
export function encodeDraft(state: DraftState): Readonly<Record<string, unknown>> {
  return {
    ...state,
    legs: state.legs.map(textOf),
    exits: state.exits.map(textOf),
    band: state.band === null ? '' : [state.band.request, state.band.got, state.band.given].join('|'),
    sellsAtEnd: state.sellsAtEnd ? '1' : '0',
    toleranceBps: String(state.toleranceBps),
    anyPrice: state.anyPrice ? '1' : '0',
    advanced: state.advanced ? '1' : '0',
    partial: state.partial ? '1' : '0',
    days: String(state.days),
    rounds: String(state.rounds),
    everyMinutes: String(state.everyMinutes),
    firstInMinutes: String(state.firstInMinutes),
    accepted: [...state.accepted],
    replaces: [...state.replaces],
  };
}

export function decodeDraft(state: TapState | null): DraftState {
  const text = (name: string): string => textField(state, name);
  return {
    tab: TABS.find((tab) => tab === text('tab')) ?? 'limit',
    walletId: text('walletId'),
    mint: address(text('mint')),
    placeKey: text('placeKey'),
    side: text('side') === 'sell' ? 'sell' : 'buy',
    amount: text('amount'),
    legs: textList(state, 'legs').map(legOf),
    exits: textList(state, 'exits').map(legOf),
    band: bandOf(text('band')),
    sellsAtEnd: text('sellsAtEnd') === '1',
    toleranceBps: Number(text('toleranceBps')),
    anyPrice: text('anyPrice') === '1',
    advanced: optionalField(state, 'advanced') === '1',
    partial: text('partial') === '1',
    days: Number(text('days')),
    hold: HOLDS.find((hold) => hold === text('hold')) ?? 'normal',
    rounds: Number(text('rounds')),
    everyMinutes: Number(text('everyMinutes')),
    firstInMinutes: Number(optionalField(state, 'firstInMinutes') ?? '0'),
    accepted: textList(state, 'accepted'),
    supply: optionalField(state, 'supply') ?? '',
    replaces: textList(state, 'replaces'),
  };
}

/** A sale of the rest at an event; `fallBps` of liquidity. */
export function eventLeg(type: 'DEV_SELLS' | 'LIQUIDITY_FALLS', fallBps = 0): Leg {
  return { type, request: '', unit: 'SOL', got: '0', given: '1', shareBps: 0, trailBps: fallBps };
}

function textOf({ type, request, unit, got, given, shareBps, trailBps }: Leg): string {
  return [type, request, unit, got, given, shareBps, trailBps].join('|');
}

function bandOf(text: string): DraftState['band'] {
  const [request, got, given] = text.split('|');
  return request === undefined || got === undefined || given === undefined ? null : { request, got, given };
}

function legOf(text: string): Leg {
  const [word, request = '', unit = 'SOL', got = '0', given = '1', share = '0', trail = '0'] =
    text.split('|');
  const type = ORDER_TYPES.find((known) => known === word);
  if (type === undefined) throw new AppError('BUTTON_STALE', {});
  return {
    type,
    request,
    unit: unit === 'USD' ? 'USD' : 'SOL',
    got,
    given,
    shareBps: Number(share),
    trailBps: Number(trail),
  };
}

const DAY_MS = 86_400_000;
/** Legs stay open as long as an order may, even if their purchase ends sooner. */
const EXIT_DAYS = 30;

/** The group that the form would place now. */
export function draftGroup(
  state: DraftState,
  user: { readonly id: string },
  settings: Pick<DraftGroup, 'slippageBps' | 'tier'>,
  now: number,
): DraftGroup {
  const amount = BigInt(state.amount);
  const drafts =
    state.tab === 'dca' ? [dcaDraft(state, amount)] : state.legs.map((leg) => legDraft(state, leg, amount));
  return {
    userId: user.id,
    walletId: state.walletId,
    mint: state.mint,
    placeKey: state.placeKey,
    kind: state.tab === 'tpsl' ? 'OCO' : 'SINGLE',
    // A position's legs take the units held when they fire.
    units: state.tab === 'tpsl' ? null : amount,
    drafts,
    expiresAt: now + (state.tab === 'dca' ? scheduleLastsMs(scheduleOf(state)) : state.days * DAY_MS),
    ...settings,
    accepted: state.accepted,
    supply: state.supply === '' ? null : BigInt(state.supply),
    parentIntentId: null,
    ...(state.exits.length === 0
      ? {}
      : {
          legs: {
            drafts: state.exits.map((leg) => exitDraft(state, leg)),
            expiresAt: now + EXIT_DAYS * DAY_MS,
          },
        }),
  };
}

const PLAIN = {
  floor: 'default',
  trailing: null,
  schedule: null,
  sellsOnExpiry: false,
} as const satisfies Partial<OrderDraft>;

function legDraft(state: DraftState, leg: Leg, amount: bigint): OrderDraft {
  const { type, request, unit } = leg;
  const isTrail = type === 'TRAILING_STOP';
  const price = { got: BigInt(leg.got), given: BigInt(leg.given) };
  return {
    ...PLAIN,
    ...(type === 'LIMIT' ? { toleranceBps: state.toleranceBps } : {}),
    floor: state.anyPrice && state.tab === 'tpsl' ? 'any' : 'default',
    side: state.side,
    type,
    request,
    unit,
    amount:
      state.tab === 'limit'
        ? { kind: 'fixed', units: amount }
        : leg.shareBps === 0
          ? { kind: 'rest' }
          : { kind: 'share', bps: leg.shareBps },
    trigger: isTrail || isEventType(type) ? null : price,
    ...(type === 'LIQUIDITY_FALLS' ? { fallBps: leg.trailBps } : {}),
    trailing: isTrail ? { bps: leg.trailBps, activation: price.got === 0n ? null : price } : null,
    hold: state.hold,
    partial: state.partial && state.tab === 'limit' && type === 'LIMIT',
    sellsOnExpiry: state.sellsAtEnd && state.tab === 'tpsl' && type !== 'TAKE_PROFIT',
  };
}

/** A sale of the purchase's units: by share, or of the rest. */
function exitDraft(state: DraftState, leg: Leg): OrderDraft {
  const one = legDraft({ ...state, tab: 'tpsl', side: 'sell' }, leg, 0n);
  return { ...one, hold: 'normal', partial: false };
}

/** What one round gives, cut. */
export const partOf = ({ amount, rounds }: Pick<DraftState, 'amount' | 'rounds'>): bigint =>
  BigInt(amount) / BigInt(rounds);

/** Each round of a purchase gives this much. */
export const withPart = (state: DraftState, part: bigint): DraftState => ({
  ...state,
  amount: String(part * BigInt(state.rounds)),
});

/** Another number of rounds: each of a purchase gives as much as before, and a sale is divided anew. */
export const withRounds = (state: DraftState, rounds: number): DraftState =>
  state.side === 'sell' ? { ...state, rounds } : withPart({ ...state, rounds }, partOf(state));

/** Rounds, and milliseconds between two. */
export function scheduleOf({ rounds, everyMinutes }: Pick<DraftState, 'rounds' | 'everyMinutes'>) {
  return { rounds, intervalMs: everyMinutes * 60_000 };
}

function dcaDraft(state: DraftState, amount: bigint): OrderDraft {
  return {
    ...PLAIN,
    side: state.side,
    type: 'DCA',
    request: `${state.rounds} x ${state.everyMinutes} min`,
    unit: 'SOL',
    amount: { kind: 'fixed', units: amount },
    trigger: null,
    hold: 'normal',
    partial: false,
    schedule: {
      ...scheduleOf(state),
      startsInMs: state.firstInMinutes * 60_000,
      band: {
        least: state.band === null ? null : { got: BigInt(state.band.got), given: BigInt(state.band.given) },
        most: null,
      },
    },
  };
}
