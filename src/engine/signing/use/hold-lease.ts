import { runBeat } from '../../../core/time/run-beat.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { SignerLeases } from '../store/signer-lease-port.ts';

export const LEASE_MS = 5_000;
const RENEW_MS = 1_500;
/** The holder stops before the lease is over, so that two clocks of different speed do not overlap. */
const EARLY_MS = 1_000;

export type HeldLease = {
  /** Whether this process may sign in this moment: false a second before the lease is over, and for good once another holds it. */
  readonly isHeld: () => boolean;
  /** Resolves when another signer holds the lease, or `stop` was called. */
  readonly lost: Promise<void>;
  /** Ends the renewals; the lease runs out by itself. */
  readonly stop: () => void;
};

/**
 * Renews a lease that was taken at `takenAt` (`steadyMs`, before the statement). Its end is counted from the moment in which a statement was
 * sent, by the process's own steady clock: an answer that comes late does not make it longer.
 */
export function holdLease(options: {
  readonly leases: Pick<SignerLeases, 'renew'>;
  readonly name: string;
  readonly epoch: bigint;
  readonly takenAt: number;
  readonly steadyMs: () => number;
  readonly pause: (ms: number) => Promise<void>;
  readonly log: Pick<Logger, 'error' | 'warn'>;
}): HeldLease {
  const { leases, name, epoch, steadyMs, pause, log } = options;
  let heldUntil = options.takenAt + LEASE_MS - EARLY_MS;
  let isOver = false;
  let end: () => void = () => undefined;
  const lost = new Promise<void>((resolve) => {
    end = () => {
      isOver = true;
      resolve();
    };
  });
  const renew = async (): Promise<void> => {
    if (isOver) return;
    const sentAt = steadyMs();
    if (await leases.renew(name, epoch, LEASE_MS)) heldUntil = sentAt + LEASE_MS - EARLY_MS;
    else end();
  };
  const stop = runBeat({
    beat: renew,
    pauseMs: () => RENEW_MS,
    pause,
    told: {
      log,
      failing: 'the lease of the signer cannot be renewed',
      again: 'the lease of the signer is renewed again',
    },
  });
  return {
    isHeld: () => !isOver && steadyMs() < heldUntil,
    lost,
    stop: () => {
      end();
      void stop();
    },
  };
}
