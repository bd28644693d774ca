import type { DeathProbe } from '../../../platform/ports/chain.ts';
import type { WitnessProbe } from '../../../platform/ports/chain-witness.ts';
import type { DeathLook } from '../../intents/rules/death.ts';
import { decodeUnresolved } from './decode-message.ts';

/** The blockhash that a message names, or null where it is no message of the chain. */
export function blockhashOf(message: Uint8Array): string | null {
  try {
    return decodeUnresolved(message).blockhash;
  } catch {
    return null;
  }
}

/** The slot as of which each endpoint, by its name, took a blockhash. */
export type TakenAt = ReadonlyMap<DeathProbe['endpoint'], bigint>;

/**
 * The look that a probe amounts to by the blockhash itself, or null when it proves nothing. An endpoint that took the blockhash as of one
 * slot and, as of a FINALIZED slot that is not lower, takes it no more has seen its end: every later block stands on that slot. An
 * endpoint that never took it may only be behind, so it proves nothing. The search of history must be as new as that slot.
 */
export function lookByBlockhash(takenAt: TakenAt, probe: WitnessProbe, at: number): DeathLook | null {
  const { endpoint, endpoints, finalizedHeight, status, statusSlot, firstAvailableBlock, goneAt } = probe;
  const taken = takenAt.get(endpoint);
  if (status !== null || goneAt === null || taken === undefined) return null;
  if (goneAt < taken || statusSlot < goneAt) return null;
  return { endpoint, endpoints, at, finalizedHeight, finalizedSlot: goneAt, statusSlot, firstAvailableBlock };
}
