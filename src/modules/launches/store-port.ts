import type { Address } from '@tradepost/solana';
import type { LaunchAlert, LaunchList, LaunchNotice } from './rules/launch-alert.ts';
import type { SeenLaunch } from './rules/stage.ts';

/** Launched tokens as the feed has seen them, and the people who want to hear of them. */
export interface SeenLaunchStore {
  /** False, and nothing changes, where the mint is known. */
  insert(launch: SeenLaunch): Promise<boolean>;
  find(mint: Address): Promise<SeenLaunch | null>;
  /** Those of these curves. */
  ofCurves(curves: readonly Address[]): Promise<readonly SeenLaunch[]>;
  /**
   * Writes the changes of a look or an event, where the row's stage and fork are still those of `before`. False, and nothing changes, where
   * another process was faster: the row is locked until the end of the transaction.
   */
  change(before: SeenLaunch, after: SeenLaunch): Promise<boolean>;
  /** Those whose curve moved since a moment and that have no final pool, the newest movement first. */
  watched(since: number, finalSlot: bigint, limit: number): Promise<readonly SeenLaunch[]>;
  /**
   * A list that people see, without those of a dead fork, created or moved since a moment: new ones by their creation, near ones by their
   * sold part, graduated ones by their graduation.
   */
  list(list: LaunchList, since: number, limit: number): Promise<readonly SeenLaunch[]>;

  /** Up to which final slot a pad was read; null before it was. */
  place(pad: string): Promise<bigint | null>;
  /** Never moves back. */
  moveTo(pad: string, slot: bigint): Promise<void>;

  alert(userId: string): Promise<LaunchAlert | null>;
  /** Stages and filter; where there is a row its hour stays. */
  saveAlert(alert: LaunchAlert): Promise<void>;
  /** Its hour: for the reader of launches alone. */
  countAlert(alert: Pick<LaunchAlert, 'userId' | 'hourAt' | 'hourTold' | 'hourHeld'>): Promise<void>;
  /** Everybody who wants to hear of a stage, by user; locked until the end of the transaction. */
  alertsFor(list: LaunchList): Promise<readonly LaunchAlert[]>;
  /** The filters of all who want to hear of a stage, each once. */
  filters(): Promise<readonly string[]>;
  /** Those with counted launches whose hour began at or before a moment; those that another process has locked are left out. */
  dueDigests(hourAtMost: number): Promise<readonly LaunchAlert[]>;

  /** False, and nothing is stored, where the person was notified of this stage before. */
  addNotice(notice: LaunchNotice): Promise<boolean>;
  notice(key: Pick<LaunchNotice, 'userId' | 'mint' | 'stage'>): Promise<LaunchNotice | null>;
  /** The message that shows it. */
  sent(key: Pick<LaunchNotice, 'userId' | 'mint' | 'stage'>, messageId: number): Promise<void>;
  /** Marks the notices of a stage as taken back, or as standing again; answers those that it changed. */
  markNotices(mint: Address, stage: LaunchList, takenBack: boolean): Promise<readonly LaunchNotice[]>;
}
