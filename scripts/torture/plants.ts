import type { Plant } from './calls/plants.ts';
import type { EventRule } from './judge-events.ts';
import type { MoveRule } from './judge-moves.ts';
import type { SignerRule } from './judge-signers.ts';

/** A fault in the workers' sources of an exit by an event. The judge must find it by one of these rules. */
export type EventPlant = Pick<Plant, 'changes'> & { readonly found: readonly EventRule[] };

/** `npm run torture -- --short --plant NAME` must name the fault, and ends with 1; with 3 where it is missed. */
export const EVENT_PLANTS = {
  /** A fall counts only where it is four times as deep as agreed: the exit is missed. */
  'fall-missed': {
    changes: [
      {
        path: 'src/modules/orders/rules/event-trigger.ts',
        from: `return now.liquidity <= leastLiquidity({ fallBps, liquidity });`,
        to: `return now.liquidity * 4n <= leastLiquidity({ fallBps, liquidity });`,
      },
    ],
    found: ['missed'],
  },
  /** A sale is booked and not counted: the exit is open though its fall is there, and may sell again. */
  'fall-not-counted': {
    changes: [
      {
        path: 'src/modules/orders/rules/machine.ts',
        from: `const sum = { filled: order.filled + event.given, received: order.received + event.got };`,
        to: `const isFall = order.type === 'LIQUIDITY_FALLS';
  const sum = { filled: order.filled + (isFall ? 0n : event.given), received: order.received + event.got };`,
      },
      {
        path: 'src/modules/orders/rules/machine.ts',
        from: `const end = event.isWhole
    ? `,
        to: `const end = event.isWhole && !isFall
    ? `,
      },
      {
        path: 'src/modules/orders/rules/machine.ts',
        from: `sold: group.sold + event.given, liveFires };`,
        to: `sold: group.sold + (isFall ? 0n : event.given), liveFires };`,
      },
    ],
    found: ['beyond-its-units', 'missed'],
  },
  /** One pool counts for all: the holdings of the others look as if they were taken out. */
  'fall-of-one-pool': {
    changes: [
      {
        path: 'src/modules/orders/rules/event-trigger.ts',
        from: `const own = pools.filter(({ mints }) => mints.includes(mint));`,
        to: `const own = pools.filter(({ mints }) => mints.includes(mint) && mints.includes(WSOL_MINT)).slice(-1);`,
      },
    ],
    found: ['without-cause'],
  },
} as const satisfies Record<string, EventPlant>;

export type EventPlantName = keyof typeof EVENT_PLANTS;

/** The plant of that name; null for another name. */
export function eventPlantOf(name: string): EventPlantName | null {
  return name in EVENT_PLANTS ? (name as EventPlantName) : null;
}

/** A fault in the signer's sources. The judge of confirmed terms must find it by one of these rules. */
export type HostilePlant = Pick<Plant, 'changes'> & { readonly found: readonly MoveRule[] };

/** `npm run torture -- --short --plant NAME`: with a writer of rows and a lying worker, who must find the fault for the judge. */
export const HOSTILE_PLANTS = {
  /** The code of a confirmation fits every row: a writer's terms are signed. */
  'code-not-compared': {
    changes: [
      {
        path: 'src/engine/signing/use/assert-confirmed.ts',
        from: `if (!seals.isSealOf(intent.confirmation, confirmationText(request))) denySignature('confirmation');`,
        to: `if (!seals.isSealOf(intent.confirmation, confirmationText(request)) && request.id === '') denySignature('confirmation');`,
      },
    ],
    found: ['to-the-thief', 'other-terms'],
  },
  /** The key signs each message that a worker shows it. */
  'message-not-read': {
    changes: [
      {
        path: 'src/platform/vault/create-vault.ts',
        from: `assertPolicy(bytes, {`,
        to: `((..._of: readonly unknown[]) => assertPolicy)(bytes, {`,
      },
    ],
    found: ['to-the-thief', 'other-terms', 'twice'],
  },
} as const satisfies Record<string, HostilePlant>;

export type HostilePlantName = keyof typeof HOSTILE_PLANTS;

/** The plant of that name; null for another name. */
export function hostilePlantOf(name: string): HostilePlantName | null {
  return name in HOSTILE_PLANTS ? (name as HostilePlantName) : null;
}

/** Whether the fault is one in the signer, which a writer and a lying worker find. */
export function isHostilePlant(plant: PlantName | null): plant is HostilePlantName {
  return plant !== null && plant in HOSTILE_PLANTS;
}

/** A fault in the sources of both signers. The judge of terms and journals must find it by one of these rules. */
export type SignersPlant = Pick<Plant, 'changes'> & { readonly found: readonly SignerRule[] };

/** `npm run torture -- --short --plant NAME`: with two signers, one of which is killed or held up at a time. */
export const SIGNERS_PLANTS = {
  /** The standby takes over as soon as its holder is silent, before the lease has ended. */
  'lease-not-awaited': {
    changes: [
      {
        path: 'src/compose/run-member.ts',
        from: `return lease.leftMs <= 0 && lease.level.includes(name) && isFresh;`,
        to: `return (lease.leftMs <= 0 || (silentMs ?? 0) > 1_500) && lease.level.includes(name) && isFresh;`,
      },
      {
        path: 'src/engine/signing/store/signer-lease.ts',
        from: `WHERE lease.holder = $1 OR ((${'$'}{OVER}) AND $1 = ANY(lease.level))`,
        to: `WHERE lease.holder = $1 OR $1 = ANY(lease.level)`,
      },
    ],
    found: ['side-by-side'],
  },
} as const satisfies Record<string, SignersPlant>;

export type SignersPlantName = keyof typeof SIGNERS_PLANTS;
export type PlantName = EventPlantName | HostilePlantName | SignersPlantName;

/** The plant of that name; null for another name. */
export function signersPlantOf(name: string): SignersPlantName | null {
  return name in SIGNERS_PLANTS ? (name as SignersPlantName) : null;
}

/** Whether the fault is one of two signers. */
export function isSignersPlant(plant: PlantName | null): plant is SignersPlantName {
  return plant !== null && plant in SIGNERS_PLANTS;
}
