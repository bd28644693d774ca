import type { Config } from '../config/index.ts';
import { runWatch as beginWatch } from '../engine/watch/jobs.ts';
import { ranked } from '../platform/chain/call-turns.ts';
import type { Logger } from '../platform/ports/logger.ts';
import type { Adapters } from './adapters.ts';
import type { OpenedSigner } from './open-signer.ts';
import type { LocalWorld } from './open-world.ts';

/** The opened platform, and the holder of the keys. */
export type Opened = Adapters & OpenedSigner;

export type Stops = (() => Promise<unknown>)[];

/** The beginning of every role. */
export type Start = {
  readonly config: Config;
  /** The stand-ins; null in production. */
  readonly local: LocalWorld | null;
  readonly adapters: Opened;
  /** Where the open host is reached. Filled in when it is not configured and this process serves it. */
  readonly site: { url: string | null };
  readonly log: Logger;
  /** Each role pushes its end. */
  readonly stops: Stops;
};

/** Prices, deposits and leaders are looked at by the clock: a person who waits for an answer at this moment goes first. */
export const runWatch: typeof beginWatch = (...given) => ranked('order', () => beginWatch(...given));
