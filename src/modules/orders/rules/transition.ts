import type { Grants } from '../../guard/rules/grants.ts';
import type {
  CancelReason,
  FireEnd,
  Order,
  OrderFire,
  OrderGroup,
  OrderProgress,
  PauseReason,
} from './order.ts';

export type OrderEvent =
  /** The parent buy is confirmed: its legs wake with the units that arrived. `isFrozen`: paused, as a freeze pauses all others. */
  | { readonly kind: 'awakened'; readonly units: bigint; readonly at: number; readonly isFrozen: boolean }
  /** The parent's receipt is final and says another number. */
  | { readonly kind: 'units-corrected'; readonly units: bigint }
  | {
      readonly kind: 'fired';
      readonly orderId: string;
      readonly intentId: string;
      readonly units: bigint;
      readonly slot: bigint;
      /** The wallet's units of the mint given, smallest units. */
      readonly held: bigint;
      /** Whether another account holds units that this fire should give and cannot. */
      readonly isShort?: boolean;
      readonly quoted: bigint;
      /** What the order's event came to; absent where none was asked for. */
      readonly eventSeen?: bigint;
      readonly at: number;
    }
  /** The child has succeeded; both amounts are from the receipt. `isWhole`: nothing of the order is left to do. */
  | {
      readonly kind: 'settled';
      readonly intentId: string;
      readonly given: bigint;
      readonly got: bigint;
      readonly isWhole: boolean;
      readonly at: number;
      /** The order's memory afterwards. */
      readonly progress: OrderProgress;
    }
  /** The child has ended without effect. `pause` when its cost was too high. */
  | {
      readonly kind: 'voided';
      readonly intentId: string;
      readonly burntLamports: bigint;
      readonly notBeforeSlot: bigint | null;
      readonly pause: PauseReason | null;
      readonly reason: string | null;
      readonly at: number;
      /** The order's memory of it. */
      readonly progress: OrderProgress;
    }
  | {
      readonly kind: 'paused';
      readonly orderId: string;
      readonly reason: PauseReason;
      /** Of `safety`: the warnings. */
      readonly doubts?: readonly string[];
    }
  /** `grants`: the part of it that its person was judged to allow anew. */
  | {
      readonly kind: 'resumed';
      readonly orderId: string;
      readonly at: number;
      readonly grants?: Grants | null;
      /** The signer's, over the order as it is then. */
      readonly certificate?: string;
    }
  /** It could not fire: why, and when it may again. Nothing of it was signed. */
  | {
      readonly kind: 'held-back';
      readonly orderId: string;
      readonly notBeforeSlot: bigint | null;
      readonly progress: OrderProgress;
    }
  /** A notice was sent about it while it is open; `progress` remembers when. */
  | { readonly kind: 'told'; readonly orderId: string; readonly progress: OrderProgress }
  /** Its terms were judged anew by `placement.ts`. */
  | {
      readonly kind: 'edited';
      readonly orderId: string;
      readonly at: number;
      readonly terms: Partial<
        Pick<
          Order,
          'amount' | 'unit' | 'trigger' | 'holdMs' | 'partial' | 'expiresAt' | 'terms' | 'certificate'
        >
      >;
      /** The group's units from now on, where the order is alone in it. */
      readonly units?: bigint;
    }
  | { readonly kind: 'expired'; readonly orderId: string }
  | { readonly kind: 'cancelled'; readonly orderId: string; readonly reason: CancelReason };

/** One row, written only where it still has the version and status that were read. */
export type OrderWrite = {
  readonly orderId: string;
  readonly expectVersion: number;
  readonly expectStatus: Order['status'];
  readonly order: Order;
};

export type OrderEffect =
  /** The intent and the fire, in the same commit; the key makes it one. */
  | { readonly kind: 'create-intent'; readonly idemKey: string; readonly fire: OrderFire }
  | { readonly kind: 'end-fire'; readonly orderId: string; readonly n: number; readonly end: FireEnd }
  /** Only before anything was signed; otherwise the person hears that it cannot be recalled. */
  | { readonly kind: 'cancel-intent'; readonly intentId: string }
  /** Windows and highs of this order count no more. */
  | { readonly kind: 'forget-windows'; readonly orderId: string };

/** All writes and effects go into ONE commit under the group's lock; when one expectation fails, none is written. */
export type OrderTransition = {
  readonly group: OrderGroup;
  readonly writes: readonly OrderWrite[];
  readonly effects: readonly OrderEffect[];
};
