import type { LeaderTrade } from '../../follows/rules/leader-trade.ts';
import type { PaperCopy, PaperTrade } from '../rules/paper-copy.ts';

type Key = Pick<PaperCopy, 'userId' | 'leader'>;

/** Copies without money, and their decisions. No row of these tables is read where something is signed or counted. */
export interface PaperCopyStore {
  /** Begins it, or begins it anew with these rules: earlier decisions of this leader are forgotten. */
  begin(copy: PaperCopy): Promise<void>;
  find(key: Key): Promise<PaperCopy | null>;
  /** A person's, by leader. */
  listByUser(userId: string): Promise<readonly PaperCopy[]>;
  /** Ends it, with its decisions. False where there is none. */
  end(key: Key): Promise<boolean>;
  isAny(): Promise<boolean>;
  /** Trades of leaders since their paper copies began, up to a moment, that no row decides on; in the chain's order, of one transaction sales first. */
  undecided(
    atMost: number,
    limit: number,
  ): Promise<readonly { readonly copy: PaperCopy; readonly trade: LeaderTrade }[]>;
  /** False, and nothing is stored, where the trade was decided on already, or where the copy ended. */
  decide(row: PaperTrade): Promise<boolean>;
  /** All of a copy, oldest first. */
  trades(key: Key): Promise<readonly PaperTrade[]>;
}
