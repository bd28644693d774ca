import type { Address } from '@tradepost/solana';
import type { Launch } from './rules/launch.ts';

/** Tokens that were launched here. A row is written in the commit that makes its intent final. */
export interface LaunchStore {
  /** Inserts; false when the mint is known. */
  insert(launch: Launch): Promise<boolean>;
  find(mint: Address): Promise<Launch | null>;
  /** Those still on their curve, the longest unseen first. */
  onCurve(limit: number): Promise<readonly Launch[]>;
  /** Newest first. */
  listByUser(userId: string, limit: number): Promise<readonly Launch[]>;
  saveProgress(mint: Address, seen: { readonly soldBps: number; readonly at: number }): Promise<void>;
  /** Writes down that the curve is complete. False when it was known: only one caller notifies the creator. */
  graduate(mint: Address, at: number): Promise<boolean>;
}
