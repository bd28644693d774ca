import type { Clock } from '../../../platform/ports/clock.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { TapeStore } from '../../../platform/ports/tape-store.ts';

export type KeepTapeDeps = {
  readonly tape: Pick<TapeStore, 'cursors' | 'upkeep' | 'moveWindows'>;
  readonly tapeMaxBytes: bigint;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'info'>;
};

/** Moves the 24 h figures of all markets to now. */
export async function moveMarketWindows({
  tape,
  clock,
}: Pick<KeepTapeDeps, 'tape' | 'clock'>): Promise<void> {
  await tape.moveWindows(Math.floor(clock.now() / 1_000));
}

/** Partitions of the tape: the next ones are made, those past their time or over the size are dropped, and said. */
export async function keepTape({ tape, tapeMaxBytes, clock, log }: KeepTapeDeps): Promise<void> {
  const slots = (await tape.cursors()).map(({ liveSlot }) => liveSlot);
  // Nothing was ever read: there is nothing to keep.
  if (slots.length === 0) return;
  const dropped = await tape.upkeep({
    now: Math.floor(clock.now() / 1_000),
    slot: slots.reduce((newest, slot) => (slot > newest ? slot : newest)),
    maxBytes: tapeMaxBytes,
  });
  if (dropped.length > 0) log.info({ dropped }, 'dropped old parts of the tape');
}
