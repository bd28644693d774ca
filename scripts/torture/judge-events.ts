import {
  type DevSells,
  isDevSale,
  type LiquidityFalls,
  type OrderEvent,
} from '../../src/modules/orders/rules/event-trigger.ts';

/** The ways in which an exit by an event can be wrong. */
export type EventRule = 'twice' | 'books' | 'beyond-its-units' | 'without-cause' | 'missed';

export type EventProblem = { readonly rule: EventRule; readonly what: string };

/** A fire of an exit by an event: its books, and what blocks hold of it. */
export type JudgedFire = {
  /** Type, order and number. */
  readonly name: string;
  readonly groupId: string;
  readonly event: OrderEvent | null;
  /** The slot of the look that fired it. */
  readonly slot: bigint;
  /** The end in the books; null while it has none. */
  readonly result: string | null;
  /** The intent waits for an operator, and the person has a notice of that. Until then its units stay bound, wherever its transaction is. */
  readonly isInReview: boolean;
  /** Units that left the wallet, of each of its transactions in blocks. */
  readonly landed: readonly bigint[];
};

/** An exit by an event that is open in fair weather, without a reason that its person could read. */
export type JudgedWait = { readonly name: string; readonly event: OrderEvent | null };

export type EventCase = {
  readonly fires: readonly JudgedFire[];
  readonly waits: readonly JudgedWait[];
  /** The units that each group was given; a group on a position has none. */
  readonly given: ReadonlyMap<string, bigint>;
  /** Sales of the creator in blocks. */
  readonly sales: readonly { readonly units: bigint; readonly slot: bigint }[];
  /** The slot in which the makers took liquidity out; null where they did not. */
  readonly fellAt: bigint | null;
  /** The square roots of both vaults of each pool with SOL, summed: at the end, which is after the fall. */
  readonly liquidity: bigint;
};

/** A pool counts its fees apart, its vaults hold them: so many hundredths of a percent decide nothing. */
const NEAR_BPS = 200n;
const WHOLE = 10_000n;

/** Each wrong fire and each missed one, judged by blocks alone. */
export function judgeEvents(of: EventCase): readonly EventProblem[] {
  const problems: EventProblem[] = [];
  const sold = new Map<string, bigint>();
  const must = (holds: boolean, rule: EventRule, what: string): void =>
    void (holds || problems.push({ rule, what }));
  for (const { name, groupId, event, slot, result, isInReview, landed } of of.fires) {
    must(landed.length <= 1, 'twice', `${name} is in blocks ${landed.length} times`);
    const isHeld = isInReview && result === null;
    must(
      landed.length === 0 || isHeld || result === 'settled',
      'books',
      `${name} is in a block and is ${result ?? 'open'}`,
    );
    must(!isInReview || isHeld, 'books', `${name} is ${result} while its intent waits for a review`);
    must(landed.length > 0 || result !== 'settled', 'books', `${name} is booked and is in no block`);
    const sum = landed.reduce((all, units) => all + units, sold.get(groupId) ?? 0n);
    sold.set(groupId, sum);
    const given = of.given.get(groupId);
    must(
      given === undefined || sum <= given,
      'beyond-its-units',
      `${name}: its group was given ${given} and blocks have ${sum}`,
    );
    const why = event === null ? null : unfounded(of, event, slot);
    must(why === null, 'without-cause', `${name} ${why}`);
  }
  for (const { name, event } of of.waits)
    must(
      event?.kind !== 'liquidity-falls' || !surelyFell(event, of.liquidity),
      'missed',
      `${name} is open though the liquidity fell to ${of.liquidity}`,
    );
  return problems;
}

/** Why an event was not there; null where it was. */
function unfounded(of: EventCase, event: OrderEvent, slot: bigint): string | null {
  return event.kind === 'liquidity-falls' ? unfallen(of, event, slot) : unsold(of, event);
}

function unfallen(
  { fellAt, liquidity }: Pick<EventCase, 'fellAt' | 'liquidity'>,
  event: LiquidityFalls,
  slot: bigint,
): string | null {
  if (fellAt === null || slot < fellAt) return 'fired before the makers took anything out';
  return surelyStands(event, liquidity)
    ? `fired at ${event.liquidity}, and blocks have ${liquidity} of it`
    : null;
}

function unsold({ sales }: Pick<EventCase, 'sales'>, event: DevSells): string | null {
  const seen = sales.reduce((sum, { units, slot }) => (slot > event.sinceSlot ? sum + units : sum), 0n);
  return isDevSale(event, seen) ? null : `fired, and blocks have ${seen} sold by the creator`;
}

/** The judge's own sum, not the product's: a fault there is no fault here. */
const agreedBps = ({ fallBps }: LiquidityFalls): bigint => WHOLE - BigInt(fallBps);

const surelyFell = (event: LiquidityFalls, now: bigint): boolean =>
  now * WHOLE * WHOLE <= event.liquidity * agreedBps(event) * (WHOLE - NEAR_BPS);

const surelyStands = (event: LiquidityFalls, now: bigint): boolean =>
  now * WHOLE * WHOLE > event.liquidity * agreedBps(event) * (WHOLE + NEAR_BPS);
